import { advance, jump, qstashSetting } from "./qstash-setting.ts";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { startReceiver } from "./receiver.ts";

const setting = qstashSetting();
const secondsBetween = (times: Date[]) =>
  times.slice(1).map((at, i) => (at.getTime() - times[i]!.getTime()) / 1000);

describe("retries", () => {
  test("come after 12 s, 2m28s and 30m8s, then the message is dead", async () => {
    setting.receiver.always = { status: 500, body: "broken" };
    const { messageId } = await setting.client.publishJSON({ url: setting.receiver.url, body: {} });
    await advance(setting.qstash, 40_000);
    expect(secondsBetween(setting.receiver.received.map(({ at }) => at)).map(Math.floor)).toEqual([
      12, 148, 1808,
    ]);
    expect(setting.receiver.received.map(({ headers }) => headers["upstash-retried"])).toEqual([
      "0",
      "1",
      "2",
      "3",
    ]);
    const { messages } = await setting.client.dlq.listMessages();
    expect(messages).toMatchObject([
      { messageId, responseStatus: 500, responseBody: "broken", url: setting.receiver.url },
    ]);
    expect((await setting.statesOf(messageId)).at(-1)).toBe("FAILED");
    expect(await setting.statesOf(messageId)).toHaveLength(1 + 4 + 4 + 3 + 1);
  });

  test("stop at the first success", async () => {
    setting.receiver.next = [{ status: 503 }];
    await setting.client.publish({ url: setting.receiver.url });
    await advance(setting.qstash, 86_400);
    expect(setting.receiver.received).toHaveLength(2);
    expect((await setting.client.dlq.listMessages()).messages).toEqual([]);
  });

  test("follow the message's own delay expression", async () => {
    setting.receiver.always = { status: 500 };
    await setting.client.publish({
      url: setting.receiver.url,
      retries: 2,
      retryDelay: "pow(10, retried) * 1000",
    });
    await advance(setting.qstash, 3600);
    expect(secondsBetween(setting.receiver.received.map(({ at }) => at)).map(Math.floor)).toEqual([
      1, 10,
    ]);
  });

  test("come when the answer asks for them", async () => {
    setting.receiver.next = [{ status: 429, headers: { "retry-after": "300" } }];
    await setting.client.publish({ url: setting.receiver.url });
    await advance(setting.qstash, 3600);
    expect(secondsBetween(setting.receiver.received.map(({ at }) => at)).map(Math.floor)).toEqual([
      300,
    ]);
  });

  test("are not made when the answer says that they are no use", async () => {
    setting.receiver.next = [{ status: 489, headers: { "upstash-nonretryable-error": "true" } }];
    await setting.client.publish({ url: setting.receiver.url });
    await advance(setting.qstash, 3600);
    expect(setting.receiver.received).toHaveLength(1);
    expect((await setting.client.dlq.listMessages()).messages).toHaveLength(1);
  });

  test("follow a destination that cannot be reached", async () => {
    const gone = await startReceiver();
    await gone.close();
    const { messageId } = await setting.client.publish({ url: gone.url, retries: 1 });
    await advance(setting.qstash, 60);
    expect(await setting.statesOf(messageId)).toEqual([
      "CREATED",
      "ACTIVE",
      "ERROR",
      "RETRY",
      "ACTIVE",
      "ERROR",
      "FAILED",
    ]);
  });

  test("follow an answer that does not come within the timeout, by the stack's clock", async () => {
    setting.receiver.next = ["hang"];
    const { messageId } = await setting.client.publish({ url: setting.receiver.url, timeout: 30 });
    await vi.waitFor(() => expect(setting.receiver.received).toHaveLength(1));
    jump(29);
    expect(setting.qstash.busy()).toBe(true);
    jump(2);
    await setting.qstash.idle();
    expect((await setting.statesOf(messageId)).at(-1)).toBe("RETRY");
  });
});

describe("the dead letter queue", () => {
  beforeEach(async () => {
    setting.receiver.next = [{ status: 400 }, { status: 418 }, { status: 400 }];
    for (const path of ["a", "b", "c"]) {
      await setting.client.publish({
        url: `${setting.receiver.url}/${path}`,
        body: path,
        retries: 0,
      });
      await setting.qstash.idle();
    }
    setting.receiver.received = [];
  });

  test("lists, filters and pages, newest first", async () => {
    const first = await setting.client.dlq.listMessages({ count: 2 });
    expect(first.messages.map(({ body }) => body)).toEqual(["c", "b"]);
    const rest = await setting.client.dlq.listMessages({ cursor: first.cursor! });
    expect(rest.messages.map(({ body }) => body)).toEqual(["a"]);
    expect(rest.cursor).toBeUndefined();
    const teapots = await setting.client.dlq.listMessages({ filter: { responseStatus: 418 } });
    expect(teapots.messages.map(({ body }) => body)).toEqual(["b"]);
  });

  test("a retried message is delivered anew and leaves it", async () => {
    const { messages } = await setting.client.dlq.listMessages({
      filter: { url: `${setting.receiver.url}/b` },
    });
    const { responses } = await setting.client.dlq.retry(messages[0]!.dlqId);
    expect(responses).toHaveLength(1);
    await setting.qstash.idle();
    expect(setting.bodies()).toEqual(["b"]);
    expect((await setting.client.dlq.listMessages()).messages).toHaveLength(2);
  });

  test("deletes one, some or all", async () => {
    const { messages } = await setting.client.dlq.listMessages();
    await setting.client.dlq.delete(messages[0]!.dlqId);
    expect(await setting.client.dlq.delete({ filter: { label: "none" } })).toEqual({ deleted: 0 });
    expect(await setting.client.dlq.delete({ all: true })).toEqual({ deleted: 2 });
    await expect(setting.client.dlq.delete(messages[0]!.dlqId)).rejects.toThrow("not found");
  });
});
