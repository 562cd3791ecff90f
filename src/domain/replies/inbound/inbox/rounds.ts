/** The period of maintenance: what is due by then is read in its round. */
const ROUND_MS = 5 * 60_000;
/** Clocks differ: an inbox is due this long before its round, so that the round finds it due. */
const SLACK_MS = 10_000;
/** The interval in the hour after a send, when most answers come. */
const SOON_MS = 2 * 60_000;
const RECENT_MS = 3_600_000;

/** Waits between failures in a row, in rounds; the last one stays. A refused login that is tried too often locks an account. */
const WAITS = { line: [1, 2, 4, 8, 12], account: [6, 12, 24, 72] } as const;

/** The first round that begins after an instant. */
function roundAfter(at: number): Date {
  return new Date((Math.floor(at / ROUND_MS) + 1) * ROUND_MS - SLACK_MS);
}

/** When to look again: with the next round, or soon where something was sent since `recently`. */
export const nextLooks = (now: Date) => ({
  now,
  recently: new Date(now.getTime() - RECENT_MS),
  soon: new Date(now.getTime() + SOON_MS),
  later: roundAfter(now.getTime()),
});

/** There is more to read: at once. */
export const lookAtOnce = (now: Date) => ({ now, recently: now, soon: now, later: now });

/** When to try again after so many failures before this one. */
export function retryAt(now: Date, failures: number, fault: keyof typeof WAITS): Date {
  const waits: readonly number[] = WAITS[fault];
  const rounds = waits[Math.min(failures, waits.length - 1)]!;
  return roundAfter(now.getTime() + (rounds - 1) * ROUND_MS);
}

/** Whether a look is due before the next round, so that it has to be asked for. */
export const isBeforeRound = (at: Date, now: Date): boolean => at < roundAfter(now.getTime());
