import * as z from "zod";
import { instant } from "#src/http/fields.ts";

/** The fields of a verdict in answers. */
export const verdictFields = {
  result: z.enum(["valid", "catch_all", "invalid", "unknown"]),
  risk_level: z
    .enum(["safe", "risky", "invalid"])
    .nullable()
    .describe("Null while it is undecided."),
  backend: z.enum(["smtp", "prefilter", "dns", "cache"]).describe("Who knew."),
  valid_format: z.boolean(),
  has_mx: z.boolean().nullable().describe("Null where it was not looked up."),
  is_disposable: z.boolean(),
  is_role: z.boolean(),
  is_catch_all: z.boolean().nullable().describe("Of the domain; null where it is not known."),
  checked_at: instant,
};
