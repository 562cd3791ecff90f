import * as z from "zod";
import type { CheckoutSession, PaymentEvent, Reversal } from "./index.ts";

/** What we read of Stripe's objects (https://docs.stripe.com/api), in answers and in events alike. */

const id = z.string().min(1).max(255);
/** An id, or the whole object where it was expanded. */
const reference = z.union([id, z.object({ id }).transform((object) => object.id)]);
const optionalReference = reference.nullish().transform((value) => value ?? null);
const cents = z.int().min(0);
const currency = z.string().transform((code) => code.toLowerCase());
const metadata = z.record(z.string(), z.string()).nullish();
/** An order's id as this service wrote it; null where another program wrote other metadata. */
export const orderId = z
  .uuid()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

const Session = z.object({
  id,
  url: z.string().nullish(),
  status: z.enum(["open", "complete", "expired"]),
  payment_status: z.enum(["paid", "unpaid", "no_payment_required"]),
  client_reference_id: orderId,
  metadata,
  amount_total: cents.nullish(),
  currency: currency.nullish(),
  payment_intent: optionalReference,
});

const STATE = { open: "open", complete: "processing", expired: "expired" } as const;

export const session = Session.transform((read): CheckoutSession => ({
  id: read.id,
  url: read.url ?? null,
  // A session is complete before its money is there: `payment_status` alone says that it is.
  state: read.payment_status === "unpaid" ? STATE[read.status] : "paid",
  orderId: read.client_reference_id,
  packId: read.metadata?.["pack_id"] ?? null,
  amountCents: read.amount_total ?? null,
  currency: read.currency ?? null,
  paymentId: read.payment_intent,
}));

/** Of refunds and disputes alike. */
const reversed = { id, payment_intent: optionalReference, amount: cents, currency };
const Refund = z.object({ ...reversed, status: z.string().nullish() });
const Dispute = z.object({ ...reversed, balance_transactions: z.array(z.unknown()).nullish() });

type Reversed = z.output<typeof Refund>;
const toReversal = (kind: Reversal["kind"], read: Reversed, standing: boolean): Reversal => ({
  id: read.id,
  kind,
  amountCents: read.amount,
  currency: read.currency,
  standing,
});

const isStanding = ({ status }: Reversed) => status !== "failed" && status !== "canceled";

export const refund = Refund.transform((read) => toReversal("refund", read, isStanding(read)));

/** Null while no money was withdrawn; a second transaction gives it back ("zero, one, or two"). */
export const dispute = Dispute.transform((read) => {
  const transactions = read.balance_transactions?.length ?? 0;
  return transactions === 0 ? null : toReversal("dispute", read, transactions === 1);
});

export const paymentIntent = z.object({ id, status: z.string(), metadata });

export const event = z.object({
  id,
  type: z.string().max(255),
  data: z.object({ object: z.unknown() }),
});

type About<Kind> = Kind extends unknown ? Omit<Kind, "id" | "type"> : never;
type Told = About<PaymentEvent>;

const told =
  <Read>(schema: z.ZodType<Read>, tell: (read: Read) => Told) =>
  (object: unknown): Told =>
    tell(schema.parse(object));

const aboutSession = (tell: (read: CheckoutSession) => CheckoutSession = (read) => read) =>
  told(session, (read) => ({ about: "session", session: tell(read) }));

const aboutReversal = <Read extends Reversed>(
  schema: z.ZodType<Read>,
  kind: Reversal["kind"],
  standing: (read: Read) => boolean,
) =>
  told(schema, (read) =>
    read.payment_intent === null
      ? { about: "nothing" }
      : {
          about: "reversal",
          paymentId: read.payment_intent,
          reversal: toReversal(kind, read, standing(read)),
        },
  );

const aRefund = aboutReversal(Refund, "refund", isStanding);

/** What each type of event tells us; the others tell nothing. */
export const TOLD: Record<string, (object: unknown) => Told> = {
  "checkout.session.completed": aboutSession(),
  "checkout.session.async_payment_succeeded": aboutSession(),
  "checkout.session.async_payment_failed": aboutSession((read) => ({ ...read, state: "failed" })),
  "checkout.session.expired": aboutSession(),
  "refund.created": aRefund,
  "refund.updated": aRefund,
  "refund.failed": aboutReversal(Refund, "refund", () => false),
  // It has the sum of the refunds, and not the refunds.
  "charge.refunded": told(z.object({ payment_intent: optionalReference }), (read) =>
    read.payment_intent === null
      ? { about: "nothing" }
      : { about: "payment", paymentId: read.payment_intent },
  ),
  "charge.dispute.funds_withdrawn": aboutReversal(Dispute, "dispute", () => true),
  "charge.dispute.funds_reinstated": aboutReversal(Dispute, "dispute", () => false),
};
