import * as z from "zod";
import type { ChatAnswer, ModelFailure, ModelUsage } from "./index.ts";

type Failed = Extract<ChatAnswer, { kind: "failed" }>;

/** OpenAI's `{error: {message, type, code, param}}`, with what others put there instead. The message may quote the prompt. */
const errorBody = z.object({
  error: z.object({
    code: z.union([z.string(), z.number()]).nullish().catch(null),
    type: z.string().nullish().catch(null),
    param: z.string().nullish().catch(null),
  }),
});
type EndpointError = z.output<typeof errorBody>["error"];

/** Statuses by which a request in a form that the endpoint does not know is refused. */
const FORM_REFUSED = new Set([400, 422]);
/** It would not write about this; that says nothing about the endpoint. */
const WOULD_NOT = new Set(["content_filter", "content_policy_violation"]);
/** A bill that is not paid, which OpenAI tells as 429. */
const NO_MONEY = new Set(["insufficient_quota", "billing_hard_limit_reached"]);
const NEVER_ASKED: ModelUsage = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  costMicros: null,
};

/** An answer of the endpoint; `text` is null where it is too long. */
export interface Reply {
  status: number;
  headers: Headers;
  text: string | null;
}

/** It may be the answer's form that the endpoint does not take: the same can be asked in another one. */
export const isFormatRefusal = ({ status, text }: Reply): boolean =>
  FORM_REFUSED.has(status) && !WOULD_NOT.has(codeIn(text));

/** Any answer but 200. */
export function failureOf(
  { status, headers, text }: Reply,
  { name, now }: { name: string; now: Date },
): ChatAnswer {
  const error = errorIn(text);
  const code = String(error?.code ?? "");
  if (WOULD_NOT.has(code))
    return { kind: "answered", text: "", ended: "refused", model: name, usage: NEVER_ASKED };
  const reason = NO_MONEY.has(code) ? "refused" : reasonOf(status);
  const waitSeconds = reason === "refused" ? null : retryAfter(headers, now);
  return {
    kind: "failed",
    reason,
    detail: [`status ${status}`, ...wordsOf(error)].join(" "),
    ...(waitSeconds === null ? {} : { retryAfterSeconds: waitSeconds }),
  };
}

/** An error in a body of status 200, as gateways send it whose own upstream failed; null where there is none. */
export function errorInside(text: string): Failed | null {
  const error = errorIn(text);
  if (error === null) return null;
  const status = typeof error.code === "number" ? error.code : 502;
  return { kind: "failed", reason: reasonOf(status), detail: wordsOf(error).join(" ") };
}

function reasonOf(status: number): ModelFailure {
  if (status === 429) return "rate_limited";
  if (status === 408 || status === 504 || status === 524) return "timeout";
  return status >= 500 ? "unavailable" : "refused";
}

function errorIn(text: string | null): EndpointError | null {
  try {
    return errorBody.safeParse(JSON.parse(text ?? "")).data?.error ?? null;
  } catch {
    return null;
  }
}

const codeIn = (text: string | null) => String(errorIn(text)?.code ?? "");

/** The endpoint's identifiers, and none of its sentences. */
const wordsOf = (error: EndpointError | null): string[] =>
  [error?.type, error?.code, error?.param]
    .map((word) => String(word ?? ""))
    .filter((word) => /^[\w.-]{1,60}$/.test(word));

const LONGEST_WAIT_SECONDS = 86_400;

/** RFC 9110 section 10.2.3: seconds, or an HTTP date. */
function retryAfter(headers: Headers, now: Date): number | null {
  const value = headers.get("retry-after")?.trim() ?? "";
  const seconds = /^\d{1,9}$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value.endsWith(" GMT") ? value : "") - now.getTime()) / 1000);
  if (Number.isNaN(seconds)) return null;
  return Math.min(Math.max(0, seconds), LONGEST_WAIT_SECONDS);
}
