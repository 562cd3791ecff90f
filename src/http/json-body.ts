import type * as z from "zod";
import { decodeUtf8, parseJson, readCapped } from "./body.ts";
import type { AppContext } from "./context.ts";
import { refuse } from "./read-request.ts";

/**
 * The JSON body of an operation that takes other media types too, and so reads its body itself:
 * the value, or the 422 that says what is wrong with it. Which schema holds may hang on the value. Throws 413, and 400
 * for what is not JSON.
 */
export async function parseJsonBody<S extends z.ZodType>(
  c: AppContext,
  limit: number,
  schema: S | ((sent: unknown) => S),
): Promise<z.output<S> | Response> {
  const bytes = await readCapped(c.req.raw, limit);
  const sent = parseJson(decodeUtf8(bytes));
  const parsed = (typeof schema === "function" ? schema(sent) : schema).safeParse(sent);
  return parsed.success ? parsed.data : invalidBody(c, parsed.error);
}

/** The 422 that says what is wrong with a body. */
export const invalidBody = (c: AppContext, error: z.ZodError): Response => refuse(c, "body", error);
