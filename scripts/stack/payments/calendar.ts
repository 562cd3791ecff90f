import { type Calendar, createCalendar } from "../calendar.ts";
import { now, type State } from "./books.ts";
import { expireCheckout } from "./checkouts.ts";
import type { Deliveries } from "./deliveries.ts";
import { settle } from "./paying.ts";

/** What happens by itself: sessions expire, banks settle, events go out. */
export function paymentsCalendar(state: State, deliveries: Deliveries): Calendar {
  const { books } = state;
  const openCheckouts = () => books.checkouts.values().filter(({ status }) => status === "open");
  const unsettled = () => books.payments.values().filter(({ settlesAt }) => settlesAt !== null);
  return createCalendar({
    nextDueAt: () =>
      Math.min(
        ...openCheckouts().map(({ expiresAt }) => expiresAt * 1000),
        ...unsettled().map(({ settlesAt }) => (settlesAt ?? Infinity) * 1000),
        deliveries.nextDueAt() ?? Infinity,
      ),
    act() {
      for (const checkout of openCheckouts()) {
        if (checkout.expiresAt <= now()) expireCheckout(state, checkout);
      }
      for (const { checkout, settlesAt } of unsettled()) {
        if ((settlesAt ?? Infinity) > now()) continue;
        settle(state, checkout, "succeeded");
      }
      deliveries.pump();
    },
    isUnderWay: deliveries.isUnderWay,
  });
}
