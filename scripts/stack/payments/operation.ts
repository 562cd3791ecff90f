import type { z } from "zod";
import type { Books, State } from "./books.ts";
import { noSuch } from "./errors.ts";
import type { Cause } from "./model.ts";
import { parameters } from "./parameters.ts";

export interface Asked<Parameters> {
  state: State;
  given: Parameters;
  /** The id in the path, if the path has one. */
  id: string;
  cause: Cause;
}

export interface Operation {
  method: "GET" | "POST";
  /** Captures the id. */
  path: RegExp;
  schema: z.ZodType<{ expand?: string[] | undefined }>;
  run(asked: Asked<unknown>): object;
}

const ID = "([A-Za-z0-9_]{1,255})";

/** Declares one, with the types of its parameters. */
export function operation<Schema extends z.ZodType<{ expand?: string[] | undefined }>>(
  method: Operation["method"],
  path: string,
  schema: Schema,
  run: (asked: Asked<z.infer<Schema>>) => object,
): Operation {
  const pattern = new RegExp(`^/v1/${path.replace(":id", ID)}$`);
  return { method, path: pattern, schema, run: run as Operation["run"] };
}

export const nothing = parameters({});

/** A record of the books by its id, or Stripe's 404. */
export function find<Name extends Exclude<keyof Books, "close" | "answers">>(
  { books }: State,
  name: Name,
  words: string,
  id: string,
  param: string,
) {
  const found = books[name].get(id);
  if (found === undefined) throw noSuch(words, id, param);
  return found as NonNullable<ReturnType<Books[Name]["get"]>>;
}
