import type { ChatMessage, ChatRequest } from "./index.ts";

/** How the answer's shape is asked for, from the strictest to what every model takes. */
const MODES = ["json_schema", "json_object", "prompt"] as const;
export type JsonMode = (typeof MODES)[number];

/** What to try when an endpoint refuses this one. */
export const nextMode = (mode: JsonMode): JsonMode | null => MODES[MODES.indexOf(mode) + 1] ?? null;

export function requestBody(
  model: { name: string; tokensField: "max_tokens" | "max_completion_tokens" },
  { messages, schema, temperature, maxTokens }: ChatRequest,
  mode: JsonMode,
): string {
  return JSON.stringify({
    model: model.name,
    messages: mode === "json_schema" ? messages : withSchema(messages, schema.schema),
    ...(temperature === null ? {} : { temperature }),
    [model.tokensField]: maxTokens,
    ...responseFormat(mode, schema),
  });
}

function responseFormat(mode: JsonMode, { name, schema }: ChatRequest["schema"]): object {
  switch (mode) {
    case "json_schema":
      return {
        response_format: { type: mode, json_schema: { name, strict: true, schema } },
      };
    case "json_object":
      return { response_format: { type: mode } };
    case "prompt":
      return {};
  }
}

/** Without a schema on the wire the model is told it, after its instructions: some take one system message only. */
function withSchema(messages: readonly ChatMessage[], schema: object): ChatMessage[] {
  const shape = `Answer with one JSON object and nothing else. It follows this JSON schema:\n${JSON.stringify(schema)}`;
  const [first, ...rest] = messages;
  return first?.role === "system"
    ? [{ role: "system", content: `${first.content}\n\n${shape}` }, ...rest]
    : [{ role: "system", content: shape }, ...messages];
}
