import { readBoundedText } from "#src/platform/bounded-text.ts";
import type { Clock } from "#src/platform/index.ts";
import { failureOf, isFormatRefusal, type Reply } from "./endpoint-failure.ts";
import type { ChatAnswer, ChatModel, ChatParameters, ChatRequest } from "./index.ts";
import { type Prices, readCompletion } from "./read-completion.ts";
import { type JsonMode, nextMode, requestBody } from "./request-body.ts";

export interface ChatModelSettings {
  /** Where `/chat/completions` is, usually ending in /v1. */
  baseUrl: string;
  name: string;
  /** Null where the endpoint asks for none. */
  key: string | null;
  jsonMode: JsonMode;
  tokensField: "max_tokens" | "max_completion_tokens";
  parameters: ChatParameters;
  prices: Prices | null;
}

/** A text is 10 kB; some endpoints send what the model thought along. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** A model that takes longer is as good as down, however long the caller would wait. */
const TIMEOUT_MS = 60_000;

/** https://platform.openai.com/docs/api-reference/chat/create, as far as the many endpoints that speak it agree. */
export function createChatModel(
  settings: ChatModelSettings,
  fetch: typeof globalThis.fetch,
  clock: Pick<Clock, "now">,
): ChatModel {
  const { name, parameters } = settings;
  /** What the endpoint was last seen to take; as long as this isolate lives. */
  let mode = settings.jsonMode;

  async function complete(request: ChatRequest, signal: AbortSignal): Promise<ChatAnswer> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    let asked: JsonMode | null = mode;
    let first: ChatAnswer | null = null;
    while (asked !== null) {
      const reply = await post(settings, fetch, requestBody(settings, request, asked), limited);
      if ("reason" in reply) return { kind: "failed", ...reply };
      const answer =
        reply.status === 200
          ? readCompletion(settings, reply)
          : failureOf(reply, { name, now: clock.now() });
      // A refusal's words differ from endpoint to endpoint: what tells is that the same is taken in another form.
      if (!isFormatRefusal(reply)) {
        if (answer.kind === "answered") mode = asked;
        return answer;
      }
      first ??= answer;
      asked = nextMode(asked);
    }
    return first!;
  }

  return { name, parameters, complete };
}

interface Lost {
  reason: "timeout" | "unavailable";
  detail: string;
}

async function post(
  { baseUrl, key }: ChatModelSettings,
  fetch: typeof globalThis.fetch,
  body: string,
  signal: AbortSignal,
): Promise<Reply | Lost> {
  try {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body,
      // The key goes nowhere else.
      redirect: "manual",
      signal,
    });
    const { status, headers } = response;
    return { status, headers, text: await readBoundedText(response, MAX_ANSWER_BYTES) };
  } catch {
    return signal.aborted
      ? { reason: "timeout", detail: "no answer in time" }
      : { reason: "unavailable", detail: "no connection, or one that broke" };
  }
}
