import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";
import type { ChatAnswer } from "#src/providers/model/index.ts";

/**
 * One breaker for all isolates, because they share one endpoint. Five failures of it in a row, and it is left alone for
 * as long as it asks, 30 seconds at least; then one call goes ahead, and the others follow if that is answered. What it
 * will not do for one request (`refused`) says nothing about the next. It lives in the cache, which may forget: then
 * five calls find out again. Without the cache it is closed.
 */
const FAILURES = "model:failures";
const OPEN_UNTIL = "model:open_until";
const PROBE = "model:probe";
const LAST_FAILURE = "model:last_failure";

const FAILURES_TO_OPEN = 5;
const FAILURES_SECONDS = 600;
const SHORTEST_SECONDS = 30;
const LONGEST_SECONDS = 300;
/** Longer than any call, so that only its caller's death frees the next. */
const PROBE_SECONDS = 90;
/** For those who meet a probe. */
const PROBE_WAIT_SECONDS = 5;
const SIGN_SECONDS = 300;
/**
 * Calls that a workspace's callers ended, of those that count in `FAILURES_SECONDS`. Both counters may begin anew within
 * one row of failures: twice as many still open nothing, so that no workspace shuts out the others by what costs it
 * nothing. Three whose callers get no answer do.
 */
const ENDED_EARLY_COUNTED = 2;

type BreakerDeps = Pick<Deps, "cache" | "clock" | "log">;

/** `probe`: the one call that goes ahead. */
export type Passage = "closed" | "probe" | { retryAfterSeconds: number };

/** Whether a call may be made now. */
export async function askBreaker({ cache, clock, log }: BreakerDeps): Promise<Passage> {
  try {
    const until = await cache.get(OPEN_UNTIL);
    if (until === null) return "closed";
    const leftMs = Number(until) - clock.now().getTime();
    if (leftMs > 0) return { retryAfterSeconds: Math.ceil(leftMs / 1000) };
    const [probes] = await cache.count([{ key: PROBE, ttlSeconds: PROBE_SECONDS }]);
    return probes === 1 ? "probe" : { retryAfterSeconds: PROBE_WAIT_SECONDS };
  } catch (error) {
    log.error("model_breaker_unreadable", describeError(error));
    return "closed";
  }
}

/** Whether a call of the workspace whose caller did not wait for its end says something of the endpoint. */
export async function countsEndedEarly(
  { cache, log }: BreakerDeps,
  workspaceId: string,
): Promise<boolean> {
  const counter = { key: `model:ended_early:${workspaceId}`, ttlSeconds: FAILURES_SECONDS };
  try {
    const [calls = 1] = await cache.count([counter]);
    return calls <= ENDED_EARLY_COUNTED;
  } catch (error) {
    log.error("model_breaker_unreadable", describeError(error));
    return false;
  }
}

/** Takes in how a call ended that the breaker had let pass; null where that says nothing of the endpoint. */
export async function tellBreaker(
  { cache, clock, log }: BreakerDeps,
  passage: "closed" | "probe",
  answer: ChatAnswer | null,
): Promise<void> {
  if (answer === null) return giveBack(cache, passage);
  const isAlive = answer.kind === "answered" || answer.reason === "refused";
  try {
    await Promise.all([
      leaveSign(cache, answer),
      isAlive ? close(cache, passage) : fail(cache, clock.now(), passage, answer),
    ]);
  } catch (error) {
    log.error("model_breaker_unwritable", describeError(error));
  }
}

/** The next call is the one that goes ahead. */
async function giveBack(cache: Deps["cache"], passage: "closed" | "probe"): Promise<void> {
  // Where this fails the probe's time runs out by itself.
  if (passage === "probe") await cache.delete(PROBE).catch(() => {});
}

async function close(cache: Deps["cache"], passage: "closed" | "probe"): Promise<void> {
  const keys = passage === "probe" ? [FAILURES, OPEN_UNTIL, PROBE] : [FAILURES];
  await Promise.all(keys.map((key) => cache.delete(key)));
}

async function fail(
  cache: Deps["cache"],
  now: Date,
  passage: "closed" | "probe",
  { retryAfterSeconds = 0 }: { retryAfterSeconds?: number },
): Promise<void> {
  const [failures = 0] = await cache.count([{ key: FAILURES, ttlSeconds: FAILURES_SECONDS }]);
  if (passage === "closed" && failures < FAILURES_TO_OPEN) return;
  const seconds = Math.min(Math.max(retryAfterSeconds, SHORTEST_SECONDS), LONGEST_SECONDS);
  const until = String(now.getTime() + seconds * 1000);
  await cache.set(OPEN_UNTIL, until, seconds + FAILURES_SECONDS);
  if (passage === "probe") await cache.delete(PROBE);
}

/** For the status page, which asks nothing that has to be paid. */
async function leaveSign(cache: Deps["cache"], answer: ChatAnswer): Promise<void> {
  if (answer.kind === "answered") return cache.delete(LAST_FAILURE);
  await cache.set(LAST_FAILURE, `${answer.reason}: ${answer.detail}`, SIGN_SECONDS);
}

/** Why the model is in trouble, in words; null when nothing says so. Rejects when the cache does not answer. */
export async function modelTrouble({
  cache,
  clock,
}: Pick<Deps, "cache" | "clock">): Promise<string | null> {
  const [until, failure] = await Promise.all([cache.get(OPEN_UNTIL), cache.get(LAST_FAILURE)]);
  const last = failure === null ? [] : [`the last call failed (${failure})`];
  if (until === null) return last[0] ?? null;
  const isOpen = Number(until) > clock.now().getTime();
  const state = isOpen
    ? `it is left alone until ${new Date(Number(until)).toISOString()}`
    : "it failed, and the next call tries it";
  return [state, ...last].join("; ");
}
