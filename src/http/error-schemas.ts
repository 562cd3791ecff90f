import { z } from "@hono/zod-openapi";
import type { Access, Envelope } from "./context.ts";

export const LegacyError = z
  .object({ detail: z.string() })
  .openapi("LegacyError", { description: "Treat `detail` as opaque text." });

export const CodedError = z
  .looseObject({ detail: z.string(), message: z.string() })
  .openapi("CodedError", { description: "`detail` is a stable machine code." });

export const RequestValidationError = z
  .object({
    error: z.literal("Validation Error"),
    details: z.array(z.object({ loc: z.array(z.string()), msg: z.string(), type: z.string() })),
    path: z.string(),
    message: z.literal("Request validation failed"),
  })
  .openapi("RequestValidationError");

/** The other shape in which the specification shows validation failures. */
export const HTTPValidationError = z
  .object({
    detail: z.array(z.object({ loc: z.array(z.string()), msg: z.string(), type: z.string() })),
  })
  .openapi("HTTPValidationError");

const DESCRIPTIONS: Record<number, string> = {
  400: "The body is not valid JSON, or the request cannot be served as it is.",
  402: "Payment required: `PAYMENT-REQUIRED` and the body say what for; `PAYMENT-SIGNATURE` of the next request pays (x402 version 2).",
  401: "The credential is missing, malformed, expired or revoked.",
  403: "Valid credential without permission.",
  404: "Not found, or another workspace's.",
  409: "Conflict with the present state; read it, then decide.",
  413: "The body is too large.",
  415: "The body has another content type than this operation takes.",
  422: "Validation failed.",
  429: "Rate limited; retry after the seconds in Retry-After.",
  500: "A defect on our side.",
  502: "An upstream answered with an error.",
  503: "Temporarily unavailable; retry with exponential backoff.",
  504: "An upstream did not answer in time.",
};

export const PaymentRequired = z
  .looseObject({
    x402Version: z.literal(2),
    error: z.string().optional().describe("Why the payment that came does not do."),
    resource: z.looseObject({ url: z.string() }),
    accepts: z.array(
      z.looseObject({
        scheme: z.string(),
        network: z.string(),
        asset: z.string(),
        amount: z.string().describe("Millionths of a USDC."),
        payTo: z.string(),
        maxTimeoutSeconds: z.int(),
      }),
    ),
  })
  .openapi("PaymentRequired", { description: "What the header `PAYMENT-REQUIRED` says." });

interface ErrorShape {
  envelope: Envelope;
  access: Access;
  hasParams: boolean;
  hasQuery: boolean;
  hasBody: boolean;
  paidPlanOnly: boolean;
  isForm: boolean;
  more: number[];
  refusal?: z.ZodType;
}

/** The error answers an operation documents: those that follow from its shape, and those it names. */
export function errorResponses(shape: ErrorShape) {
  const statuses = new Set<number>([500, ...shape.more]);
  if (shape.access === "wallet") statuses.add(402).add(429).add(503).add(504);
  else if (shape.access !== "public") statuses.add(401).add(429).add(503);
  if (shape.isForm) statuses.add(429);
  if (shape.access === "jwt" || shape.paidPlanOnly) statuses.add(403);
  if (shape.hasParams) statuses.add(404);
  if (shape.hasBody) statuses.add(413).add(415);
  if (shape.hasBody && shape.access !== "wallet") statuses.add(400);
  if (shape.hasBody || shape.hasParams || shape.hasQuery) statuses.add(422);
  return Object.fromEntries(
    [...statuses]
      .sort((a, b) => a - b)
      .map((status) => [
        status,
        {
          description: DESCRIPTIONS[status] ?? "Error",
          content: { "application/json": { schema: schemaOf(status, shape) } },
        },
      ]),
  );
}

function schemaOf(status: number, { envelope, refusal }: ErrorShape): z.ZodType {
  if (status === 402) return PaymentRequired;
  if (status === 413 || status === 415) return LegacyError;
  const own = envelope === "legacy" ? z.union([LegacyError, CodedError]) : CodedError;
  if (status !== 422) return own;
  const shapes = [RequestValidationError, HTTPValidationError, CodedError] as const;
  return z.union(refusal === undefined ? shapes : [...shapes, refusal]);
}
