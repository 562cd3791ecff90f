import type { TimedPart } from "./part.ts";

export interface Calendar extends TimedPart {
  /** Does what is due, and waits for what is due next. */
  look(): void;
  close(): void;
}

/** What a part does by itself as time goes on. */
export interface Duties {
  /** In milliseconds; Infinity while nothing is. */
  nextDueAt(): number;
  /** Does all that is due; what it changes may ask to look again. */
  act(): void;
  /** What was begun and has not ended. */
  isUnderWay(): boolean;
}

// setTimeout's longest delay is 2^31-1 ms.
const LONGEST_TIMER_MS = 2_000_000_000;

/** Sees to it that duties are done when they are due, on the stack's clock. */
export function createCalendar({ nextDueAt, act, isUnderWay }: Duties): Calendar {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLooking = false;
  let isClosed = false;

  /** What it does changes things, which asks it to look again: it does so once, at the end. */
  function look(): void {
    if (isLooking || isClosed) return;
    isLooking = true;
    try {
      act();
    } finally {
      isLooking = false;
    }
    clearTimeout(timer);
    const next = nextDueAt();
    if (next !== Infinity)
      timer = setTimeout(look, Math.min(Math.max(0, next - Date.now()), LONGEST_TIMER_MS));
  }

  return {
    nextDueAt() {
      const next = nextDueAt();
      return next === Infinity ? null : new Date(next);
    },
    busy: () => isUnderWay() || nextDueAt() <= Date.now(),
    look,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
