import type { TimedPart } from "../part.ts";
import { now, type State } from "./books.ts";
import { expireCheckout } from "./checkouts.ts";
import type { Deliveries } from "./deliveries.ts";
import { nobody } from "./model.ts";
import { settle } from "./paying.ts";

export interface Calendar extends TimedPart {
  /** Does what is due, and waits for what is due next. */
  look(): void;
  close(): void;
}

// setTimeout's longest delay is 2^31-1 ms.
const LONGEST_TIMER_MS = 2_000_000_000;

/** What happens by itself: sessions expire, banks settle, events go out. */
export function createCalendar(state: State, deliveries: Deliveries): Calendar {
  const { books, faults } = state;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLooking = false;
  let isClosed = false;

  const openCheckouts = () => books.checkouts.values().filter(({ status }) => status === "open");
  const unsettled = () => books.payments.values().filter(({ settlesAt }) => settlesAt !== null);

  const nextDueAt = (): number | null => {
    const next = Math.min(
      ...openCheckouts().map(({ expiresAt }) => expiresAt * 1000),
      ...unsettled().map(({ settlesAt }) => (settlesAt ?? Infinity) * 1000),
      deliveries.nextDueAt() ?? Infinity,
    );
    return next === Infinity ? null : next;
  };

  function act(): void {
    for (const checkout of openCheckouts()) {
      if (checkout.expiresAt <= now()) expireCheckout(state, checkout, nobody);
    }
    for (const { checkout, settlesAt } of unsettled()) {
      if ((settlesAt ?? Infinity) > now()) continue;
      settle(state, checkout, faults.take("bank_refuses") ? "failed" : "succeeded");
    }
    deliveries.pump();
  }

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
    if (next !== null) {
      timer = setTimeout(look, Math.min(Math.max(0, next - Date.now()), LONGEST_TIMER_MS));
    }
  }

  return {
    nextDueAt() {
      const next = nextDueAt();
      return next === null ? null : new Date(next);
    },
    busy() {
      const next = nextDueAt();
      return deliveries.isUnderWay() || (next !== null && next <= Date.now());
    },
    look,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
