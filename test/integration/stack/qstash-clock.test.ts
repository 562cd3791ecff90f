import {
  advance,
  bodies,
  connect,
  jump,
  jumpTo,
  open,
  publish,
  qstash,
  receiver,
  useQstash,
} from "./qstash-setting.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, afterEach, describe, expect, test, vi } from "vitest";

useQstash();

describe("as a timed part", () => {
  test("it is busy from the moment something falls due until it is done", async () => {
    await publish({ delay: 100 });
    expect(qstash.busy()).toBe(false);
    const release = receiver.hold();
    jumpTo(qstash.nextDueAt()!);
    expect(qstash.busy()).toBe(true);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
    expect(qstash.busy()).toBe(true);
    release();
    await qstash.idle();
    expect([qstash.busy(), qstash.nextDueAt()]).toEqual([false, null]);
  });

  test("paused it delivers nothing and wants no stop, resumed it catches up", async () => {
    qstash.pause();
    await publish();
    expect([qstash.busy(), qstash.nextDueAt()]).toEqual([false, null]);
    jump(60);
    await qstash.idle();
    expect(receiver.received).toEqual([]);
    qstash.resume();
    await qstash.idle();
    expect(receiver.received).toHaveLength(1);
  });
});

describe("the state file", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "qstash-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("messages, schedules, queues and dead letters outlive the process", async () => {
    const stateFile = join(folder, "qstash.jsonl");
    const first = await open({ stateFile });
    const before = connect(first);
    receiver.next = [{ status: 500 }];
    await before.publish({ url: receiver.url, body: "dead", retries: 0 });
    await first.idle();
    await before.publish({ url: receiver.url, body: "later", delay: 3600, deduplicationId: "d" });
    await before.publish({ url: receiver.url, body: "done" });
    await before.queue({ queueName: "q" }).upsert({ parallelism: 3 });
    await before.schedules.create({
      destination: receiver.url,
      cron: "0 0 1 1 *",
      scheduleId: "s",
    });
    await first.idle();
    await first.close();
    receiver.received = [];

    const second = await open({ stateFile });
    const after = connect(second);
    expect((await after.schedules.list()).map(({ scheduleId }) => scheduleId)).toEqual(["s"]);
    expect(await after.queue({ queueName: "q" }).get()).toMatchObject({ parallelism: 3 });
    expect((await after.dlq.listMessages()).messages).toHaveLength(1);
    const again = await after.publish({ url: receiver.url, deduplicationId: "d" });
    expect(again.deduplicated).toBe(true);
    await advance(3600, second);
    expect(bodies()).toEqual(["later"]);
  });

  test("a message under way when the process ends is delivered again", async () => {
    const stateFile = join(folder, "qstash.jsonl");
    const first = await open({ stateFile });
    receiver.next = ["hang"];
    await connect(first).queue({ queueName: "q" }).enqueue({ url: receiver.url, body: "1" });
    await connect(first).queue({ queueName: "q" }).enqueue({ url: receiver.url, body: "2" });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
    await first.close();
    const second = await open({ stateFile });
    await second.idle();
    expect(bodies()).toEqual(["1", "1", "2"]);
  });
});
