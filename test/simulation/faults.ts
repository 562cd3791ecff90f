import type { Random } from "../support/random.ts";

/** How often what goes wrong, each a share of the calls or ticks concerned. */
export interface FaultRates {
  /** The worker dies before, or after, a call took effect. */
  crash: number;
  /** A call took effect, and its reply is an error. */
  lostReply: number;
  /** A begin, or what is recorded with it, is carried out twice, and the answer is what the second said. */
  repeated: number;
  /** Postgres rolled the transaction back and says so. */
  aborted: number;
  /** A call takes up to a few seconds. */
  slow: number;
  /** A call hangs for minutes before it takes effect. */
  stall: number;
  /** The relay answers otherwise than with 250. */
  relay: number;
  /** The text cannot be written. */
  render: number;
  tickLost: number;
  tickDuplicate: number;
  tickLate: number;
  /** The worker's clock is up to 5 s off. */
  skew: number;
  /** What people do, per campaign and day. */
  actionsPerDay: number;
  /** Per claimed send: somebody does something to just that lead, campaign or sender before its slot. */
  aimed: number;
  /** Per message on the wire: it is opened or answered. Where the engine does not know whether it arrived, more often. */
  answers: number;
}

export const CLEAN: FaultRates = {
  crash: 0,
  lostReply: 0,
  repeated: 0,
  aborted: 0,
  slow: 0,
  stall: 0,
  relay: 0,
  render: 0,
  tickLost: 0,
  tickDuplicate: 0,
  tickLate: 0,
  skew: 0,
  actionsPerDay: 0,
  aimed: 0,
  answers: 0,
};

/** Far worse than a bad day. */
export const STORMY: FaultRates = {
  crash: 0.004,
  lostReply: 0.003,
  repeated: 0.02,
  aborted: 0.003,
  slow: 0.1,
  stall: 0.01,
  relay: 0.08,
  render: 0.003,
  tickLost: 0.02,
  tickDuplicate: 0.05,
  tickLate: 0.02,
  skew: 0.2,
  actionsPerDay: 2.5,
  aimed: 0.08,
  answers: 0.03,
};

/** A bad year. */
export const ROUGH: FaultRates = {
  ...STORMY,
  crash: 0.0003,
  lostReply: 0.0002,
  repeated: 0.0002,
  aborted: 0.0002,
  stall: 0.0002,
  slow: 0.02,
  relay: 0.03,
  render: 0.0005,
  actionsPerDay: 0.1,
  aimed: 0,
  answers: 0.003,
};

export type RelayFault =
  | "greylisted"
  | "policy_4xx"
  | "limited"
  | "spent"
  | "policy_5xx"
  | "refused"
  | "listed"
  | "gone"
  | "content"
  | "down"
  | "hang_before_dot"
  | "lost_after_dot"
  | "hang_after_dot"
  | "throw_after_dot"
  | "account";

const RELAY_FAULTS: readonly RelayFault[] = [
  "greylisted",
  "greylisted",
  "greylisted",
  "greylisted",
  "policy_4xx",
  "policy_4xx",
  "limited",
  "policy_5xx",
  "gone",
  "gone",
  "content",
  "down",
  "hang_before_dot",
  "lost_after_dot",
  "lost_after_dot",
  "hang_after_dot",
  "throw_after_dot",
  "account",
];

export const drawRelayFault = (random: Random, rates: FaultRates): RelayFault | null =>
  random.chance(rates.relay) ? random.pick(RELAY_FAULTS) : null;

export interface CallFaults {
  beforeMs: number;
  afterMs: number;
  end: "ok" | "crash_before" | "crash_after" | "lost_reply" | "aborted";
}

export function drawCallFaults(random: Random, rates: FaultRates): CallFaults {
  const slow = () => (random.chance(rates.slow) ? random.below(4000) : 0);
  const draw = random.next();
  const { crash, lostReply, aborted } = rates;
  const end =
    draw < crash / 2
      ? "crash_before"
      : draw < crash
        ? "crash_after"
        : draw < crash + lostReply
          ? "lost_reply"
          : draw < crash + lostReply + aborted
            ? "aborted"
            : "ok";
  const stall = random.chance(rates.stall) ? 60_000 + random.below(400_000) : 0;
  return { beforeMs: slow() + stall, afterMs: slow(), end };
}
