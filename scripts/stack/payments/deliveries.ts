import { randomBytes } from "node:crypto";
import { sleepUntilWarped } from "../warp.ts";
import type { State } from "./books.ts";
import type { Delivery, StoredEvent } from "./model.ts";
import { eventObject } from "./objects.ts";
import { signatureOf } from "./signature.ts";

export interface Endpoint {
  url: string;
  /** Makes the request; Node's own, if not said. */
  fetch?: typeof fetch;
}

export interface Deliveries {
  /** Where events go; null: they wait. */
  sendTo(endpoint: Endpoint | null): void;
  /** Milliseconds, or null. */
  nextDueAt(): number | null;
  isUnderWay(): boolean;
  /** Resolves when the attempts that are under way now have ended. */
  ended(): Promise<void>;
  /** Starts what is due. */
  pump(): void;
  /** Sends it once more, whatever came of it. */
  again(event: StoredEvent): void;
  /** Resolves when the event's attempt that is under way, if any, has ended. */
  attempted(eventId: string): Promise<void>;
  close(): void;
}

const HOUR_MS = 3_600_000;
const ANSWER_LIMIT_MS = 30_000;
/** Stripe retries "for up to three days with an exponential back off"; the steps are ours. */
const RETRY_SECONDS = [60, 300, 1800, 7200, 18_000, 36_000];
const LATER_RETRY_SECONDS = 43_200;
const GIVE_UP_AFTER_MS = 3 * 24 * HOUR_MS;

/** Sends each event to the endpoint until it answers 2xx, by the stack's clock. */
export function createDeliveries(state: State, secret: string): Deliveries {
  const { books, faults, log } = state;
  const underWay = new Map<string, Promise<void>>();
  const closing = new AbortController();
  let endpoint: Endpoint | null = null;

  const write = (event: StoredEvent, change: Partial<Delivery>) =>
    books.events.put(event.id, { ...event, delivery: { ...event.delivery, ...change } });

  /** Those with a time to be sent at that are not being sent. */
  const waiting = () =>
    endpoint === null || closing.signal.aborted
      ? []
      : books.events
          .values()
          .filter(({ id, delivery }) => delivery.dueAt !== null && !underWay.has(id));

  const start = (event: StoredEvent, to: Endpoint) => {
    const work = run(event, to)
      .catch((error: unknown) => log.add(`failed: ${String(error)}`, { event: event.id }))
      .finally(() => {
        underWay.delete(event.id);
        if (!closing.signal.aborted) state.changed();
      });
    underWay.set(event.id, work);
  };

  const run = async (event: StoredEvent, to: Endpoint) => {
    // The map of what is under way is written first.
    await Promise.resolve();
    if (putOff(event)) return;
    if (faults.take("event_twice")) await send(event, to);
    const answer = await send(event, to);
    if (closing.signal.aborted) return;
    settle(event, answer);
    for (const held of waiting().filter(({ delivery }) => delivery.held === "swapped")) {
      if (held.delivery.attempts === 0) write(held, { dueAt: Date.now() });
    }
  };

  /** A first attempt that an ordered fault keeps from being made now. */
  const putOff = (event: StoredEvent): boolean => {
    if (event.delivery.attempts > 0 || event.delivery.held !== null) return false;
    const put = (what: string, change: Partial<Delivery>) => {
      log.add(`${what}: ${event.type}`, { event: event.id });
      write(event, change);
      return true;
    };
    if (faults.take("event_lost")) return put("lost", { dueAt: null, outcome: "lost" });
    if (faults.take("event_late")) {
      return put("an hour late", { dueAt: Date.now() + HOUR_MS, held: "late" });
    }
    if (faults.take("events_swapped")) {
      return put("after the next", { dueAt: Date.now() + 24 * HOUR_MS, held: "swapped" });
    }
    return false;
  };

  /** One request, signed at its own time. Returns the status, or what went wrong. */
  const send = async (event: StoredEvent, to: Endpoint): Promise<number | string> => {
    const body = JSON.stringify(eventObject(event), null, 2);
    const isStale = faults.take("event_stale");
    const key = faults.take("event_forged") ? `whsec_${randomBytes(24).toString("hex")}` : secret;
    const at = Math.floor((Date.now() - (isStale ? HOUR_MS : 0)) / 1000);
    const answer = await post(to, body, signatureOf(body, key, at), closing.signal);
    log.add(`deliver ${event.type} -> ${answer}`, { event: event.id });
    return answer;
  };

  const settle = (event: StoredEvent, answer: number | string) => {
    const attempts = event.delivery.attempts + 1;
    const last = String(answer);
    if (typeof answer === "number" && answer >= 200 && answer < 300) {
      return write(event, { attempts, last, dueAt: null, outcome: "delivered" });
    }
    const seconds = RETRY_SECONDS[attempts - 1] ?? LATER_RETRY_SECONDS;
    const dueAt = Date.now() + seconds * 1000;
    const isOver = dueAt > event.created * 1000 + GIVE_UP_AFTER_MS;
    return isOver
      ? write(event, { attempts, last, dueAt: null, outcome: "given up" })
      : write(event, { attempts, last, dueAt, outcome: "waiting" });
  };

  return {
    sendTo(to) {
      endpoint = to;
      state.changed();
    },
    nextDueAt: () =>
      waiting().reduce<number | null>(
        (next, { delivery }) => Math.min(next ?? Infinity, delivery.dueAt ?? Infinity),
        null,
      ),
    isUnderWay: () => underWay.size > 0,
    ended: async () => void (await Promise.all(underWay.values())),
    pump() {
      for (const event of waiting()) {
        if (endpoint !== null && (event.delivery.dueAt ?? Infinity) <= Date.now()) {
          start(event, endpoint);
        }
      }
    },
    again(event) {
      write(event, { dueAt: Date.now(), outcome: "waiting" });
      state.changed();
    },
    attempted: (eventId) => underWay.get(eventId) ?? Promise.resolve(),
    close: () => closing.abort(),
  };
}

async function post(
  { url, fetch: request = fetch }: Endpoint,
  body: string,
  signature: string,
  closing: AbortSignal,
): Promise<number | string> {
  const answered = new AbortController();
  const late = new AbortController();
  sleepUntilWarped(new Date(Date.now() + ANSWER_LIMIT_MS), answered.signal).then(
    () => late.abort(new Error("no answer within 30 s")),
    () => {},
  );
  try {
    const response = await request(url, {
      method: "POST",
      headers: {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
        "stripe-signature": signature,
      },
      body,
      redirect: "manual",
      signal: AbortSignal.any([late.signal, closing]),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    return String(late.signal.aborted ? late.signal.reason : ((error as Error).cause ?? error));
  } finally {
    answered.abort();
  }
}
