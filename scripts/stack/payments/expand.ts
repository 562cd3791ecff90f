import type { State } from "./books.ts";
import { badRequest } from "./errors.ts";
import { page } from "./lists.ts";
import { chargeObject } from "./objects/charge.ts";
import { lineItems } from "./objects/checkout-session.ts";
import { paymentIntent } from "./objects/payment-intent.ts";
import { refundObject } from "./objects/refund.ts";

type Shown = Record<string, unknown>;
type Expand = (state: State, object: Shown) => unknown;

const intent: Expand = ({ books }, { payment_intent: id }) => {
  const found = books.payments.get(String(id));
  return found === undefined ? null : paymentIntent(books, found);
};
const charge =
  (field: string): Expand =>
  ({ books }, object) => {
    const found = books.charges.get(String(object[field]));
    return found === undefined ? null : chargeObject(books, found);
  };
const refunds: Expand = ({ books }, { id }) => {
  const found = books.refunds.values().filter((refund) => refund.charge === id);
  return page(`/v1/charges/${String(id)}/refunds`, found, {}, (each) => refundObject(books, each));
};
const items: Expand = ({ books }, { id }) => {
  const checkout = books.checkouts.get(String(id));
  const rows = checkout === undefined ? [] : lineItems(checkout);
  return {
    object: "list",
    url: `/v1/checkout/sessions/${String(id)}/line_items`,
    has_more: false,
    data: rows,
  };
};

/** What an id, or a part that is left out, can be replaced by, by the object's type. */
const EXPANSIONS: Readonly<Record<string, Record<string, Expand>>> = {
  "checkout.session": { payment_intent: intent, line_items: items },
  payment_intent: { latest_charge: charge("latest_charge") },
  charge: { payment_intent: intent, refunds },
  refund: { payment_intent: intent, charge: charge("charge") },
  dispute: { payment_intent: intent, charge: charge("charge") },
};

/** https://docs.stripe.com/expand */
export function expand(state: State, answer: Shown, paths: string[]): void {
  for (const path of paths) expandPath(state, answer, path.split("."), path);
}

function expandPath(state: State, at: Shown, [name = "", ...rest]: string[], path: string): void {
  if (at["object"] === "list" && name === "data") {
    for (const each of at["data"] as Shown[]) expandPath(state, each, rest, path);
    return;
  }
  const known = EXPANSIONS[String(at["object"])] ?? {};
  const find = Object.hasOwn(known, name) ? known[name] : undefined;
  if (find === undefined) {
    throw badRequest(`This property cannot be expanded (${path}).`, { param: "expand" });
  }
  if (typeof at[name] !== "object" || at[name] === null) at[name] = find(state, at);
  const inner = at[name];
  if (rest.length > 0 && typeof inner === "object" && inner !== null) {
    expandPath(state, inner as Shown, rest, path);
  }
}
