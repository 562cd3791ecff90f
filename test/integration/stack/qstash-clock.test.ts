import {
  advance,
  bodies,
  connect,
  inSeconds,
  jump,
  jumpTo,
  open,
  publish,
  qstash,
  receiver,
  schedule,
  client,
  useQstash,
} from "./qstash-setting.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, afterEach, describe, expect, test, vi } from "vitest";

useQstash();

describe("as a timed part", () => {
  test("it is busy from the moment something falls due until it is done", async () => {
    await publish({ notBefore: inSeconds(100) });
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

describe("schedules", () => {
  const atNextHour = async () => {
    const hour = 3_600_000;
    jumpTo(new Date(Math.ceil((Date.now() + 1) / hour) * hour));
    await qstash.idle();
  };

  test("run at each instant of their cron expression", async () => {
    await atNextHour();
    await schedule("*/20 * * * *", "s");
    await advance(3600);
    expect(receiver.received.map(({ at }) => at.getUTCMinutes())).toEqual([20, 40, 0]);
    expect(receiver.received[0]!.headers["upstash-schedule-id"]).toBe("s");
    expect(receiver.received.every(({ at }) => at.getUTCSeconds() < 2)).toBe(true);
  });

  test("the same id overwrites, and list and get show what is there", async () => {
    for (const cron of ["* * * * *", "*/2 * * * *"]) await schedule(cron, "s");
    expect(await client.schedules.list()).toHaveLength(1);
    expect(await client.schedules.get("s")).toMatchObject({
      scheduleId: "s",
      cron: "*/2 * * * *",
      destination: `${receiver.url}/tick`,
      isPaused: false,
    });
    await client.schedules.delete("s");
    await expect(client.schedules.get("s")).rejects.toThrow("not found");
    await expect(schedule("0 9 * * *", "s")).rejects.toThrow("invalid cron");
  });

  test("a paused one skips its runs, a resumed one goes on with the next", async () => {
    await atNextHour();
    await schedule("*/20 * * * *", "s");
    await client.schedules.pause({ schedule: "s" });
    expect(qstash.nextDueAt()).toBeNull();
    await advance(3600 + 60);
    await client.schedules.resume({ schedule: "s" });
    await qstash.idle();
    expect(receiver.received).toEqual([]);
    await advance(1200);
    expect(receiver.received).toHaveLength(1);
  });

  test("runs that pile up in one jump of the clock become one, and the log says so", async () => {
    await atNextHour();
    await schedule("* * * * *", "s");
    jump(86400);
    await qstash.idle();
    expect(receiver.received).toHaveLength(1);
    expect(qstash.log.entries().map(({ summary }) => summary)).toContain(
      "schedule s: 1440 runs coalesced into one",
    );
  });
});

describe("the state file", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "qstash-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("messages and schedules outlive the process, and what was under way comes again", async () => {
    const stateFile = join(folder, "qstash.jsonl");
    const first = await open({ stateFile });
    const before = connect(first);
    const notBefore = inSeconds(3600);
    await before.publish({ url: receiver.url, body: "later", notBefore, deduplicationId: "d" });
    await before.publish({ url: receiver.url, body: "done" });
    await before.schedules.create({
      destination: receiver.url,
      cron: "* * * * *",
      scheduleId: "s",
    });
    await before.schedules.pause({ schedule: "s" });
    await first.idle();
    receiver.next = ["hang"];
    await before.publish({ url: receiver.url, body: "cut" });
    await vi.waitFor(() => expect(bodies()).toEqual(["done", "cut"]));
    await first.close();

    const second = await open({ stateFile });
    const after = connect(second);
    expect((await after.schedules.list()).map(({ scheduleId }) => scheduleId)).toEqual(["s"]);
    const again = await after.publish({ url: receiver.url, deduplicationId: "d" });
    expect(again.deduplicated).toBe(true);
    await advance(3602, second);
    expect(bodies()).toEqual(["done", "cut", "cut", "later"]);
  });
});
