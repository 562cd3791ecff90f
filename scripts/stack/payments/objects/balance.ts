import type { Stripe } from "stripe";
import type { Books } from "../books.ts";

/** https://docs.stripe.com/api/balance/balance_object; everything is available at once, and no fees are taken. */
export function balance(books: Books): Stripe.Balance {
  const totals = new Map<string, number>();
  const add = (currency: string, amount: number) =>
    totals.set(currency, (totals.get(currency) ?? 0) + amount);
  const currencyOf = (chargeId: string) => books.charges.get(chargeId)?.currency ?? "usd";
  for (const { status, currency, amount } of books.charges.values()) {
    if (status === "succeeded") add(currency, amount);
  }
  for (const { status, charge, amount } of books.refunds.values()) {
    if (status === "succeeded") add(currencyOf(charge), -amount);
  }
  for (const { status, charge, amount } of books.disputes.values()) {
    if (status !== "won") add(currencyOf(charge), -amount);
  }
  const available = [...totals].map(([currency, amount]) => ({ amount, currency }));
  const pending = available.map(({ currency }) => ({ amount: 0, currency }));
  return { object: "balance", available, livemode: false, pending };
}
