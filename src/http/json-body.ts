import type * as z from "zod";
import { decodeUtf8, notJson, parseJson, readCapped, streamText } from "./body.ts";
import type { AppContext } from "./context.ts";
import { createJsonRowsReader, type JsonRowsLimits } from "./json-rows.ts";
import { refuse } from "./read-request.ts";

/**
 * The JSON body of an operation that takes other media types too, and so reads its body itself:
 * the value, or the 422 that says what is wrong with it. Throws 413, and 400 for what is not JSON.
 */
export async function parseJsonBody<S extends z.ZodType>(
  c: AppContext,
  limit: number,
  schema: S,
): Promise<z.output<S> | Response> {
  const bytes = await readCapped(c.req.raw, limit);
  const parsed = schema.safeParse(parseJson(decodeUtf8(bytes)));
  return parsed.success ? parsed.data : invalidBody(c, parsed.error);
}

/** A JSON body with a list that may be most of it: neither its bytes nor its text are ever there whole. Throws 413, and 400 for what is not JSON. */
export async function readJsonRows(
  request: Request,
  limit: number,
  field: string,
  limits: JsonRowsLimits,
): Promise<unknown> {
  const reader = createJsonRowsReader(field, limits);
  try {
    for await (const text of streamText(request, limit)) reader.push(text);
    return reader.end();
  } catch (error) {
    throw error instanceof SyntaxError ? notJson() : error;
  }
}

/** The 422 that says what is wrong with a body. */
export const invalidBody = (c: AppContext, error: z.ZodError): Response => refuse(c, "body", error);
