import type { Dial } from "#src/providers/mail/index.ts";

/**
 * Time. `sleepUntil` resolves at the instant or just after it, at once if it has passed. A signal ends
 * the wait, and makes it the deadline of work in progress.
 */
export interface Clock {
  now(): Date;
  sleepUntil(at: Date, signal?: AbortSignal): Promise<void>;
}

/** The parts that differ between the runtimes of the service. */
export interface Platform {
  fetch: typeof fetch;
  dial: Dial;
  clock: Clock;
  /** Cryptographically secure random bytes. */
  randomBytes(count: number): Uint8Array<ArrayBuffer>;
}
