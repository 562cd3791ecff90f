import { fromBase64, toBase64 } from "#src/platform/encoding.ts";
import { readJson } from "#src/platform/json.ts";
import { refusalOf, Refusal, type Reply } from "./api.ts";
import type { Answer, Asker } from "./tool.ts";

/**
 * A call that a wallet pays for, by x402 version 2 over MCP: the payment comes in `_meta`, what is asked for and the
 * receipt go out in the result. Checked, settled and remembered it is by the paid operation of the API itself: nothing is
 * answered before the money has moved, and a settlement in doubt is no 402, since that would be paid twice.
 */

export const PAYMENT_META = "x402/payment";
export const RECEIPT_META = "x402/payment-response";

/** The operation's reason for refusing a payment for which an earlier request is at work: whoever signs another pays twice. */
const AT_WORK = "payment_already_in_use";
const STILL_AT_WORK = {
  code: "SETTLEMENT_PENDING",
  detail:
    "An earlier call with this payment is still at work. Call again with the same payment: you get its answer, and are charged once.",
  retry_after_seconds: 5,
};

const encoder = new TextEncoder();

/** Thrown where the protocol asks for a payment; `required` is its `PaymentRequired`. */
export class PaymentAsked extends Error {
  readonly required: Record<string, unknown>;
  constructor(required: Record<string, unknown>) {
    super("payment required");
    this.required = required;
  }
}

/** What a paid call answered, and the protocol's receipt of its payment. */
export class Bought {
  readonly answer: Answer;
  readonly receipt: unknown;
  constructor(answer: Answer, receipt: unknown) {
    this.answer = answer;
    this.receipt = receipt;
  }
}

/** Buys the call with the payment that came, or asks for one. */
export async function buy({ api, payment }: Asker, call: string, body: unknown): Promise<Bought> {
  const reply = await api.send({
    method: "POST",
    path: `/api/x402/v1/${call}`,
    body,
    ...(payment === undefined ? {} : { headers: { "payment-signature": headerOf(payment) } }),
  });
  if (reply.status === 402) {
    if (reply.body["error"] === AT_WORK) throw new Refusal(STILL_AT_WORK);
    throw new PaymentAsked(reply.body);
  }
  if (reply.status >= 400) throw refusalOf(plain(reply));
  const receipt = reply.headers.get("payment-response");
  // The buyer of an answer is shown the receipt; without one nothing was sold.
  if (receipt === null) throw new Refusal({ code: "NOT_PAID" });
  return new Bought(reply.body, receiptOf(receipt));
}

const headerOf = (payment: unknown) => toBase64(encoder.encode(JSON.stringify(payment)));

const receiptOf = (header: string): unknown =>
  readJson(new TextDecoder().decode(fromBase64(header) ?? undefined));

/** Version 1, which the paid calls speak, says a refusal's code as `detail`. */
function plain({ status, headers, body }: Reply): Reply {
  const { detail, ...rest } = (body ?? {}) as Record<string, unknown>;
  return {
    status,
    headers,
    body: typeof detail === "string" ? { code: detail, ...rest } : { ...rest, reason: detail },
  };
}
