import * as z from "zod";
import { errorInside } from "./endpoint-failure.ts";
import type { ChatAnswer, ChatEnd, ModelUsage } from "./index.ts";

/** US dollars for a million tokens, which is millionths of a dollar for one. */
export interface Prices {
  input: number;
  /** Of a token that the endpoint had read before. */
  cached: number;
  output: number;
}

const tokens = z.int().min(0).max(1_000_000_000);
const usageShape = z.object({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  prompt_tokens_details: z.object({ cached_tokens: tokens.nullish() }).nullish().catch(null),
});

/** Mistral's and others' content may be parts. */
const contentShape = z
  .union([z.string(), z.array(z.object({ type: z.string(), text: z.string().optional() }))])
  .nullish()
  .transform((content) =>
    typeof content === "string"
      ? content
      : (content ?? []).map(({ type, text }) => (type === "text" ? (text ?? "") : "")).join(""),
  );

const completion = z.object({
  model: z.string().nullish().catch(null),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: contentShape, refusal: z.string().nullish().catch(null) }),
      }),
    )
    .min(1),
  // The endpoint counts tokens; where it does not, or counts nonsense, its text is taken all the same.
  usage: usageShape.nullish().catch(null),
});

/** What an endpoint answers with status 200. */
export function readCompletion(
  { name, prices }: { name: string; prices: Prices | null },
  { text }: { text: string | null },
): ChatAnswer {
  if (text === null) return unreadable("the answer is too long");
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return unreadable("the answer is no JSON");
  }
  const parsed = completion.safeParse(body);
  if (!parsed.success)
    return errorInside(text) ?? unreadable(`no chat completion: ${placesOf(parsed.error)}`);
  const { choices, model, usage } = parsed.data;
  const { finish_reason: reason, message } = choices[0]!;
  if (reason === "error")
    return { kind: "failed", reason: "unavailable", detail: "the model broke off" };
  return {
    kind: "answered",
    text: message.content,
    ended: endOf(reason, message.refusal),
    model: (model || name).slice(0, 200),
    usage: usageOf(usage, prices),
  };
}

const unreadable = (detail: string): ChatAnswer => ({
  kind: "failed",
  reason: "unreadable",
  detail,
});

/** Where the shape is wrong; what stands there is not told. */
const placesOf = ({ issues }: z.ZodError) =>
  issues
    .slice(0, 5)
    .map(({ path }) => path.join("."))
    .join(", ");

function endOf(reason: string | null | undefined, refusal: string | null | undefined): ChatEnd {
  if (reason === "content_filter" || (refusal ?? "") !== "") return "refused";
  return reason === "length" ? "truncated" : "done";
}

function usageOf(
  usage: z.output<typeof usageShape> | null | undefined,
  prices: Prices | null,
): ModelUsage {
  const promptTokens = usage?.prompt_tokens ?? 0;
  const completionTokens = usage?.completion_tokens ?? 0;
  const cachedTokens = Math.min(usage?.prompt_tokens_details?.cached_tokens ?? 0, promptTokens);
  const costMicros =
    usage == null || prices === null
      ? null
      : Math.round(
          (promptTokens - cachedTokens) * prices.input +
            cachedTokens * prices.cached +
            completionTokens * prices.output,
        );
  return { promptTokens, completionTokens, cachedTokens, costMicros };
}
