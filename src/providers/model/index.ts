/**
 * A language model behind an OpenAI-compatible chat completions endpoint: OpenAI, OpenRouter, the
 * compatible endpoints of Anthropic and Gemini, Workers AI, vLLM, Ollama, and the local stack's composer.
 */
export interface ChatModel {
  /** The model that is asked for, as the endpoint calls it. */
  readonly name: string;
  /** What the deployment asks every text with; part of what a text's version is told by. */
  readonly parameters: ChatParameters;
  /** One attempt. Never throws for what endpoint and line do; the signal ends it early. */
  complete(request: ChatRequest, signal: AbortSignal): Promise<ChatAnswer>;
}

export interface ChatParameters {
  /** 0 to 2; null leaves it to the endpoint, because some models refuse the field. */
  temperature: number | null;
  /** Of the answer. */
  maxTokens: number;
}

export interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface ChatRequest extends ChatParameters {
  messages: readonly ChatMessage[];
  /** The answer's shape as JSON schema, without lengths and bounds: the asker checks those himself. */
  schema: { name: string; schema: Record<string, unknown> };
}

export interface ModelUsage {
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number;
  /** In millionths of a US dollar, by the configured prices; null where none are. */
  costMicros: number | null;
}

export type ChatAnswer =
  /** `text` is what the model wrote, which need not be what was asked for. `model` is who the endpoint says wrote it. */
  | { kind: "answered"; text: string; ended: ChatEnd; model: string; usage: ModelUsage }
  | {
      kind: "failed";
      reason: ModelFailure;
      /** For the log and the status page: never quotes what was asked or written. */
      detail: string;
      /** From when it may be asked again, where it says so. */
      retryAfterSeconds?: number;
    };

/** Why the model stopped: it was done, it ran out of tokens, or it would not. */
export type ChatEnd = "done" | "truncated" | "refused";

export type ModelFailure =
  /** No connection, a server error, or a connection that broke. */
  | "unavailable"
  | "timeout"
  | "rate_limited"
  /** Key, plan, model name or request are not accepted: it will not pass by itself. */
  | "refused"
  /** An answer of another shape than chat completions. */
  | "unreadable";
