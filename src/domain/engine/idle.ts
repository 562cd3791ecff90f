import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";

/**
 * Lets an idle service leave the database asleep. A tick that found nothing to do
 * notes in the cache when there next is something, with the number of wakes it
 * knew of; whatever can make a lane due, a tick that did something among it,
 * counts a wake after its commit. The next tick believes the
 * note only if no wake was counted since: one that was committed before the note
 * was computed is in it, one committed later changes the count. The note lives 15
 * minutes, so that a wake whose count was lost waits no longer than that; without
 * the cache every tick runs.
 */
const NOTE = "engine:next_wake";
const WAKES = "engine:wakes";
const ALIVE = "engine:alive";
const NOTE_SECONDS = 15 * 60;
const KEPT_SECONDS = 7 * 86_400;

export interface WakeState {
  /** How many wakes have been counted; null when the cache does not say. */
  wakes: string | null;
  /** When the engine next has something to do, if that is known: null for never. */
  idleUntil: Date | null | undefined;
}

/** Reads the note; `idleUntil` is undefined when it does not hold (any more). */
export async function readWakeState({ cache, log }: Deps): Promise<WakeState> {
  try {
    const [note, wakes] = await Promise.all([cache.get(NOTE), cache.get(WAKES)]);
    const known = wakes ?? "0";
    const [counted, ms] = (note ?? "").split(" ");
    if (note === null || counted !== known) return { wakes: known, idleUntil: undefined };
    return { wakes: known, idleUntil: ms === "never" ? null : new Date(Number(ms)) };
  } catch (error) {
    log.error("wake_hint_unreadable", describeError(error));
    return { wakes: null, idleUntil: undefined };
  }
}

/** Notes when the engine next has something to do, as of a count of wakes that was read before that was asked. */
export async function recordNextWake(
  { cache, log }: Deps,
  wakes: string | null,
  nextWakeAt: Date | null,
): Promise<void> {
  if (wakes === null) return;
  const at = nextWakeAt === null ? "never" : String(nextWakeAt.getTime());
  try {
    await cache.set(NOTE, `${wakes} ${at}`, NOTE_SECONDS);
  } catch (error) {
    log.error("wake_hint_unwritable", describeError(error));
  }
}

/** What `deps.wake()` does. */
export async function countWake({ cache, log }: Pick<Deps, "cache" | "log">): Promise<void> {
  try {
    await cache.count([{ key: WAKES, ttlSeconds: KEPT_SECONDS }]);
  } catch (error) {
    log.error("wake_not_counted", describeError(error));
  }
}

/** Notes that the engine was called, also where it had nothing to do. */
export async function recordAlive({ cache, clock, log }: Deps): Promise<void> {
  try {
    await cache.set(ALIVE, String(clock.now().getTime()), KEPT_SECONDS);
  } catch (error) {
    log.error("engine_sign_unwritable", describeError(error));
  }
}

/** When the engine was last called; null when the cache does not say. */
export async function lastAlive({ cache }: Pick<Deps, "cache">): Promise<Date | null> {
  try {
    const at = await cache.get(ALIVE);
    return at === null ? null : new Date(Number(at));
  } catch {
    return null;
  }
}
