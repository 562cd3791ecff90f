import { describe, expect, test, vi } from "vitest";
import { createQstashQueue } from "#src/providers/queue/qstash.ts";
import { advance, jump, jumpTo, KEYS, qstashSetting } from "./qstash-setting.ts";

const setting = qstashSetting();

describe("schedules", () => {
  const atNextHour = async () => {
    const hour = 3_600_000;
    jumpTo(new Date(Math.ceil((Date.now() + 1) / hour) * hour));
    await setting.qstash.idle();
  };

  test("run at each instant of their cron expression", async () => {
    await atNextHour();
    const { scheduleId } = await setting.client.schedules.create({
      destination: `${setting.receiver.url}/tick`,
      cron: "*/10 * * * *",
      body: "tick",
    });
    await advance(setting.qstash, 3600);
    expect(setting.receiver.received.map(({ at }) => at.getUTCMinutes())).toEqual([
      10, 20, 30, 40, 50, 0,
    ]);
    expect(setting.receiver.received[0]!.headers["upstash-schedule-id"]).toBe(scheduleId);
    expect(setting.receiver.received.every(({ at }) => at.getUTCSeconds() < 2)).toBe(true);
  });

  test("follow the zone of CRON_TZ", async () => {
    await setting.client.schedules.create({
      destination: setting.receiver.url,
      cron: "CRON_TZ=Asia/Kolkata 15 9 * * *",
    });
    await advance(setting.qstash, 86_400);
    expect(setting.receiver.received[0]!.at.toISOString()).toMatch(/T03:45:0[01]/);
  });

  test("the same id overwrites, and list and get show what is there", async () => {
    for (const cron of ["0 0 * * *", "0 12 * * *"]) {
      await setting.client.schedules.create({
        destination: setting.receiver.url,
        cron,
        scheduleId: "daily",
        retries: 1,
        queueName: "q",
        delay: 30,
      });
    }
    expect(await setting.client.schedules.list()).toHaveLength(1);
    expect(await setting.client.schedules.get("daily")).toMatchObject({
      scheduleId: "daily",
      cron: "0 12 * * *",
      destination: setting.receiver.url,
      retries: 1,
      queueName: "q",
      delay: 30,
      isPaused: false,
    });
    await setting.client.schedules.delete("daily");
    await expect(setting.client.schedules.get("daily")).rejects.toThrow("not found");
  });

  test("a paused schedule skips its runs, a resumed one goes on with the next", async () => {
    await atNextHour();
    await setting.client.schedules.create({
      destination: setting.receiver.url,
      cron: "0 * * * *",
      scheduleId: "s",
    });
    await setting.client.schedules.pause({ schedule: "s" });
    expect(setting.qstash.nextDueAt()).toBeNull();
    await advance(setting.qstash, 3 * 3600 + 60);
    await setting.client.schedules.resume({ schedule: "s" });
    await setting.qstash.idle();
    expect(setting.receiver.received).toEqual([]);
    await advance(setting.qstash, 3600);
    expect(setting.receiver.received).toHaveLength(1);
  });

  test("runs that pile up in one jump of the clock become one, and the log says so", async () => {
    await atNextHour();
    await setting.client.schedules.create({
      destination: setting.receiver.url,
      cron: "* * * * *",
      scheduleId: "s",
    });
    jump(86400);
    await setting.qstash.idle();
    expect(setting.receiver.received).toHaveLength(1);
    expect(setting.qstash.log.entries().map(({ summary }) => summary)).toContain(
      "schedule s: 1440 runs coalesced into one",
    );
  });

  test("a bad expression is refused", async () => {
    await expect(
      setting.client.schedules.create({ destination: setting.receiver.url, cron: "61 * * * *" }),
    ).rejects.toThrow("invalid cron");
  });
});

describe("queues", () => {
  test("deliver one after another, in order, each after its retries and callbacks", async () => {
    // The first message fails once; so does the callback of its success.
    setting.receiver.next = [{ status: 500 }, {}, {}, { status: 500 }];
    const queue = setting.client.queue({ queueName: "fifo" });
    await queue.enqueueJSON({
      url: `${setting.receiver.url}/1`,
      body: {},
      callback: `${setting.receiver.url}/cb`,
      retryDelay: "60000",
    });
    await queue.enqueueJSON({ url: `${setting.receiver.url}/2`, body: {} });
    await queue.enqueueJSON({ url: `${setting.receiver.url}/3`, body: {} });
    await advance(setting.qstash, 3600);
    const paths = setting.receiver.received.map(({ path }) => path);
    expect(paths.filter((path) => path !== "/cb")).toEqual(["/1", "/1", "/2", "/3"]);
    expect(paths.lastIndexOf("/cb")).toBeLessThan(paths.indexOf("/2"));
  });

  test("deliver as many at once as their parallelism allows", async () => {
    const queue = setting.client.queue({ queueName: "wide" });
    await queue.upsert({ parallelism: 2 });
    const release = setting.receiver.hold();
    for (let n = 0; n < 5; n++) await queue.enqueue({ url: setting.receiver.url, body: String(n) });
    await vi.waitFor(() => expect(setting.receiver.received).toHaveLength(2));
    expect(await queue.get()).toMatchObject({
      name: "wide",
      parallelism: 2,
      lag: 5,
      paused: false,
    });
    release();
    await setting.qstash.idle();
    expect(setting.receiver.received).toHaveLength(5);
  });

  test("a paused queue holds its messages until it is resumed", async () => {
    const queue = setting.client.queue({ queueName: "held" });
    await queue.upsert({ parallelism: 1 });
    await queue.pause();
    await queue.enqueue({ url: setting.receiver.url, body: "1" });
    await queue.enqueue({ url: setting.receiver.url, body: "2" });
    await advance(setting.qstash, 600);
    expect(setting.bodies()).toEqual([]);
    await queue.resume();
    await setting.qstash.idle();
    expect(setting.bodies()).toEqual(["1", "2"]);
  });

  test("a deleted queue takes its messages along", async () => {
    const queue = setting.client.queue({ queueName: "gone" });
    await queue.upsert({ paused: true });
    await queue.enqueue({ url: setting.receiver.url });
    await queue.delete();
    await advance(setting.qstash, 60);
    expect(setting.receiver.received).toEqual([]);
    expect(await queue.list()).toEqual([]);
  });
});

describe("flow control", () => {
  test("parallelism limits how many of a key are under way", async () => {
    const release = setting.receiver.hold();
    const flowControl = { key: "tenant", parallelism: 2 };
    for (let n = 0; n < 5; n++)
      await setting.client.publish({ url: setting.receiver.url, flowControl });
    await setting.client.publish({
      url: `${setting.receiver.url}/other`,
      flowControl: { key: "b", parallelism: 1 },
    });
    await vi.waitFor(() => expect(setting.receiver.received).toHaveLength(3));
    expect(await setting.client.flowControl.get("tenant")).toMatchObject({
      parallelismMax: 2,
      parallelismCount: 2,
      waitListSize: 3,
    });
    release();
    await setting.qstash.idle();
    expect(setting.receiver.received).toHaveLength(6);
  });

  test("the service's own queue passes it on, also for messages of a batch", async () => {
    const release = setting.receiver.hold();
    const queue = createQstashQueue({
      url: setting.qstash.url,
      token: KEYS.token,
      callbackBaseUrl: setting.receiver.url,
    });
    const flow = { key: "campaign-tick", parallelism: 2 };
    await queue.publishAll(
      [1, 2, 3, 4].map((n) => ({ callback: "campaign-tick", payload: { n }, flow })),
    );
    await vi.waitFor(() => expect(setting.receiver.received).toHaveLength(2));
    release();
    await setting.qstash.idle();
    expect(setting.receiver.received.map(({ path }) => path)).toEqual(
      Array.from({ length: 4 }, () => "/functions/campaign-tick"),
    );
  });

  test("rate limits how many of a key start in a period", async () => {
    const flowControl = { key: "tenant", rate: 2, period: "1m" } as const;
    for (let n = 0; n < 5; n++)
      await setting.client.publish({ url: setting.receiver.url, flowControl });
    await setting.qstash.idle();
    expect(setting.receiver.received).toHaveLength(2);
    await advance(setting.qstash, 60);
    expect(setting.receiver.received).toHaveLength(4);
    await advance(setting.qstash, 60);
    expect(setting.receiver.received).toHaveLength(5);
  });

  test("a paused key waits, a pinned one does not listen to publishers", async () => {
    await setting.client.flowControl.pause("k");
    await setting.client.publish({ url: setting.receiver.url, flowControl: { key: "k", rate: 1 } });
    await advance(setting.qstash, 60);
    expect(setting.receiver.received).toEqual([]);
    await setting.client.flowControl.pin("k", { parallelism: 7 });
    await setting.client.flowControl.resume("k");
    await setting.client.publish({
      url: setting.receiver.url,
      flowControl: { key: "k", parallelism: 1, rate: 5 },
    });
    await advance(setting.qstash, 5);
    expect(setting.receiver.received).toHaveLength(2);
    expect(await setting.client.flowControl.get("k")).toMatchObject({
      parallelismMax: 7,
      rateMax: 5,
    });
  });
});
