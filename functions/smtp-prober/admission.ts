import {
  REPLAY_WINDOW_MS,
  signPlan,
  SIGNATURE_HEADER,
  TIMESTAMP_HEADER,
} from "#src/providers/probe/prober-wire.ts";
import { isSameText } from "#src/platform/same-text.ts";

export interface Admission {
  /** Null when the request is genuine, fresh and seen for the first time; otherwise the status to refuse it with. */
  refuse(
    headers: Record<string, string | string[] | undefined>,
    body: string,
  ): Promise<number | null>;
}

/** Signatures remembered at once; far more than a minute's probes. */
const MOST_SEEN = 100_000;

/** Whose requests are taken: signed by the service within the last minute, each once. */
export function createAdmission(secret: string, now: () => Date): Admission {
  /** Signature to the instant after which its timestamp is too old anyway. Oldest first. */
  const seen = new Map<string, number>();
  const forget = (at: number) => {
    for (const [signature, until] of seen) {
      if (until > at && seen.size <= MOST_SEEN) return;
      seen.delete(signature);
    }
  };
  return {
    async refuse(headers, body) {
      const timestamp = headers[TIMESTAMP_HEADER];
      const signature = headers[SIGNATURE_HEADER];
      if (typeof timestamp !== "string" || typeof signature !== "string") return 401;
      const at = now().getTime();
      if (!/^\d{1,15}$/.test(timestamp)) return 401;
      if (Math.abs(at - Number(timestamp)) > REPLAY_WINDOW_MS) return 401;
      if (!isSameText(signature, await signPlan(secret, timestamp, body))) return 401;
      forget(at);
      if (seen.has(signature)) return 409;
      seen.set(signature, at + 2 * REPLAY_WINDOW_MS);
      return null;
    },
  };
}
