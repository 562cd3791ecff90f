import type { BegunSend, SendOutcome } from "#db/engine/index.ts";
import type { ModelData } from "#src/domain/engine/memory/index.ts";
import type { RelayFault } from "./faults.ts";
import type { Journey } from "./sink.ts";
import type { AttemptEntry, Violation } from "./wire.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** In messages an hour. */
const FREE = 60;

/** What the relay answered in the name of the receiver's policy, and not of the sender's own limits. */
const BY_POLICY: ReadonlySet<RelayFault> = new Set(["policy_4xx", "policy_5xx", "refused"]);

/** A worker that takes longer may have lost its send before it records what came of it. */
const SURELY_OWED_MS = 120_000;

interface Pair {
  rate: number;
  /** When it was cut, by its worker's clock. */
  cutAt: number;
  /** No message of the pair begins before. */
  freeAt: number;
}

/** A sending domain and the operator of its recipients: no pair exceeds its rate, which only the receiver's policy lowers. */
export function createPairChecks(
  data: ModelData,
  addressOf: (leadId: string) => string,
  violations: Violation[],
) {
  const domains = new Map(data.lanes.map(({ id, domainId }) => [id, domainId]));
  const operators = new Map(data.operators?.map(({ domain, operator }) => [domain, operator]));
  const pairs = new Map<string, Pair>();
  const refused = new Set<string>();
  const counts = { cuts: 0, paced: 0 };

  function keyOf({ laneId, leadId }: Journey): string | null {
    const domainId = domains.get(laneId) ?? null;
    const to = addressOf(leadId).split("@")[1]!;
    return domainId === null ? null : `${domainId} ${operators.get(to) ?? to}`;
  }

  /** Grown by one for each ten minutes since it was cut. */
  const rateAt = ({ rate, cutAt }: Pair, at: number): number =>
    Math.min(FREE, rate + Math.floor((at - cutAt) / (10 * MINUTE_MS)));

  function onBegun(journey: Journey, at: number): void {
    const key = keyOf(journey);
    const pair = key === null ? undefined : pairs.get(key);
    if (pair === undefined) return;
    const rate = rateAt(pair, at);
    if (rate >= FREE) return;
    if (at < pair.freeAt)
      violations.push({
        ...{ invariant: "rate of a pair", at, ...journey },
        text: `${(pair.freeAt - at) / 1000} s too soon at ${rate} an hour`,
      });
    counts.paced++;
    pair.freeAt = at + Math.floor(HOUR_MS / rate);
  }

  function cut(journey: Journey, at: number): void {
    const key = keyOf(journey);
    if (key === null) return;
    const pair = pairs.get(key);
    // What began before the last cut says nothing new.
    if (pair !== undefined && journey.beganAt <= pair.cutAt) return;
    const rate = pair === undefined ? FREE / 2 : Math.max(1, Math.floor(rateAt(pair, at) / 2));
    const freeAt = Math.max(pair?.freeAt ?? 0, at + Math.floor(HOUR_MS / rate));
    pairs.set(key, { rate, cutAt: at, freeAt });
    counts.cuts++;
  }

  const endsAlone = (outcome: SendOutcome): boolean =>
    outcome.kind === "rejected" ||
    outcome.kind === "given_up" ||
    (outcome.kind === "retry" && outcome.lane === "none");

  return {
    counts,
    onAttempt(_entry: AttemptEntry, fault: RelayFault, sendId: string): void {
      if (BY_POLICY.has(fault)) refused.add(sendId);
      else refused.delete(sendId);
    },
    /** Of the outcomes that were recorded, and the begins behind them. */
    onSettled(
      now: Date,
      outcomes: readonly SendOutcome[],
      begun: readonly BegunSend[],
      journeyOf: (sendId: string) => Journey | undefined,
    ): void {
      const at = now.getTime();
      const cuts = outcomes
        .filter((outcome) => refused.has(outcome.id) && endsAlone(outcome))
        .flatMap(({ id }) => journeyOf(id) ?? [])
        .filter(({ beganAt }) => at - beganAt < SURELY_OWED_MS);
      for (const { id } of outcomes) refused.delete(id);
      // Of several of one pair the last to begin decides.
      for (const journey of cuts.toSorted((a, b) => b.beganAt - a.beganAt)) cut(journey, at);
      for (const { id, begun: isBegun } of begun) {
        const journey = journeyOf(id);
        if (isBegun && journey !== undefined) onBegun(journey, at);
      }
    },
  };
}
