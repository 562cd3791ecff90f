import type * as z from "zod";
import { parseJson, readJsonText } from "./body.ts";
import type { Access, AppContext } from "./context.ts";
import { writeValidation } from "./errors.ts";

interface Schemas {
  access: Access;
  params?: z.ZodType | undefined;
  query?: z.ZodType | undefined;
  body?: z.ZodType | undefined;
  bodyLimit: number;
}

interface Read {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

/** Query, path and body, parsed by their schemas in this order; or the 422 of the first that does not fit. A body that is no JSON is refused before all of them. */
export async function readRequest(c: AppContext, schemas: Schemas): Promise<Read | Response> {
  const body = schemas.body === undefined ? undefined : await readBody(c, schemas);
  if (body instanceof Response) return body;
  const query = schemas.query?.safeParse(queryOf(c));
  if (query?.success === false) return refuse(c, "query", query.error);
  const params = schemas.params?.safeParse(c.req.param());
  if (params?.success === false) return refuse(c, "path", params.error);
  const parsed = schemas.body?.safeParse(body);
  if (parsed?.success === false) return refuse(c, "body", parsed.error);
  return { query: query?.data, params: params?.data, body: parsed?.data };
}

/** 400 for what is not JSON; of a paid call 422, like all else that is wrong with what it was paid for. */
async function readBody(c: AppContext, { access, bodyLimit }: Schemas): Promise<unknown> {
  const text = await readJsonText(c.req.raw, bodyLimit);
  try {
    return parseJson(text);
  } catch (error) {
    if (access !== "wallet") throw error;
    const { message: msg } = error as Error;
    return writeValidation(c, [{ loc: ["body"], msg, type: "invalid_json" }]);
  }
}

/** A name that is given once is its text, one that is given again a list. */
function queryOf(c: AppContext): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, values]) => [
      name,
      values.length === 1 ? values[0]! : values,
    ]),
  );
}

/** The 422 that says what is wrong with a part of the request. */
export const refuse = (
  c: AppContext,
  part: "query" | "path" | "body",
  { issues }: z.ZodError,
): Response =>
  writeValidation(
    c,
    issues.map(({ path, message, code }) => ({
      loc: [part, ...path.map(String)],
      msg: message,
      type: code ?? "custom",
    })),
  );
