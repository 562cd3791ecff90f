import {
  FacilitatorResponseError,
  type HTTPProcessResult,
  type HTTPRequestContext,
  type HTTPTransportContext,
  type x402HTTPResourceServer,
} from "@x402/core/server";
import { AppError } from "#src/errors.ts";
import {
  chargeFor,
  type Claim,
  claimPayment,
  findAnswer,
  type Question,
  releaseClaim,
} from "#src/domain/billing/wallet/claims.ts";
import type { PaidCall } from "#src/domain/billing/wallet/prices.ts";
import { readPaymentHeader, type SignedPayment } from "#src/domain/billing/wallet/read-payment.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { readCapped, replaceBody } from "../body.ts";
import type { AppContext } from "../context.ts";
import { answerAgain, askForPayment, plainly, receipt, withBody } from "./answers.ts";
import { countUncharged, countUnpaid, refuseWhenOver } from "./quotas.ts";

/** One request at one paid operation, as the protocol's middleware sees it: a resource server that remembers. */
export interface Sale {
  server: x402HTTPResourceServer;
  /** The verified payment that this request works for; null before, and for a caller that has not paid. */
  claim(): Claim | null;
  /** Throws what the middleware has no words for; it answered with something of its own in its place. */
  throwTrouble(): void;
}

export function openSale(
  c: AppContext,
  offered: x402HTTPResourceServer,
  { call, path, bodyLimit }: { call: PaidCall; path: string; bodyLimit: number },
): Sale {
  const deps = c.get("deps");
  let claim: Claim | null = null;
  let trouble: { error: unknown } | null = null;

  /** The middleware takes any other error for a refusal of the payment, or for a defect that it logs itself. */
  async function attempt<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      trouble ??= { error: error instanceof FacilitatorResponseError ? facilitatorDown() : error };
      throw new FacilitatorResponseError("see throwTrouble");
    }
  }

  async function sell(context: HTTPRequestContext): Promise<HTTPProcessResult> {
    const header = context.adapter.getHeader("payment-signature");
    const signed = header === undefined ? null : await readPaymentHeader(header);
    await refuseWhenOver(c, signed?.payer ?? null);
    if (signed === null) {
      await countUnpaid(c);
      return askForPayment(offered, context, header === undefined ? null : "invalid_payment");
    }
    const body = await readCapped(c.req.raw, bodyLimit);
    replaceBody(c, body);
    const question = { call, bodyHash: await sha256Hex(body) };
    return (await recall(context, signed, question)) ?? (await verify(context, signed, question));
  }

  /** What is known of the payment already; null when it is new. */
  async function recall(
    context: HTTPRequestContext,
    signed: SignedPayment,
    question: Question,
  ): Promise<HTTPProcessResult | null> {
    const known = await findAnswer(deps, signed, question);
    switch (known.kind) {
      case "new":
        return null;
      case "answer":
        return answerAgain(deps, question.call, known.answer);
      case "refused":
        return askForPayment(offered, context, known.reason);
      case "pending":
        throw settlementPending();
    }
  }

  async function verify(
    context: HTTPRequestContext,
    signed: SignedPayment,
    question: Question,
  ): Promise<HTTPProcessResult> {
    const result = await offered.processHTTPRequest(context);
    if (result.type === "no-payment-required") throw new Error("a paid call was not recognised");
    // Refused as used: the same payment may have bought its answer while this request was on its way.
    const again = () => recall(context, signed, question);
    if (result.type === "payment-error") {
      const known = await again();
      if (known === null) await countUnpaid(c);
      return known ?? withBody(result);
    }
    const mine = await claimPayment(deps, signed, question, result.paymentRequirements);
    if (mine === null)
      return (await again()) ?? askForPayment(offered, context, "payment_already_in_use");
    claim = mine;
    return { ...result, cancellationDispatcher: { cancel: () => releaseClaim(deps, mine) } };
  }

  async function settle(transport: HTTPTransportContext) {
    const body = new TextDecoder().decode(transport.responseBody);
    const settlement = await chargeFor(deps, claim!, { status: 200, body });
    switch (settlement.kind) {
      case "settled":
        return { success: true, headers: await receiptOf(settlement.transaction) };
      case "refused": {
        // Its work was done, and its payment may come again as often as it likes.
        await countUncharged(c, claim!.payer);
        const refusal = await askForPayment(offered, transport.request, settlement.reason);
        return { success: false, response: refusal.response };
      }
      case "unknown":
        throw settlementPending();
    }
  }

  const receiptOf = (transaction: string | null) =>
    receipt(deps, { call, payer: claim!.payer, transaction, at: deps.clock.now() });

  const server = Object.create(offered, {
    // Without its extensions: for those the middleware would load a package that is not there.
    routes: { value: { accepts: [] } },
    requiresPayment: { value: () => true },
    processHTTPRequest: {
      value: (context: HTTPRequestContext) => attempt(sell(plainly(context, path))),
    },
    processSettlement: {
      value: (...[, , , transport]: Parameters<typeof offered.processSettlement>) =>
        attempt(settle({ ...transport!, request: plainly(transport!.request, path) })),
    },
  }) as x402HTTPResourceServer;
  return {
    server,
    claim: () => claim,
    throwTrouble() {
      if (trouble !== null) throw trouble.error;
    },
  };
}

const settlementPending = () =>
  new AppError(
    "unavailable",
    "SETTLEMENT_PENDING",
    "Whether the payment was carried out is not known yet. Send the same request with the same payment again: you get the answer, and are charged once.",
    { retryAfter: 3 },
  );

const facilitatorDown = () =>
  new AppError(
    "unavailable",
    "UPSTREAM_ERROR",
    "Payments cannot be checked at the moment. Nothing was charged; try again with the same payment.",
    { retryAfter: 5 },
  );
