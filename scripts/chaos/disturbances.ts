import type { Part } from "../stack/part.ts";
import type { Chaos } from "./run.ts";

export type Kind = "killed" | "gone" | "slow" | "lying";

export interface Disturbance {
  /** What of the world beside the service, in the words of the report. */
  of: string;
  kind: Kind;
  what: string;
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
}

/** Ordered for so many occasions, and cleared when the disturbance ends. */
const ALWAYS = 100_000;
/** Where each occasion costs a message, so that something gets through in between. */
const SOME = 6;

/** Of which part which fault is which kind of trouble, and how often. */
const FAULTS: readonly [part: string, of: string, kind: Kind, fault: string, times?: number][] = [
  ["neon", "database", "gone", "refuse", 40],
  ["neon", "database", "gone", "server_error", 40],
  ["neon", "database", "lying", "reply_lost", SOME],
  ["upstash", "cache", "gone", "unavailable"],
  ["upstash", "cache", "slow", "slow"],
  ["upstash", "cache", "slow", "hang"],
  ["upstash", "cache", "lying", "lie"],
  ["upstash", "cache", "lying", "garbage"],
  ["upstash", "cache", "lying", "forget"],
  ["qstash", "queue", "gone", "unavailable"],
  ["qstash", "queue", "gone", "lose", SOME],
  ["qstash", "queue", "lying", "duplicate"],
  ["mailbox", "relay", "gone", "greeting_421"],
  ["mailbox", "relay", "gone", "close_before_dot", SOME],
  ["mailbox", "relay", "slow", "slow"],
  ["mailbox", "relay", "slow", "hang_before_dot", SOME],
  ["mailbox", "relay", "lying", "close_after_dot", SOME],
  ["mailbox", "relay", "lying", "data_deferred", SOME],
  ["model", "model", "gone", "down"],
  ["model", "model", "slow", "timeout", SOME],
  ["model", "model", "lying", "wrong-json", SOME],
  ["facilitator", "facilitator", "gone", "down"],
  ["facilitator", "facilitator", "slow", "slow"],
  ["facilitator", "facilitator", "lying", "lost_answer", SOME],
  ["facilitator", "facilitator", "lying", "fails_settlement", SOME],
  ["network", "network", "gone", "unavailable"],
  ["network", "network", "slow", "slow", SOME],
  ["network", "network", "lying", "lost_answer", SOME],
  ["network", "network", "lying", "nonsense", SOME],
  ["dns", "DNS", "gone", "unavailable"],
  ["farm", "mail hosts", "slow", "slow"],
];

export function disturbancesOf(chaos: Chaos): Disturbance[] {
  const { service } = chaos;
  const parts = new Map(service.stack.parts.map((part) => [part.name, part]));
  const faults = FAULTS.flatMap(([name, of, kind, fault, times = ALWAYS]) => {
    const part = parts.get(name);
    // No chain, no facilitator: there is no anvil for every machine.
    return part === undefined ? [] : [faultOf(part, of, kind, fault, times)];
  });
  return [
    {
      of: "Worker",
      kind: "killed",
      what: "kill -9",
      begin: () => service.worker().kill("SIGKILL"),
      end: () => service.untilUp(),
    },
    {
      of: "database",
      kind: "killed",
      what: "kill -9 of one of its processes: all connections are cut, and it recovers",
      begin: () => chaos.killDatabase(),
      end: () => chaos.untilDatabaseUp(),
    },
    ...faults,
  ];
}

function faultOf(part: Part, of: string, kind: Kind, fault: string, times: number): Disturbance {
  return {
    of,
    kind,
    what: part.faults.known[fault]!,
    begin: () => part.faults.order(fault, times),
    end: () => part.faults.clear(),
  };
}
