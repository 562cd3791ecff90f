import { advance, connect, jump, jumpTo, qstashSetting } from "./qstash-setting.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, afterEach, describe, expect, test, vi } from "vitest";

const setting = qstashSetting();

describe("as a timed part", () => {
  test("it is busy from the moment something falls due until it is done", async () => {
    await setting.client.publish({ url: setting.receiver.url, delay: 100 });
    expect(setting.qstash.busy()).toBe(false);
    const release = setting.receiver.hold();
    jumpTo(setting.qstash.nextDueAt()!);
    expect(setting.qstash.busy()).toBe(true);
    await vi.waitFor(() => expect(setting.receiver.received).toHaveLength(1));
    expect(setting.qstash.busy()).toBe(true);
    release();
    await setting.qstash.idle();
    expect([setting.qstash.busy(), setting.qstash.nextDueAt()]).toEqual([false, null]);
  });

  test("paused it delivers nothing and wants no stop, resumed it catches up", async () => {
    setting.qstash.pause();
    await setting.client.publish({ url: setting.receiver.url });
    expect([setting.qstash.busy(), setting.qstash.nextDueAt()]).toEqual([false, null]);
    jump(60);
    await setting.qstash.idle();
    expect(setting.receiver.received).toEqual([]);
    setting.qstash.resume();
    await setting.qstash.idle();
    expect(setting.receiver.received).toHaveLength(1);
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
    const first = await setting.open({ stateFile });
    const before = connect(first);
    setting.receiver.next = [{ status: 500 }];
    await before.publish({ url: setting.receiver.url, body: "dead", retries: 0 });
    await first.idle();
    await before.publish({
      url: setting.receiver.url,
      body: "later",
      delay: 3600,
      deduplicationId: "d",
    });
    await before.publish({ url: setting.receiver.url, body: "done" });
    await before.queue({ queueName: "q" }).upsert({ parallelism: 3 });
    await before.schedules.create({
      destination: setting.receiver.url,
      cron: "0 0 1 1 *",
      scheduleId: "s",
    });
    await first.idle();
    await first.close();
    setting.receiver.received = [];

    const second = await setting.open({ stateFile });
    const after = connect(second);
    expect((await after.schedules.list()).map(({ scheduleId }) => scheduleId)).toEqual(["s"]);
    expect(await after.queue({ queueName: "q" }).get()).toMatchObject({ parallelism: 3 });
    expect((await after.dlq.listMessages()).messages).toHaveLength(1);
    const again = await after.publish({ url: setting.receiver.url, deduplicationId: "d" });
    expect(again.deduplicated).toBe(true);
    await advance(second, 3600);
    expect(setting.bodies()).toEqual(["later"]);
  });

  test("a message under way when the process ends is delivered again", async () => {
    const stateFile = join(folder, "qstash.jsonl");
    const first = await setting.open({ stateFile });
    setting.receiver.next = ["hang"];
    await connect(first)
      .queue({ queueName: "q" })
      .enqueue({ url: setting.receiver.url, body: "1" });
    await connect(first)
      .queue({ queueName: "q" })
      .enqueue({ url: setting.receiver.url, body: "2" });
    await vi.waitFor(() => expect(setting.receiver.received).toHaveLength(1));
    await first.close();
    const second = await setting.open({ stateFile });
    await second.idle();
    expect(setting.bodies()).toEqual(["1", "1", "2"]);
  });
});
