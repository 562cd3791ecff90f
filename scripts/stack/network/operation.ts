import { z } from "zod";
import type { State } from "./books.ts";
import { NetworkRefusal } from "./errors.ts";

export interface Asked {
  state: State;
  /** What the path's `:parts` are. */
  parts: string[];
  query: URLSearchParams;
  /** Of a JSON body. */
  json: unknown;
  /** Of a multipart body. */
  form: FormData | null;
}

export interface Answer {
  status: number;
  body: object;
  /** The answer waits so long, in real time. */
  delayMs?: number;
}

export interface Operation {
  method: string;
  path: RegExp;
  run(asked: Asked): Promise<Answer>;
}

/** `path` is below `/api/v1/`, with `:` for each part that is a name. */
export function operation(
  method: string,
  path: string,
  run: (asked: Asked) => object | Promise<object>,
): Operation {
  const pattern = path.replaceAll(":", "([^/]+)");
  return {
    method,
    path: new RegExp(`^/api/v1/${pattern}/?$`),
    async run(asked) {
      const answer = await run(asked);
      return isAnswer(answer) ? answer : { status: 200, body: answer };
    },
  };
}

const isAnswer = (answer: object): answer is Answer => "status" in answer && "body" in answer;

/** A JSON body of that shape; refused in words that repeat nothing of it. */
export function bodyOf<Output>({ json }: Asked, schema: z.ZodType<Output>): Output {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map(({ path }) => path.join(".") || "the body");
  throw new NetworkRefusal("invalid_parameters", `Invalid: ${[...new Set(where)].join(", ")}.`);
}

export function queryText({ query }: Asked, name: string): string {
  const value = query.get(name);
  if (value === null || value === "")
    throw new NetworkRefusal("missing_parameters", `The parameter ${name} is missing.`);
  return value;
}

/** A field of a multipart body; "" where it is absent. */
export function formText({ form }: Asked, name: string): string {
  if (form === null)
    throw new NetworkRefusal("unsupported_media_type", "A multipart/form-data body is expected.");
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
