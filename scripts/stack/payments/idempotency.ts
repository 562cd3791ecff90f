import { createHash } from "node:crypto";
import { now, type State } from "./books.ts";
import { StripeRefusal } from "./errors.ts";
import type { KeptAnswer } from "./model.ts";

const KEPT_SECONDS = 24 * 3600;

export interface KeyedRequest {
  key: string;
  /** `POST /v1/...` */
  endpoint: string;
  body: string;
}

export interface Idempotency {
  /** The answer that the key has, or null; throws when the key is in use or was used for something else. */
  find(request: KeyedRequest): KeptAnswer | null;
  /** The key is in use until the returned function is called. */
  begin(key: string): () => void;
  keep(request: KeyedRequest, answer: Pick<KeptAnswer, "status" | "body" | "requestId">): void;
}

/** https://docs.stripe.com/api/idempotent_requests */
export function createIdempotency({ books }: State): Idempotency {
  const underWay = new Set<string>();
  return {
    find({ key, endpoint, body }) {
      if (underWay.has(key)) {
        throw refusal(
          409,
          `There is currently another in-progress request using this Idempotent Key: ${key}.`,
          "idempotency_key_in_use",
        );
      }
      const kept = books.answers.get(key);
      if (kept === undefined || kept.keptUntil <= now()) return null;
      if (kept.endpoint !== endpoint || kept.fingerprint !== fingerprintOf(body)) {
        throw refusal(
          400,
          `Keys for idempotent requests can only be used with the same endpoint and parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        );
      }
      return kept;
    },
    begin(key) {
      underWay.add(key);
      return () => void underWay.delete(key);
    },
    keep({ key, endpoint, body }, answer) {
      const keptUntil = now() + KEPT_SECONDS;
      books.answers.put(key, { endpoint, fingerprint: fingerprintOf(body), keptUntil, ...answer });
    },
  };
}

function refusal(status: number, message: string, code?: string): StripeRefusal {
  return new StripeRefusal(
    status,
    message,
    code === undefined ? {} : { code },
    "idempotency_error",
  );
}

/** The order of parameters does not matter. */
function fingerprintOf(body: string): string {
  const sorted = [...new URLSearchParams(body)].map((pair) => JSON.stringify(pair)).sort();
  return createHash("sha256").update(sorted.join("\n")).digest("hex");
}
