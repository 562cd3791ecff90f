import { z } from "zod";

const content = z
  .union([z.string(), z.array(z.object({ type: z.literal("text"), text: z.string() }))])
  .transform((parts) =>
    typeof parts === "string" ? parts : parts.map(({ text }) => text).join(""),
  );

const responseFormat = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text") }),
  z.object({ type: z.literal("json_object") }),
  z.object({
    type: z.literal("json_schema"),
    json_schema: z.object({
      name: z.string().regex(/^[\w-]{1,64}$/),
      strict: z.boolean().nullish(),
      schema: z.record(z.string(), z.unknown()),
    }),
  }),
]);

/** POST /v1/chat/completions, as far as it is understood; other fields are let pass. */
export const chatBody = z.object({
  model: z.string(),
  messages: z
    .array(z.object({ role: z.enum(["system", "developer", "user", "assistant"]), content }))
    .min(1),
  temperature: z.number().min(0).max(2).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  response_format: responseFormat.nullish(),
  n: z.literal(1).nullish(),
  stream: z.literal(false).nullish(),
});
export type ChatBody = z.output<typeof chatBody>;

/** An answer that is an error, in OpenAI's shape. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;
  constructor(
    status: number,
    message: string,
    { code = null, param = null }: { code?: string | null; param?: string | null } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
  }

  body(): unknown {
    const type = TYPES[this.status] ?? "invalid_request_error";
    return { error: { message: this.message, type, param: this.param, code: this.code } };
  }
}

const TYPES: Record<number, string> = { 429: "requests", 500: "server_error", 503: "server_error" };

export function readBody(text: string): ChatBody {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Refusal(400, "We could not parse the JSON body of your request.");
  }
  const parsed = chatBody.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const param = issue!.path.join(".");
    throw new Refusal(400, `Invalid value for '${param}': ${issue!.message}`, {
      code: "invalid_value",
      param,
    });
  }
  checkFormat(parsed.data);
  return parsed.data;
}

/** What OpenAI asks of a format: strict schemas are closed, and `json_object` wants the word in the messages. */
function checkFormat({ response_format: format, messages }: ChatBody): void {
  if (format?.type === "json_object" && !messages.some((each) => /json/i.test(each.content)))
    throw new Refusal(
      400,
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      { param: "messages" },
    );
  if (format?.type !== "json_schema" || format.json_schema.strict !== true) return;
  const fault = openPlace(format.json_schema.schema, []);
  if (fault !== null)
    throw new Refusal(400, `Invalid schema for response_format: ${fault}`, {
      code: "invalid_json_schema",
      param: "response_format",
    });
}

const schemaShape = z.looseObject({
  type: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
});

/** Where a strict schema is not closed, in words. */
function openPlace(schema: unknown, path: string[]): string | null {
  const { type, properties, required, additionalProperties, items } = schemaShape.parse(schema);
  if (path.length === 0 && type !== "object") return "the root must be an object";
  if (type === "array") return items === undefined ? null : openPlace(items, [...path, "items"]);
  if (type !== "object") return null;
  const place = `in context=(${path.join(", ")})`;
  if (additionalProperties !== false) return `${place}, 'additionalProperties' must be false`;
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (!required.includes(key)) return `${place}, 'required' must include '${key}'`;
    const inner = openPlace(value, [...path, key]);
    if (inner !== null) return inner;
  }
  return null;
}
