import * as z from "zod";
import { isSuccess, jsonOf, wasReached } from "#src/providers/net/http-answer.ts";
import type { HttpAnswer, HttpOutcome } from "#src/providers/net/http-call.ts";
import type { NetworkFailure } from "../index.ts";
import { LOGIN_MEANINGS, type Meaning, MEANINGS, STATUS_MEANINGS } from "./failure-table.ts";

/**
 * What a call is for, by which its failure is read: a `read` changes nothing, so that losing its answer costs nothing;
 * an `act` may have been done; a `login` may have been done too, and is about credentials.
 */
export type Purpose = "read" | "act" | "login";

/** The code under which an answer says that there is no such thing; of what, the API does not say. */
export const MISSING = "resource_not_found";

export const failed = <Failure extends NetworkFailure>(failure: Failure) =>
  ({ ok: false, failure }) as const;

/** Never asked, because it can never be taken. */
export const refused = (code: string, detail: string) => failed({ kind: "request", code, detail });

/** Nothing came back, or nothing that can be read: what may have been done is in doubt. */
export function lostFailure(purpose: Purpose, code: string, detail: string): NetworkFailure {
  return purpose === "read"
    ? { kind: "down", code, detail }
    : { kind: "unknown", code, detail: `${detail}; it may have been done` };
}

/** Null when it was answered. */
export function transportFailure(outcome: HttpOutcome, purpose: Purpose): NetworkFailure | null {
  if (outcome.kind === "lost")
    return lostFailure(purpose, "no_answer", "The network's provider did not answer");
  if (outcome.kind === "not_sent" || !wasReached(outcome.answer))
    return {
      kind: "down",
      code: "unreachable",
      detail: "The network's provider cannot be reached",
    };
  return null;
}

const problem = z.object({ type: z.string().regex(/^(errors\/)?[a-z][a-z_]{2,63}$/) });

/** The provider's word for what went wrong; null when the answer is none of its API. */
export function problemTypeOf(answer: HttpAnswer): string | null {
  const { data } = problem.safeParse(jsonOf(answer));
  return data === undefined ? null : data.type.replace("errors/", "");
}

/** What an answer means that is no success. */
export function answerFailure(answer: HttpAnswer, purpose: Purpose): NetworkFailure {
  const type = problemTypeOf(answer);
  if (type === null) return strangersAnswer(answer, purpose);
  const known = (purpose === "login" ? LOGIN_MEANINGS.get(type) : undefined) ?? MEANINGS.get(type);
  if (answer.status === 404 && known === undefined)
    return { ...meant(NOT_FOUND, answer, purpose), code: MISSING };
  const meaning = known ?? STATUS_MEANINGS.get(answer.status) ?? otherwise(answer);
  // What is typed at a login is never repeated, not even by accident of the provider's words.
  const code = known !== undefined || purpose !== "login" ? type : `http_${answer.status}`;
  return { ...meant(meaning, answer, purpose), code };
}

export const isKnown = (type: string): boolean => MEANINGS.has(type) || LOGIN_MEANINGS.has(type);

const NOT_FOUND: Meaning = {
  verdict: { kind: "request" },
  says: "The network's provider has no such thing",
};

/** Of a gateway in between, or not the API at all: below 500, and with 503, nothing was taken. */
function strangersAnswer(answer: HttpAnswer, purpose: Purpose): NetworkFailure {
  const { status } = answer;
  const code = `http_${status}`;
  const meaning =
    status === 403 ? BARRED : READABLE.has(status) ? STATUS_MEANINGS.get(status) : undefined;
  if (meaning !== undefined) return { ...meant(meaning, answer, purpose), code };
  const detail = `What answered (${status}) is not the API of the network's provider`;
  if (status >= 300 && status < 400)
    return { kind: "configuration", code, detail: `${detail}: check UNIPILE_API_URL` };
  const mayHaveActed = isSuccess(answer) || (status >= 500 && status !== 503);
  return mayHaveActed
    ? lostFailure(purpose, code, detail)
    : { kind: "down", code, detail, ...retryAfterOf(answer) };
}

/** Statuses that say enough by themselves. */
const READABLE = new Set([401, 413, 429]);
const BARRED: Meaning = {
  verdict: { kind: "configuration" },
  says: "Something before the API of the network's provider does not let us through",
};

const otherwise = ({ status }: HttpAnswer): Meaning =>
  status >= 500
    ? { verdict: { kind: "in doubt" }, says: "The network's provider failed" }
    : { verdict: { kind: "request" }, says: "The network's provider does not take this as it is" };

function meant({ verdict, says }: Meaning, answer: HttpAnswer, purpose: Purpose): NetworkFailure {
  const told = { code: `http_${answer.status}`, detail: says };
  switch (verdict.kind) {
    case "in doubt":
      return lostFailure(purpose, told.code, says);
    case "limited":
    case "down":
      return { ...verdict, ...told, ...retryAfterOf(answer) };
    default:
      return { ...verdict, ...told };
  }
}

const LONGEST_WAIT_SECONDS = 86_400;

function retryAfterOf({ headers }: HttpAnswer): { retryAfterSeconds?: number } {
  const given = /^\d{1,9}$/.exec(headers.get("retry-after") ?? "")?.[0];
  if (given === undefined) return {};
  return { retryAfterSeconds: Math.min(Math.max(1, Number(given)), LONGEST_WAIT_SECONDS) };
}
