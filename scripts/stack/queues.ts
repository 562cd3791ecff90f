import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ConsumerSettings } from "../deploy/settings.ts";
import { openJournal } from "./journal.ts";
import { createCallLog, createFaults, type Part, type TimedPart } from "./part.ts";
import { onWarp } from "./warp.ts";
import type { BatchOutcome, DeliveredBatch, DeliveredMessage } from "./worker-link.ts";

export interface QueuesOptions {
  /** The consumer's, as wrangler.toml has them. */
  settings: ConsumerSettings;
  /** Runs the Worker's `queue` handler; throws where there is no Worker, or it dies. */
  deliver(batch: DeliveredBatch): Promise<BatchOutcome>;
  /** Messages outlive the process here. */
  stateFile?: string;
}

export interface Queues extends Part, TimedPart {
  /** Messages that are still to be acknowledged. */
  waiting(): number;
  /** Bodies that were given up. */
  deadLetters(): unknown[];
  /** Forgets all of it. */
  clear(): void;
  /** Begins no batch until `resume`. */
  pause(): void;
  resume(): void;
}

interface Message extends Omit<DeliveredMessage, "attempts"> {
  /** So often it was delivered. */
  attempts: number;
  visibleAtMs: number;
}

const FAULTS = {
  unavailable: "the next send is answered 503, so that the Worker's call rejects",
  duplicate: "the next batch is delivered twice, one after the other",
};

/** https://developers.cloudflare.com/queues/platform/limits/ */
const MOST_BYTES = 128_000;
// setTimeout's longest delay is 2^31-1 ms.
const LONGEST_TIMER_MS = 2_000_000_000;

/**
 * Cloudflare Queues behind workerd's binding, which posts a message to `/message`: one queue with its consumer, and its
 * dead letters. Batches are full, or as old as `max_batch_timeout`; waiting and retries follow `Date`.
 */
export async function startQueues({
  settings,
  deliver,
  stateFile,
}: QueuesOptions): Promise<Queues> {
  const journal = openJournal(stateFile);
  const messages = journal.table<Message>("messages");
  const dead = journal.table<Message>("dead letters");
  const faults = createFaults(FAULTS);
  const log = createCallLog();
  const inHand = new Set<string>();
  let batches = 0;
  let paused = true;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const idle = () => messages.values().filter(({ id }) => !inHand.has(id));

  /** When the next batch is delivered. */
  function nextMs(): number | null {
    if (paused || closed || batches >= settings.maxConcurrency) return null;
    const all = idle();
    if (all.length === 0) return null;
    const visible = all.filter(({ visibleAtMs }) => visibleAtMs <= Date.now());
    if (visible.length >= settings.maxBatchSize) return Date.now();
    const first = Math.min(...all.map(({ visibleAtMs }) => visibleAtMs));
    return first + settings.maxBatchTimeoutSeconds * 1000;
  }

  function pump(): void {
    for (let at = nextMs(); at !== null && at <= Date.now(); at = nextMs()) {
      const batch = idle()
        .filter(({ visibleAtMs }) => visibleAtMs <= Date.now())
        .toSorted((one, other) => one.visibleAtMs - other.visibleAtMs)
        .slice(0, settings.maxBatchSize);
      void run(batch);
    }
    clearTimeout(timer);
    const at = nextMs();
    if (at !== null)
      timer = setTimeout(pump, Math.min(Math.max(0, at - Date.now()), LONGEST_TIMER_MS));
  }

  async function run(batch: Message[]): Promise<void> {
    batches += 1;
    for (const message of batch) {
      inHand.add(message.id);
      message.attempts += 1;
    }
    if (faults.take("duplicate")) await handOver(batch);
    settle(batch, await handOver(batch));
    for (const { id } of batch) inHand.delete(id);
    batches -= 1;
    pump();
  }

  /** All of a batch comes again when its Worker died. */
  async function handOver(batch: Message[]): Promise<BatchOutcome> {
    let outcome: BatchOutcome;
    let said: string;
    try {
      outcome = await deliver({
        queue: settings.queue,
        messages: batch.map(({ visibleAtMs: _, ...message }) => message),
      });
      said = `${outcome.retries.length} to be retried`;
    } catch (error) {
      outcome = { retries: batch.map(({ id }) => ({ id, delay_seconds: null })) };
      said = (error as Error).message;
    }
    log.add(`delivered ${batch.length}: ${said}`);
    return outcome;
  }

  function settle(batch: Message[], { retries }: BatchOutcome): void {
    if (closed) return;
    const again = new Map(retries.map(({ id, delay_seconds: seconds }) => [id, seconds]));
    for (const message of batch) {
      const seconds = again.get(message.id);
      if (seconds !== undefined && message.attempts <= settings.maxRetries) {
        message.visibleAtMs = Date.now() + (seconds ?? settings.retryDelaySeconds) * 1000;
        messages.put(message.id, message);
        continue;
      }
      messages.delete(message.id);
      if (seconds !== undefined) dead.put(message.id, message);
    }
  }

  /** What is not used of the protocol is refused. */
  async function take(request: IncomingMessage): Promise<[status: number, said: string]> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (faults.take("unavailable")) return [503, "ordered fault"];
    if (request.method !== "POST" || request.url !== "/message") return [404, "no such call"];
    if (request.headers["x-msg-fmt"] !== "json") return [400, "only messages of JSON are taken"];
    if (body.byteLength > MOST_BYTES) return [413, `${body.byteLength} bytes are too many`];
    const id = randomUUID();
    const [timestamp, visibleAtMs] = [new Date().toISOString(), Date.now()];
    messages.put(id, { id, timestamp, body: body.toString("utf8"), attempts: 0, visibleAtMs });
    pump();
    return [200, "taken"];
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void take(request).then(([status, said]) => {
      if (status !== 200) log.add(`${status}: ${said}`);
      // The binding reads the first of them, and rejects without.
      const metrics = { backlogCount: messages.size, backlogBytes: 0, oldestMessageTimestamp: 0 };
      response
        .writeHead(status, said, { "content-type": "application/json" })
        .end(JSON.stringify({ metadata: { metrics } }));
    });
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const stopListening = onWarp(pump);
  return {
    name: "queues",
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    log,
    waiting: () => messages.size,
    deadLetters: () => dead.values().map(({ body }) => JSON.parse(body) as unknown),
    clear() {
      for (const table of [messages, dead]) for (const { id } of table.values()) table.delete(id);
    },
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      pump();
    },
    nextDueAt() {
      const at = nextMs();
      return at === null ? null : new Date(at);
    },
    busy() {
      const at = nextMs();
      return batches > 0 || (at !== null && at <= Date.now());
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      stopListening();
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await ended;
      journal.close();
    },
  };
}
