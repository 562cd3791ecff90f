import { MINUTE_MS } from "#src/platform/durations.ts";

/** A mail that was not seen by then is missing: greylisting takes five minutes, seldom fifteen. */
export const LOOKED_FOR_MS = 15 * MINUTE_MS;
/** The first look: a relay and a filter take a moment. */
const FIRST_LOOK_MS = 5_000;
/** From when on a mail is looked for in all folders: rules of the mailbox's owner may have moved it. */
const EVERYWHERE_MS = MINUTE_MS;
/** A worker that looks is dead by then: a login and a search end after a minute. */
export const LOOK_LEASE_MS = 3 * MINUTE_MS;
/** RFC 5321 section 4.5.3.2.6 grants the final reply 10 minutes. */
export const SEND_LEASE_MS = 11 * MINUTE_MS;

/** Each so long after the one before: what arrives is seen within 60 s, whatever the queue adds. */
const GAPS: readonly (readonly [untilAgeMs: number, gapMs: number])[] = [
  [MINUTE_MS, 10_000],
  [5 * MINUTE_MS, 20_000],
  [Infinity, 30_000],
];

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

export const firstLookAt = (sentAt: Date): Date => after(sentAt, FIRST_LOOK_MS);
export const lookUntilFrom = (sentAt: Date): Date => after(sentAt, LOOKED_FOR_MS);

/** How long a mail has been looked for. */
const ageOf = (lookUntil: Date, now: Date): number =>
  now.getTime() - lookUntil.getTime() + LOOKED_FOR_MS;

export function nextLookAt(lookUntil: Date, now: Date): Date {
  const age = ageOf(lookUntil, now);
  const [, gap] = GAPS.find(([until]) => age < until)!;
  return after(now, gap);
}

export const isEverywhere = (lookUntil: Date, now: Date): boolean =>
  ageOf(lookUntil, now) >= EVERYWHERE_MS;

/** Waits after a refusal for now; one that is refused longer than that is not sent. */
const RETRY_DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS];
export function sendAgainAt(attempts: number, now: Date): Date | null {
  const delay = RETRY_DELAYS_MS[attempts];
  return delay === undefined ? null : after(now, delay);
}

/** A sender whose relay asked to be left alone is waited for so long. */
const RESTED_FOR_MS = 15 * MINUTE_MS;
export const waitsForRest = (restsUntil: Date, now: Date): boolean =>
  restsUntil.getTime() - now.getTime() <= RESTED_FOR_MS;
