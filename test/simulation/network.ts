import type { ActionType, Step } from "#db/schema/index.ts";
import type { LookUp } from "#src/domain/engine/channel.ts";
import { createRandom } from "../support/random.ts";
import type { SimulatedStep } from "./steps.ts";

/** How people take it that they are asked to connect. */
export interface NetworkRates {
  /** Shares of those asked; the others never answer. */
  accepts: number;
  declines: number;
  /** Who answers does so within that; of those who accept a third at once, and a third within half a day. */
  withinMs: number;
}

/** Some answer after their invitation would have been withdrawn. */
export const MOODY: NetworkRates = { accepts: 0.6, declines: 0.15, withinMs: 16 * 86_400_000 };

/** Fewer than ten minutes less the time that a worker may be late with what it began. */
const SHOWS_AFTER_MS = 90_000;
const AT_ONCE_MS = 1500;
const HALF_A_DAY_MS = 43_200_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** What somebody does who was asked; `told`: so long after it the service is told, each time that it is. */
export interface Answer {
  kind: "accepts" | "declines" | "never";
  afterMs: number;
  told: number[];
}

/** By the lead's id alone, whatever else the run draws. */
export function answerOf(leadId: string, rates: NetworkRates): Answer {
  const random = createRandom(Number.parseInt(leadId.slice(0, 8), 16));
  const draw = random.next();
  if (draw >= rates.accepts + rates.declines) return { kind: "never", afterMs: 0, told: [] };
  // An invitation whose answer was lost is asked for within a day: who has declined by then could be asked twice.
  if (draw >= rates.accepts)
    return { kind: "declines", afterMs: DAY_MS + random.next() * rates.withinMs, told: [] };
  const within = random.pick([AT_ONCE_MS, HALF_A_DAY_MS, rates.withinMs]);
  const soon = () => random.below(2000);
  const late = () => random.below(8 * HOUR_MS);
  const told = random.pick([[], [soon()], [soon()], [late()], [soon(), late()], [late(), late()]]);
  return { kind: "accepts", afterMs: Math.floor(random.next() * within), told };
}

/** Whether a step is a message that only reaches who is connected, by an invitation of the same campaign. */
export const needsConnection = (steps: readonly Step[], step: number): boolean =>
  steps[step - 1]?.action_type === "message" &&
  steps.slice(0, step - 1).some(({ action_type }) => action_type === "connection_request");

/** A network as it really is: what was done there and who is connected, whatever the engine knows of it. */
export interface Network {
  /** Reaches it. */
  take(step: Pick<SimulatedStep, "leadId" | "step">, at: number): void;
  /** Whether an action shows that was lost sight of. */
  lookUp(step: Pick<SimulatedStep, "leadId" | "step">, at: number): LookUp;
  isConnected(leadId: string): boolean;
  /** Nothing can be accepted any more. Answers whether they are connected. */
  withdraw(leadId: string): boolean;
}

/** `onAsked`: somebody is asked for the first time. */
export function createNetwork(
  onAsked: (leadId: string, at: number) => void,
): Network & { answer(leadId: string, kind: Answer["kind"]): boolean } {
  const done = new Map<string, number>();
  const open = new Set<string>();
  const connected = new Set<string>();
  const asked = new Set<string>();

  function invite(leadId: string, at: number): void {
    if (connected.has(leadId)) return;
    open.add(leadId);
    if (!asked.has(leadId)) onAsked(leadId, at);
    asked.add(leadId);
  }
  const shows = (key: string, at: number): boolean => (done.get(key) ?? Infinity) <= at;
  /** Who was looked at does not tell. */
  const looks: Record<ActionType, (leadId: string, key: string, at: number) => LookUp> = {
    connection_request: (leadId, key, at) =>
      connected.has(leadId) || (open.has(leadId) && shows(key, at)) ? "done" : "not_done",
    message: (_, key, at) => (shows(key, at) ? "done" : "not_done"),
    profile_view: () => "unknown",
    send_email: () => "unknown",
  };
  return {
    take({ leadId, step }, at) {
      done.set(`${leadId}/${step.step}`, at + SHOWS_AFTER_MS);
      if (step.action_type === "connection_request") invite(leadId, at);
    },
    lookUp: ({ leadId, step }, at) => looks[step.action_type](leadId, `${leadId}/${step.step}`, at),
    isConnected: (leadId) => connected.has(leadId),
    withdraw(leadId) {
      open.delete(leadId);
      return connected.has(leadId);
    },
    answer(leadId, kind) {
      if (!open.delete(leadId)) return false;
      if (kind === "accepts") connected.add(leadId);
      return true;
    },
  };
}
