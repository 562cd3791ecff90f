import "./openapi/annotate.ts";
import * as z from "zod";
import { namesParameter } from "./names.ts";
import type { Said } from "./openapi/route.ts";

/** What version 2 answers besides where `?include=` names it: its field and that field's schema, of each item of a list. */
export interface IncludesSpec {
  /** What the answer with them is called in the description. */
  as: string;
  fields: Record<string, z.ZodType>;
}

const MOST = 200;

/** The query of version 2, whose `include` is a list of these names. */
export function withInclude({ fields }: IncludesSpec, query: z.ZodObject = z.object({})) {
  const names = Object.keys(fields);
  const said = `What to answer besides, separated by commas: ${names.join(", ")}.`;
  const include = namesParameter(names, "included", said, MOST).openapi({
    example: names.join(","),
  });
  return z.object({ ...query.shape, include });
}

/** The operation as version 2 has it. */
export function inFull(said: Said): Said {
  const { includes, response } = said;
  if (includes === undefined) return said;
  const optional = Object.fromEntries(
    Object.entries(includes.fields).map(([name, field]) => [name, field.optional()]),
  );
  const full = (item: z.ZodType) => (item as z.ZodObject).extend(optional).openapi(includes.as);
  return {
    ...said,
    query: withInclude(includes, said.query),
    response:
      response instanceof z.ZodArray
        ? z.array(full(response.element as z.ZodType))
        : full(response),
  };
}
