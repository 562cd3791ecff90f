import { sleepUntilWarped } from "../warp.ts";
import type { State } from "./books.ts";
import type { Delivery, Webhook } from "./model.ts";

export interface Deliveries {
  /** Milliseconds, or null. */
  nextDueAt(): number | null;
  isUnderWay(): boolean;
  /** Starts what is due. */
  pump(): void;
  /** Resolves when the attempts that are under way now have ended. */
  ended(): Promise<void>;
  close(): void;
}

const ANSWER_LIMIT_MS = 30_000;
/** "5 retries if not 200 within 30 s"; the steps are ours. */
const RETRY_SECONDS = [30, 120, 600, 3600, 14_400];

/** Calls each webhook with what it is owed, until it answers 200, by the stack's clock. */
export function createDeliveries(state: State): Deliveries {
  const { books, log } = state;
  const underWay = new Map<string, Promise<void>>();
  /** The webhooks that are being called: each hears one thing after the other. */
  const called = new Set<string>();
  const closing = new AbortController();

  /** What nothing else has to end for. */
  const waiting = () =>
    closing.signal.aborted
      ? []
      : [...books.deliveries.entries()].filter(([, { webhook }]) => !called.has(webhook));

  async function run(id: string, delivery: Delivery): Promise<void> {
    // The map of what is under way is written first.
    await Promise.resolve();
    const webhook = books.webhooks.get(delivery.webhook);
    if (webhook === undefined) return void books.deliveries.delete(id);
    const answer = await post(webhook, delivery.body, closing.signal);
    if (closing.signal.aborted) return;
    log.add(`webhook ${webhook.source} -> ${answer}`, JSON.parse(delivery.body));
    settle(id, delivery, answer);
    if (!delivery.isSwapped) letPass();
  }

  function settle(id: string, delivery: Delivery, answer: number | string): void {
    const wait = RETRY_SECONDS[delivery.attempts];
    if (answer === 200 || wait === undefined) return void books.deliveries.delete(id);
    const attempts = delivery.attempts + 1;
    books.deliveries.put(id, { ...delivery, attempts, dueAt: Date.now() + wait * 1000 });
  }

  /** What was ordered to come after the next one comes now. */
  function letPass(): void {
    for (const [id, held] of books.deliveries.entries())
      if (held.isSwapped && held.attempts === 0)
        books.deliveries.put(id, { ...held, dueAt: Date.now() });
  }

  function start(id: string, delivery: Delivery): void {
    const work = run(id, delivery)
      .catch((error: unknown) => log.add(`webhook failed: ${String(error)}`))
      .finally(() => {
        underWay.delete(id);
        called.delete(delivery.webhook);
        if (!closing.signal.aborted) state.changed();
      });
    underWay.set(id, work);
    called.add(delivery.webhook);
  }

  return {
    nextDueAt: () =>
      waiting().reduce<number | null>(
        (next, [, { dueAt }]) => Math.min(next ?? Infinity, dueAt),
        null,
      ),
    isUnderWay: () => underWay.size > 0,
    pump() {
      const due = waiting().filter(([, { dueAt }]) => dueAt <= Date.now());
      for (const [id, delivery] of due.toSorted(([, a], [, b]) => a.dueAt - b.dueAt))
        if (!called.has(delivery.webhook)) start(id, delivery);
    },
    ended: async () => void (await Promise.all(underWay.values())),
    close: () => closing.abort(),
  };
}

/** The status of the answer, or why there was none. The headers are those that the webhook was made with, and no other. */
async function post(
  webhook: Webhook,
  body: string,
  closing: AbortSignal,
): Promise<number | string> {
  const answered = new AbortController();
  const late = new AbortController();
  sleepUntilWarped(new Date(Date.now() + ANSWER_LIMIT_MS), answered.signal).then(
    () => late.abort(new Error("no answer within 30 s")),
    () => {},
  );
  try {
    const response = await fetch(webhook.request_url, {
      method: "POST",
      headers: webhook.headers.map(({ key, value }): [string, string] => [key, value]),
      // Bytes, because with a text fetch would say what type it is.
      body: new TextEncoder().encode(body),
      redirect: "manual",
      signal: AbortSignal.any([late.signal, closing]),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const { message, cause } = error as Error;
    return late.signal.aborted ? "no answer within 30 s" : String(cause ?? message);
  } finally {
    answered.abort("answered");
  }
}
