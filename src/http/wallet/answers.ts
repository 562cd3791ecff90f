import {
  decodePaymentRequiredHeader,
  encodePaymentRequiredHeader,
  encodePaymentResponseHeader,
} from "@x402/core/http";
import type {
  HTTPProcessResult,
  HTTPRequestContext,
  x402HTTPResourceServer,
} from "@x402/core/server";
import type { KeptAnswer } from "#src/domain/billing/wallet/claims.ts";
import { PAYMENT_NETWORK, type PaidCall } from "#src/domain/billing/wallet/prices.ts";
import { type Paid, signReceipt } from "#src/domain/billing/wallet/receipts.ts";
import type { Deps } from "#src/deps.ts";

type Refusal = Extract<HTTPProcessResult, { type: "payment-error" }>;

/** The protocol's name of it; what it says is shown as the body too, for people and for `curl`. */
const REQUIRED = "PAYMENT-REQUIRED";

/** 402 with what is asked for; `reason` is why the payment that came does not do. */
export async function askForPayment(
  offered: x402HTTPResourceServer,
  context: HTTPRequestContext,
  reason: string | null,
): Promise<Refusal> {
  const asked = await offered.processHTTPRequest(
    plainly(context, context.path, { withoutPayment: true }),
  );
  if (asked.type !== "payment-error") throw new Error(`an unpaid request is ${asked.type}`);
  return withBody(asked, reason);
}

/** The refusal with its header's content as its body. */
export function withBody<R extends HTTPProcessResult>(result: R, reason: string | null = null): R {
  if (result.type !== "payment-error") return result;
  const header = result.response.headers[REQUIRED];
  if (header === undefined) return result;
  const required = decodePaymentRequiredHeader(header);
  if (reason !== null) required.error = reason;
  const headers = {
    ...result.response.headers,
    [REQUIRED]: encodePaymentRequiredHeader(required),
    "Content-Type": "application/json",
  };
  return { ...result, response: { status: 402, headers, body: required } };
}

/**
 * The request as the package is shown it: by the path that it knows, however the caller spelled it, and as a program's,
 * since its page for browsers tells developers to install another package.
 */
export function plainly(
  context: HTTPRequestContext,
  path: string,
  { withoutPayment = false } = {},
): HTTPRequestContext {
  const adapter = Object.create(context.adapter, {
    getAcceptHeader: { value: () => "application/json" },
    ...(withoutPayment ? { getHeader: { value: () => undefined } } : {}),
  }) as HTTPRequestContext["adapter"];
  return { ...context, adapter, path, decodedPath: path };
}

/** The answer once more, with the receipt of the payment that bought it. */
export const answerAgain = async (
  deps: Deps,
  call: PaidCall,
  { status, body, ...paid }: KeptAnswer,
): Promise<Refusal> => ({
  type: "payment-error",
  response: {
    status,
    headers: { ...(await receipt(deps, { call, ...paid })), "Cache-Control": "private" },
    body: JSON.parse(body) as unknown,
  },
});

/** The protocol's receipt of a payment that was carried out, and our signature of it. */
export const receipt = async (deps: Deps, paid: Paid): Promise<Record<string, string>> => ({
  "PAYMENT-RESPONSE": encodePaymentResponseHeader({
    success: true,
    payer: paid.payer,
    transaction: paid.transaction ?? "",
    network: PAYMENT_NETWORK,
    extensions: { "offer-receipt": { info: { receipt: await signReceipt(deps, paid) } } },
  }),
});
