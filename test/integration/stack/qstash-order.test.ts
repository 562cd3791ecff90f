import { describe, expect, test, vi } from "vitest";
import { createQstashQueue } from "#src/providers/queue/qstash.ts";
import {
  advance,
  bodies,
  client,
  jump,
  jumpTo,
  KEYS,
  publish,
  qstash,
  receiver,
  schedule,
  useQstash,
} from "./qstash-setting.ts";

useQstash();

describe("schedules", () => {
  const atNextHour = async () => {
    const hour = 3_600_000;
    jumpTo(new Date(Math.ceil((Date.now() + 1) / hour) * hour));
    await qstash.idle();
  };

  test("run at each instant of their cron expression", async () => {
    await atNextHour();
    const { scheduleId } = await client.schedules.create({
      destination: `${receiver.url}/tick`,
      cron: "*/10 * * * *",
      body: "tick",
    });
    await advance(3600);
    expect(receiver.received.map(({ at }) => at.getUTCMinutes())).toEqual([10, 20, 30, 40, 50, 0]);
    expect(receiver.received[0]!.headers["upstash-schedule-id"]).toBe(scheduleId);
    expect(receiver.received.every(({ at }) => at.getUTCSeconds() < 2)).toBe(true);
  });

  test("the same id overwrites, and list and get show what is there", async () => {
    for (const cron of ["0 0 * * *", "0 12 * * *"]) {
      await schedule({ cron, scheduleId: "daily", retries: 1, queueName: "q", delay: 30 });
    }
    expect(await client.schedules.list()).toHaveLength(1);
    expect(await client.schedules.get("daily")).toMatchObject({
      scheduleId: "daily",
      cron: "0 12 * * *",
      destination: receiver.url,
      retries: 1,
      queueName: "q",
      delay: 30,
      isPaused: false,
    });
    await client.schedules.delete("daily");
    await expect(client.schedules.get("daily")).rejects.toThrow("not found");
  });

  test("a paused schedule skips its runs, a resumed one goes on with the next", async () => {
    await atNextHour();
    await schedule({ cron: "0 * * * *", scheduleId: "s" });
    await client.schedules.pause({ schedule: "s" });
    expect(qstash.nextDueAt()).toBeNull();
    await advance(3 * 3600 + 60);
    await client.schedules.resume({ schedule: "s" });
    await qstash.idle();
    expect(receiver.received).toEqual([]);
    await advance(3600);
    expect(receiver.received).toHaveLength(1);
  });

  test("runs that pile up in one jump of the clock become one, and the log says so", async () => {
    await atNextHour();
    await schedule({ cron: "* * * * *", scheduleId: "s" });
    jump(86400);
    await qstash.idle();
    expect(receiver.received).toHaveLength(1);
    expect(qstash.log.entries().map(({ summary }) => summary)).toContain(
      "schedule s: 1440 runs coalesced into one",
    );
  });

  test("a bad expression is refused", async () => {
    await expect(schedule({ cron: "61 * * * *" })).rejects.toThrow("invalid cron");
  });
});

describe("queues", () => {
  test("deliver one after another, in order, each after its retries and callbacks", async () => {
    // The first message fails once; so does the callback of its success.
    receiver.next = [{ status: 500 }, {}, {}, { status: 500 }];
    const queue = client.queue({ queueName: "fifo" });
    await queue.enqueueJSON({
      url: `${receiver.url}/1`,
      body: {},
      callback: `${receiver.url}/cb`,
      retryDelay: "60000",
    });
    await queue.enqueueJSON({ url: `${receiver.url}/2`, body: {} });
    await queue.enqueueJSON({ url: `${receiver.url}/3`, body: {} });
    await advance(3600);
    const paths = receiver.received.map(({ path }) => path);
    expect(paths.filter((path) => path !== "/cb")).toEqual(["/1", "/1", "/2", "/3"]);
    expect(paths.lastIndexOf("/cb")).toBeLessThan(paths.indexOf("/2"));
  });

  test("deliver as many at once as their parallelism allows", async () => {
    const queue = client.queue({ queueName: "wide" });
    await queue.upsert({ parallelism: 2 });
    const release = receiver.hold();
    for (let n = 0; n < 5; n++) await queue.enqueue({ url: receiver.url, body: String(n) });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2));
    expect(await queue.get()).toMatchObject({
      name: "wide",
      parallelism: 2,
      lag: 5,
      paused: false,
    });
    release();
    await qstash.idle();
    expect(receiver.received).toHaveLength(5);
  });

  test("a paused queue holds its messages until it is resumed", async () => {
    const queue = client.queue({ queueName: "held" });
    await queue.upsert({ parallelism: 1 });
    await queue.pause();
    await queue.enqueue({ url: receiver.url, body: "1" });
    await queue.enqueue({ url: receiver.url, body: "2" });
    await advance(600);
    expect(bodies()).toEqual([]);
    await queue.resume();
    await qstash.idle();
    expect(bodies()).toEqual(["1", "2"]);
  });

  test("a deleted queue takes its messages along", async () => {
    const queue = client.queue({ queueName: "gone" });
    await queue.upsert({ paused: true });
    await queue.enqueue({ url: receiver.url });
    await queue.delete();
    await advance(60);
    expect(receiver.received).toEqual([]);
    expect(await queue.list()).toEqual([]);
  });
});

describe("flow control", () => {
  test("parallelism limits how many of a key are under way", async () => {
    const release = receiver.hold();
    const flowControl = { key: "tenant", parallelism: 2 };
    for (let n = 0; n < 5; n++) await publish({ flowControl });
    await client.publish({
      url: `${receiver.url}/other`,
      flowControl: { key: "b", parallelism: 1 },
    });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(3));
    expect(await client.flowControl.get("tenant")).toMatchObject({
      parallelismMax: 2,
      parallelismCount: 2,
      waitListSize: 3,
    });
    release();
    await qstash.idle();
    expect(receiver.received).toHaveLength(6);
  });

  test("the service's own queue passes it on, also for messages of a batch", async () => {
    const release = receiver.hold();
    const queue = createQstashQueue({
      url: qstash.url,
      token: KEYS.token,
      callbackBaseUrl: receiver.url,
    });
    const flow = { key: "campaign-tick", parallelism: 2 };
    await queue.publishAll(
      [1, 2, 3, 4].map((n) => ({ callback: "campaign-tick", payload: { n }, flow })),
    );
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2));
    release();
    await qstash.idle();
    expect(receiver.received.map(({ path }) => path)).toEqual(
      Array.from({ length: 4 }, () => "/functions/campaign-tick"),
    );
  });

  test("rate limits how many of a key start in a period", async () => {
    const flowControl = { key: "tenant", rate: 2, period: "1m" } as const;
    for (let n = 0; n < 5; n++) await publish({ flowControl });
    await qstash.idle();
    expect(receiver.received).toHaveLength(2);
    await advance(60);
    expect(receiver.received).toHaveLength(4);
    await advance(60);
    expect(receiver.received).toHaveLength(5);
  });

  test("a paused key waits, a pinned one does not listen to publishers", async () => {
    await client.flowControl.pause("k");
    await publish({ flowControl: { key: "k", rate: 1 } });
    await advance(60);
    expect(receiver.received).toEqual([]);
    await client.flowControl.pin("k", { parallelism: 7 });
    await client.flowControl.resume("k");
    await publish({
      flowControl: { key: "k", parallelism: 1, rate: 5 },
    });
    await advance(5);
    expect(receiver.received).toHaveLength(2);
    expect(await client.flowControl.get("k")).toMatchObject({
      parallelismMax: 7,
      rateMax: 5,
    });
  });
});
