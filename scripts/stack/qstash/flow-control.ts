import type { FlowControl } from "./model.ts";

/** The state of one flow-control key (https://upstash.com/docs/qstash/features/flowcontrol). */
export interface FlowKey {
  key: string;
  parallelism: number | null;
  rate: number | null;
  periodSeconds: number;
  pinnedParallelism: boolean;
  pinnedRate: boolean;
  paused: boolean;
  active: number;
  periodStart: number;
  startedInPeriod: number;
}

export type FlowKeys = Map<string, FlowKey>;

/** Applies what the newest message says, except for what is pinned. */
export function configureFlow(keys: FlowKeys, wanted: FlowControl): void {
  const flow = flowKey(keys, wanted.key);
  if (!flow.pinnedParallelism) flow.parallelism = wanted.parallelism;
  if (flow.pinnedRate) return;
  flow.rate = wanted.rate;
  flow.periodSeconds = wanted.periodSeconds;
}

/** The key, created without limits if it is new. */
export function flowKey(keys: FlowKeys, key: string): FlowKey {
  const known = keys.get(key);
  if (known !== undefined) return known;
  const created: FlowKey = {
    key,
    parallelism: null,
    rate: null,
    periodSeconds: 1,
    pinnedParallelism: false,
    pinnedRate: false,
    paused: false,
    active: 0,
    periodStart: 0,
    startedInPeriod: 0,
  };
  keys.set(key, created);
  return created;
}

export const periodEnd = (flow: FlowKey) => flow.periodStart + Math.ceil(flow.periodSeconds * 1000);

/** How many messages of the key may start now. */
export function freePlaces(flow: FlowKey, now: number): number {
  if (flow.paused) return 0;
  const started = now >= periodEnd(flow) ? 0 : flow.startedInPeriod;
  return Math.min((flow.parallelism ?? Infinity) - flow.active, (flow.rate ?? Infinity) - started);
}

export function takePlace(flow: FlowKey, now: number): void {
  if (now >= periodEnd(flow)) {
    flow.periodStart = now;
    flow.startedInPeriod = 0;
  }
  flow.active++;
  flow.startedInPeriod++;
}
