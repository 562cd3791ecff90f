import { sha256 } from "./choose.ts";
import { writeLetter, wrapText } from "./faults.ts";
import { fitSchema, schemaOf } from "./fit-schema.ts";
import { readGiven } from "./given.ts";
import type { ChatBody } from "./request.ts";
import { countPrompt, countTokens, cutToTokens } from "./tokens.ts";

export const COMPOSER = "local-composer-1";

/** A chat completion, the same for the same request but for its time. */
export function complete(body: ChatBody, shown: ReadonlySet<string>, now: Date) {
  const hash = sha256(JSON.stringify(body));
  const limit = body.max_completion_tokens ?? body.max_tokens ?? 16_000;
  const whole = wrapText(answerText(body, shown), shown);
  const isCut = countTokens(whole) > limit;
  const text = isCut ? cutToTokens(whole, limit) : whole;
  const isRefusal = shown.has("refusal");
  const promptTokens = countPrompt(body.messages);
  const completionTokens = countTokens(isRefusal ? REFUSAL : text);
  return {
    id: `chatcmpl-${hash.slice(0, 29)}`,
    object: "chat.completion",
    created: Math.floor(now.getTime() / 1000),
    model: COMPOSER,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: isRefusal ? null : text,
          refusal: isRefusal ? REFUSAL : null,
          annotations: [],
        },
        logprobs: null,
        finish_reason: isCut || shown.has("truncated") ? "length" : "stop",
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
    },
    system_fingerprint: "fp_composer",
  };
}

const REFUSAL = "I'm sorry, but I can't help with that request.";

/** JSON where JSON is asked for, by format or in words; a letter as people read it otherwise. */
function answerText(body: ChatBody, shown: ReadonlySet<string>): string {
  const letter = writeLetter(readGiven(body.messages), shown);
  const schema = schemaOf(body);
  if (schema !== null) return JSON.stringify(fitSchema(schema, letter));
  const wantsJson =
    body.response_format?.type === "json_object" ||
    body.messages.some(({ content }) => /\bJSON\b/.test(content));
  return wantsJson ? JSON.stringify(letter) : `Subject: ${letter.subject}\n\n${letter.body}`;
}

/** The faults in a model's name (`local-composer-1:slow:429`); null where there is no such model. */
export function faultsInName(model: string, known: ReadonlySet<string>): Set<string> | null {
  const [name, ...suffixes] = model.split(":");
  return name === COMPOSER && suffixes.every((each) => known.has(each)) ? new Set(suffixes) : null;
}
