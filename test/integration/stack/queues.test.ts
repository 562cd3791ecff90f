import "../../../scripts/stack/warp.ts";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import type { ConsumerSettings } from "../../../scripts/deploy/settings.ts";
import { openBatch } from "../../../scripts/stack/batch.ts";
import { type Queues, startQueues } from "../../../scripts/stack/queues.ts";
import { setWarpOffsetMs, warpOffsetMs } from "../../../scripts/stack/warp.ts";
import type { BatchOutcome, DeliveredBatch } from "../../../scripts/stack/worker-link.ts";
import { eventually } from "../../support/service.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-queues-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const settings: ConsumerSettings = {
  queue: "hits",
  maxBatchSize: 3,
  maxBatchTimeoutSeconds: 600,
  maxRetries: 2,
  retryDelaySeconds: 60,
  maxConcurrency: 1,
  deadLetterQueue: "dead",
};

let queues: Queues;
let batches: DeliveredBatch[];
let consumer: (batch: DeliveredBatch) => Promise<BatchOutcome>;
let stateFile: string;

const start = async () => {
  queues = await startQueues({
    settings,
    deliver(batch) {
      batches.push(batch);
      return consumer(batch);
    },
    stateFile,
  });
  queues.resume();
};
beforeEach(async () => {
  batches = [];
  consumer = async () => ({ retries: [] });
  stateFile = path.join(folder, `${Math.random()}.jsonl`);
  await start();
});
afterEach(() => queues.close());

const post = async (body: string, headers: Record<string, string> = {}, at = "/message") => {
  const sent = { method: "POST", headers: { "x-msg-fmt": "json", ...headers }, body };
  const reply = await fetch(queues.url + at, sent);
  await reply.body?.cancel();
  return reply.status;
};
const bodies = () => batches.map(({ messages }) => messages.map(({ body }) => body));
/** The clock goes on, and what then is delivered is dealt with. */
const after = async (seconds: number) => {
  setWarpOffsetMs(warpOffsetMs() + seconds * 1000);
  await eventually("nothing is under way", () => !queues.busy());
};

test("a batch is delivered when it is full, and one that is not when its oldest message has waited", async () => {
  for (const body of ["1", "2", "3", "4"]) expect(await post(body)).toBe(200);
  await after(0);
  expect(bodies()).toEqual([["1", "2", "3"]]);
  const due = queues.nextDueAt()!.getTime();
  expect(due - Date.now()).toBeGreaterThan(500_000);
  await after(601);
  expect(bodies()).toEqual([["1", "2", "3"], ["4"]]);
  expect([queues.waiting(), queues.nextDueAt()]).toEqual([0, null]);
});

test("what is not acknowledged comes again when it said, or after the consumer's pause; then it is a dead letter", async () => {
  consumer = async ({ messages }) => ({
    retries: messages.flatMap(({ id, body }) =>
      body === "1" ? [] : [{ id, delay_seconds: body === "2" ? 5_000 : null }],
    ),
  });
  for (const body of ["1", "2", "3"]) await post(body);
  await after(0);
  await after(661);
  expect(bodies()).toEqual([["1", "2", "3"], ["3"]]);
  await after(661);
  expect(batches.at(-1)!.messages).toMatchObject([{ body: "3", attempts: 3 }]);
  expect(queues.deadLetters()).toEqual([3]);
  await after(5_000);
  expect(batches.at(-1)!.messages).toMatchObject([{ body: "2", attempts: 2 }]);
});

test("all of a batch comes again when its Worker dies, and what an end of the stack leaves is delivered by the next", async () => {
  consumer = async () => Promise.reject(new Error("The Worker does not answer"));
  for (const body of ["1", "2", "3"]) await post(body);
  await after(0);
  await queues.close();
  consumer = async () => ({ retries: [] });
  await start();
  expect(queues.waiting()).toBe(3);
  await after(661);
  expect(bodies()).toEqual([
    ["1", "2", "3"],
    ["1", "2", "3"],
  ]);
  expect(queues.waiting()).toBe(0);
});

test("what the service does not use of the protocol is refused, and so is what Cloudflare would refuse", async () => {
  expect(await post("x", { "x-msg-fmt": "v8" })).toBe(400);
  expect(await post('{"messages":[]}', {}, "/batch")).toBe(404);
  expect(await post(`"${"x".repeat(128_000)}"`)).toBe(413);
  queues.faults.order("unavailable", 1);
  expect(await post("1")).toBe(503);
  expect(queues.waiting()).toBe(0);
});

test("of a message the handler's first word counts; without one a throw brings it again", () => {
  const message = (id: string) => ({
    id,
    timestamp: new Date().toISOString(),
    body: "{}",
    attempts: 1,
  });
  const batch = openBatch(["acked", "retried", "silent"].map(message));
  const [acked, retried] = batch.messages;
  acked!.ack();
  acked!.retry({ delaySeconds: 1 });
  retried!.retry({ delaySeconds: 7 });
  retried!.ack();
  const again = { id: "retried", delay_seconds: 7 };
  expect(batch.outcome(false)).toEqual({ retries: [again] });
  expect(batch.outcome(true)).toEqual({ retries: [again, { id: "silent", delay_seconds: null }] });
});
