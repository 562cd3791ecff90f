import * as z from "zod";
import { readBoundedText } from "#src/platform/bounded-text.ts";
import type { Facilitator, ProtocolObject, SettleAnswer, VerifyAnswer } from "./index.ts";
import { type Answer, isFor, PROTOCOL_REASON, protocolText } from "./answers.ts";
import { readSettled } from "./read-settled.ts";
import { readJson } from "#src/platform/json.ts";

export interface HttpFacilitatorOptions {
  fetch: typeof globalThis.fetch;
  /** Base URL, without a slash at the end. */
  url: string;
  /** What each request carries besides, made anew for each. */
  headersFor?(method: "GET" | "POST", path: string): Promise<Record<string, string>>;
}

/**
 * A settlement waits for a block; the caller's request lasts no longer. A check may take as long: with the
 * reserve for settlement that is the margin which a payment is valid for beyond the handler's seconds.
 */
const VERIFY_MS = 8_000;
const SETTLE_MS = 8_000;
const SUPPORTED_MS = 3_000;
const MAX_ANSWER_BYTES = 64 * 1024;

const verified = z.object({
  isValid: z.boolean(),
  invalidReason: protocolText.nullish(),
  payer: protocolText.nullish(),
});
const supported = z.object({
  kinds: z
    .array(z.object({ x402Version: z.number(), scheme: protocolText, network: protocolText }))
    .max(1_000),
});

/** Any facilitator that speaks the protocol's HTTP API. What it says in an error is never passed on to a buyer. */
export function createHttpFacilitator(options: HttpFacilitatorOptions): Facilitator {
  const { fetch, url } = options;
  const base = new URL(url);

  async function call(method: "GET" | "POST", path: string, ms: number, body?: unknown) {
    const { pathname } = new URL(`${url}/${path}`);
    const response = await fetch(`${base.origin}${pathname}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(await options.headersFor?.(method, pathname)),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "manual",
      signal: AbortSignal.timeout(ms),
    });
    const answer = await readBoundedText(response, MAX_ANSWER_BYTES);
    return { status: response.status, value: answer === null ? undefined : readJson(answer) };
  }
  const order = (paymentPayload: ProtocolObject, paymentRequirements: ProtocolObject) => ({
    x402Version: 2,
    paymentPayload,
    paymentRequirements,
  });

  return {
    async verify(payment, requirements): Promise<VerifyAnswer> {
      try {
        const answer = await call("POST", "verify", VERIFY_MS, order(payment, requirements));
        return readVerified(payment, answer);
      } catch (error) {
        return { kind: "trouble", detail: wordsOf(error) };
      }
    },
    async settle(payment, requirements): Promise<SettleAnswer> {
      try {
        const answer = await call("POST", "settle", SETTLE_MS, order(payment, requirements));
        return readSettled(payment, answer);
      } catch (error) {
        return { kind: "unknown", detail: wordsOf(error) };
      }
    },
    async supports({ scheme, network }) {
      try {
        const { status, value } = await call("GET", "supported", SUPPORTED_MS);
        const parsed = supported.safeParse(value);
        if (status !== 200 || !parsed.success) return null;
        return parsed.data.kinds.some(
          (kind) => kind.x402Version === 2 && kind.scheme === scheme && kind.network === network,
        );
      } catch {
        return null;
      }
    },
  };
}

function readVerified(payment: ProtocolObject, { status, value }: Answer): VerifyAnswer {
  const parsed = verified.safeParse(value);
  if (!parsed.success || (status !== 200 && parsed.data.isValid))
    return { kind: "trouble", detail: `verify answered ${status}` };
  const { isValid, invalidReason, payer } = parsed.data;
  if (!isFor(payment, payer)) return { kind: "trouble", detail: "verify spoke of another payer" };
  if (isValid) return { kind: "valid", payer: payer ?? null };
  // A refusal names its reason; without one, or with a server's error, it is the facilitator that failed.
  return status < 500 && invalidReason && PROTOCOL_REASON.test(invalidReason)
    ? { kind: "invalid", reason: invalidReason }
    : { kind: "trouble", detail: `verify answered ${status}, ${String(invalidReason)}` };
}

const wordsOf = (error: unknown) =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 200);
