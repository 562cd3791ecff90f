import { AppError } from "#src/errors.ts";

/** Of the 128 MB that an isolate has for everything, where there is more than one; a body is copied once while it grows. */
const MOST_BYTES = 48 * 1024 * 1024;
/** Up to here there is always room. */
const SMALL_BYTES = 1024 * 1024;
const RETRY_AFTER_SECONDS = 30;

/** Bytes of the large bodies that are held in this isolate, of all requests together. */
let held = 0;

export interface Hold {
  /** Reserves memory for a body of so many bytes in all; throws 503 where the isolate's other bodies leave no room. */
  grow(bytes: number): void;
  release(): void;
}

/** For what has to be whole in memory: two of the largest at once would end the isolate, and every request in it. */
export function createHold(): Hold {
  let own = 0;
  return {
    grow(bytes) {
      const others = held - own;
      if (others > 0 && bytes > SMALL_BYTES && others + bytes > MOST_BYTES)
        throw new AppError(
          "unavailable",
          "BUSY",
          "Another large body is being read here; send this one again in a moment.",
          { retryAfter: RETRY_AFTER_SECONDS },
        );
      held += bytes - own;
      own = bytes;
    },
    release() {
      held -= own;
      own = 0;
    },
  };
}
