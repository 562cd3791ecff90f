import "./annotate.ts";
import * as z from "zod";

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
