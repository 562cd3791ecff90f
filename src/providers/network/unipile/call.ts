import type * as z from "zod";
import type { Log } from "#src/platform/log.ts";
import { isSuccess, jsonOf } from "#src/providers/net/http-answer.ts";
import { createHttpCall, type HttpAnswer, type HttpRequest } from "#src/providers/net/http-call.ts";
import type { Answer, NetworkFailure } from "../index.ts";
import {
  answerFailure,
  failed,
  isKnown,
  lostFailure,
  problemTypeOf,
  type Purpose,
  refused,
  transportFailure,
} from "./failures.ts";

export interface UnipileSettings {
  fetch: typeof fetch;
  /** Without a path and without a slash at the end. */
  baseUrl: string;
  apiKey: string;
  webhookSecret: string | null;
  log: Pick<Log, "info">;
  now(): Date;
  /** Called for failures of the provider itself, for the status page. Must not throw. */
  noteTrouble(failure: NetworkFailure): Promise<void>;
  /** From connecting to the end of the answer. */
  timeoutsMs?: Partial<Record<Purpose, number>>;
}

export interface Question<Value> {
  purpose: Purpose;
  method: HttpRequest["method"];
  /** Segments after `/api/v1`, as they are. */
  path: readonly string[];
  query?: Record<string, string | number>;
  body?: Record<string, unknown> | FormData;
  shape: z.ZodType<Value>;
}

/** One request of the API, once; never throws. */
export type Ask = <Value>(question: Question<Value>) => Promise<Answer<Value>>;

/** The network answers a read in a second or so; a login goes through its pages, and challenges, one by one. */
const TIMEOUTS_MS: Record<Purpose, number> = { read: 15_000, act: 30_000, login: 90_000 };
/** 250 long messages. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const LONGEST_SEGMENT = 500;

export function createAsk(settings: UnipileSettings): Ask {
  const call = createHttpCall(settings.fetch, MAX_ANSWER_BYTES);
  const timeouts = { ...TIMEOUTS_MS, ...settings.timeoutsMs };

  return async <Value>(question: Question<Value>): Promise<Answer<Value>> => {
    if (!question.path.every(isSegment))
      return refused("invalid_id", "This is no id of the network");
    const outcome = await call(requestOf(settings, question), timeouts[question.purpose]);
    const lost = transportFailure(outcome, question.purpose);
    if (lost !== null || outcome.kind !== "answered") return troubled(lost!);
    const { answer } = outcome;
    if (!isSuccess(answer)) return troubled(read(answer, question.purpose));
    const { data, success } = question.shape.safeParse(jsonOf(answer));
    return success ? { ok: true, value: data } : troubled(unreadable(question.purpose));
  };

  async function troubled(failure: NetworkFailure) {
    if (["configuration", "down", "unknown"].includes(failure.kind))
      await settings.noteTrouble(failure);
    return failed(failure);
  }

  function read(answer: HttpAnswer, purpose: Purpose): NetworkFailure {
    const type = problemTypeOf(answer);
    if (type !== null && !isKnown(type) && purpose !== "login")
      settings.log.info("network_failure_of_unknown_type", { type, status: answer.status });
    return answerFailure(answer, purpose);
  }
}

const unreadable = (purpose: Purpose) =>
  lostFailure(purpose, "unreadable_answer", "The answer of the network's provider cannot be read");

/** Other text could lead to another path of the API: segments come from callers, and from people who write to them. */
const isSegment = (text: string) =>
  text.length > 0 &&
  text.length <= LONGEST_SEGMENT &&
  text.isWellFormed() &&
  !/^\.{1,2}$|[\u0000-\u001f\u007f/\\]/.test(text);

function requestOf<Value>(
  { baseUrl, apiKey }: UnipileSettings,
  { method, path, query = {}, body }: Question<Value>,
): HttpRequest {
  const url = new URL(`${baseUrl}/api/v1/${path.map(encodeURIComponent).join("/")}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const headers = { "x-api-key": apiKey, accept: "application/json" };
  if (body === undefined) return { method, url: url.href, headers };
  // Of a form the runtime itself writes the header, with its boundary.
  if (body instanceof FormData) return { method, url: url.href, headers, body };
  return {
    method,
    url: url.href,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}
