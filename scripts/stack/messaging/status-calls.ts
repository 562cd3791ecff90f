import { createHmac, randomBytes } from "node:crypto";
import type { CallLog, TimedPart } from "../part.ts";
import { sleepUntilWarped } from "../warp.ts";

/** Stack time before the webhook is tried again; then the event is given up, as Meta does after days. */
const RETRY_SECONDS = [5, 60, 600, 3600, 21_600, 86_400];
const PATIENCE_MS = 10_000;

export interface StatusCalls extends TimedPart {
  /** Registers the webhook, if it proves to be the app's own; throws if it does not. */
  subscribe(url: string): Promise<void>;
  /** Sends the body to the webhook, after those before it and not before so many seconds of stack time. */
  tell(body: object, afterSeconds?: number): void;
  close(): Promise<void>;
}

interface Waiting {
  body: string;
  attempts: number;
  dueMs: number;
}

/** Calls the app's webhook, signed, one event after the other. */
export function createStatusCalls(
  secrets: { appSecret: string; verifyToken: string },
  log: CallLog,
): StatusCalls {
  const stopped = new AbortController();
  let waiting: Waiting[] = [];
  let webhook: string | null = null;
  let nudge = new AbortController();

  const earliest = () => waiting.toSorted((a, b) => a.dueMs - b.dueMs)[0];

  async function attempt(event: Waiting): Promise<void> {
    const answer = await post(webhook ?? "", event.body, secrets.appSecret, stopped.signal);
    if (answer === "200") {
      waiting = waiting.filter((each) => each !== event);
      return log.add("status call: 200");
    }
    const wait = RETRY_SECONDS[event.attempts++];
    log.add(`status call: ${answer}, ${wait === undefined ? "given up" : `again in ${wait} s`}`);
    if (wait === undefined) waiting = waiting.filter((each) => each !== event);
    else event.dueMs = Date.now() + wait * 1000;
  }

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      nudge = new AbortController();
      const next = earliest();
      if (next !== undefined && next.dueMs <= Date.now()) await attempt(next);
      else await untilNudged(next);
    }
  }
  const untilNudged = (next: Waiting | undefined) =>
    sleepUntilWarped(new Date(next?.dueMs ?? 8.64e15), nudge.signal).catch(() => {});
  const ended = loop();

  return {
    async subscribe(url) {
      await shakeHands(url, secrets.verifyToken);
      webhook = url;
      log.add(`webhook registered: ${url}`);
    },
    tell(body, afterSeconds = 0) {
      if (webhook === null) return log.add("no webhook is registered: nobody hears of a status");
      const dueMs = Date.now() + afterSeconds * 1000;
      waiting.push({ body: JSON.stringify(body), attempts: 0, dueMs });
      nudge.abort();
    },
    nextDueAt() {
      const next = earliest();
      return next === undefined ? null : new Date(next.dueMs);
    },
    busy: () => (earliest()?.dueMs ?? Infinity) <= Date.now(),
    async close() {
      stopped.abort();
      nudge.abort();
      await ended;
    },
  };
}

/** The status of the answer, or why there was none. */
async function post(
  url: string,
  body: string,
  appSecret: string,
  stopped: AbortSignal,
): Promise<string> {
  const signature = createHmac("sha256", appSecret).update(body).digest("hex");
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "facebookexternalua",
        "x-hub-signature-256": `sha256=${signature}`,
      },
      body,
      signal: AbortSignal.any([stopped, AbortSignal.timeout(PATIENCE_MS)]),
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    return (error as Error).message;
  }
}

async function shakeHands(url: string, verifyToken: string): Promise<void> {
  const challenge = String(randomBytes(5).readUIntBE(0, 5));
  const query = new URLSearchParams({
    "hub.mode": "subscribe",
    "hub.verify_token": verifyToken,
    "hub.challenge": challenge,
  });
  const response = await fetch(`${url}?${query}`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const text = await response.text();
  if (response.ok && text === challenge) return;
  throw new Error(`${url} did not prove to be the app's: it answered ${response.status}`);
}
