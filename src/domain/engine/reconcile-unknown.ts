import type { LostSend, SendOutcome, SendStore, StepContext } from "#db/engine/index.ts";
import type { Clock } from "#src/platform/index.ts";
import type { Channel, LookUp } from "./channel.ts";
import { loadSends } from "./load-sends.ts";
import { retryAtOf } from "./retry-policy.ts";
import { NO_WORKER, nextStepOf } from "./outcome.ts";
import { record } from "./record.ts";

/** So soon after it began, "not there" may only mean that it does not show yet, or is still under way. */
const SHOWS_AFTER_MS = 10 * 60_000;
/** Unknown sends that a tick looks up; the rest is for the next ticks. */
const AT_ONCE = 10;
/** Unknown sends that are read; more than are looked up, so that those which cannot be looked up do not block the rest. */
const READ_AT_ONCE = 200;
/** After so long the next part of the unknown sends has its turn. */
const TURN_MS = 60_000;

/**
 * Looks up unknown sends where their channel can: one that is found was done; one that is not there is put back to be
 * tried again, with the attempt counted. No unknown send is tried anew before it was looked up.
 */
export async function lookUpLost(
  { store, clock, channels }: { store: SendStore; clock: Clock; channels: Channel[] },
  touched: Set<string>,
): Promise<void> {
  const able = channels.filter(({ lookUp }) => lookUp !== undefined);
  if (able.length === 0) return;
  const kinds = able.map(({ kind }) => kind);
  const lost = turnOf(await store.unknownOf(kinds, READ_AT_ONCE), clock.now());
  const loaded = await loadSends(able, lost);
  const outcomes: SendOutcome[] = [];
  for (const send of lost) {
    const of = loaded.get(send.id);
    if (of === undefined) continue;
    const found = await of.channel.lookUp!(of.context, send.transmittingAt);
    const outcome = outcomeOf(of.context, send, found, clock.now());
    if (outcome === null) continue;
    outcomes.push(outcome);
    touched.add(send.campaignId);
  }
  if (outcomes.length > 0) await record(store, clock.now(), NO_WORKER, outcomes);
}

/** The unknown sends whose turn it is now; all of them, while they are few. */
function turnOf(lost: LostSend[], now: Date): LostSend[] {
  const parts = Math.ceil(lost.length / AT_ONCE);
  if (parts <= 1) return lost;
  const from = (Math.floor(now.getTime() / TURN_MS) % parts) * AT_ONCE;
  return lost.slice(from, from + AT_ONCE);
}

/** Null while the channel cannot tell. `attempts` counts the one that was lost. */
function outcomeOf(
  context: StepContext,
  { id, transmittingAt }: LostSend,
  found: LookUp,
  now: Date,
): SendOutcome | null {
  if (found === "unknown") return null;
  if (found === "done") {
    const reason = "Its answer was lost; it was looked up, and it was done.";
    const next = nextStepOf(context.step.step, transmittingAt, context);
    return { id, kind: "confirmed", reason, ...next };
  }
  if (now.getTime() - transmittingAt.getTime() < SHOWS_AFTER_MS) return null;
  const reason = "Its answer was lost; it was looked up, and it had not been done.";
  if (retryAtOf(context.attempts - 1, now) === null)
    return { id, kind: "given_up", reason, lookedUp: true };
  return {
    id,
    kind: "retry",
    reason,
    retryAt: now,
    attemptSpent: true,
    lane: "none",
    lookedUp: true,
  };
}
