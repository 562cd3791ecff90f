import * as z from "zod";
import { namesParameter } from "./names.ts";
import type { Said } from "./openapi/route.ts";

/**
 * `?fields=` of version 2: the answer with these of its fields alone, of a list each of its items. What `?include=` names
 * is answered besides.
 */

interface Answering extends Pick<Said, "method" | "access" | "response" | "responseType"> {
  includes?: Said["includes"];
}

/** The fields that can be asked for; none where the answer is no record and no list of records, or of another media type. */
export function fieldsOf({ method, access, response, responseType }: Answering): string[] {
  if (method !== "get" || (access ?? "workspace") !== "workspace" || responseType !== undefined)
    return [];
  return Object.keys(recordIn(response)?.shape ?? {});
}

/** The schema of a record, or of each in a list or a page. */
function recordIn(response: z.ZodType): z.ZodObject | undefined {
  if (response instanceof z.ZodArray) return recordIn(response.element as z.ZodType);
  if (!(response instanceof z.ZodObject)) return undefined;
  const { items } = response.shape as { items?: z.ZodType };
  return items instanceof z.ZodArray ? recordIn(items) : response;
}

const MOST_FIELDS = 500;

export const FIELDS =
  "Of the answer, or of each item of a list, these fields alone, separated by commas. What is included comes besides.";

/** The query with `fields`, where there are any to ask for. */
export function withFields<Q extends z.ZodObject | undefined>(
  names: readonly string[],
  query: Q,
): Q | z.ZodObject {
  if (names.length === 0) return query;
  return z.object({
    ...query?.shape,
    fields: namesParameter(names, "asked for", FIELDS, MOST_FIELDS),
  });
}

type Body = Record<string, unknown>;

/** The answer with what was asked for, or as it is where nothing was. */
export function choose(
  answer: object,
  asked: ReadonlySet<string> | undefined,
  include: ReadonlySet<string>,
): object {
  if (asked === undefined) return answer;
  const wanted = new Set([...asked, ...include]);
  const of = (body: Body) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => wanted.has(name)));
  if (Array.isArray(answer)) return answer.map(of);
  const { items } = answer as { items?: unknown };
  return Array.isArray(items) ? { ...answer, items: items.map(of) } : of(answer as Body);
}
