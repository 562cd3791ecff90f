import * as z from "zod";
import { PAID_CALLS, type PaidCall } from "#src/domain/billing/wallet/prices.ts";

export interface Discoverable {
  call: PaidCall;
  body: z.ZodType;
  response: z.ZodType;
  /** A request and its answer, as a catalogue shows them. */
  example: { body: unknown; response: unknown };
}

/**
 * What a catalogue of paid services reads: the protocol's `bazaar` extension of an operation that takes JSON. The
 * official package makes the same and brings a schema compiler along, which Workers forbid; a test holds this to its
 * validator.
 */
export function discoveryOf({
  call,
  body,
  response,
  example,
}: Discoverable): Record<string, unknown> {
  const schemaOf = (schema: z.ZodType, io: "input" | "output") => {
    const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
    return json;
  };
  const input = {
    type: { type: "string", const: "http" },
    method: { type: "string", enum: ["POST"] },
    bodyType: { type: "string", enum: ["json", "form-data", "text"] },
    body: schemaOf(body, "input"),
  };
  const output = { type: { type: "string" }, example: schemaOf(response, "output") };
  return {
    bazaar: {
      info: {
        input: { type: "http", method: "POST", bodyType: "json", body: example.body },
        output: { type: "json", example: example.response },
        timeout_seconds: PAID_CALLS[call].seconds,
      },
      schema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: {
          input: {
            type: "object",
            properties: input,
            required: ["type", "method", "bodyType", "body"],
            additionalProperties: false,
          },
          output: { type: "object", properties: output, required: ["type"] },
          timeout_seconds: { type: "integer" },
        },
        required: ["input"],
      },
    },
  };
}
