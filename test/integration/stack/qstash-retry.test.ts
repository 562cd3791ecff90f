import {
  advance,
  bodies,
  client,
  jump,
  publish,
  qstash,
  receiver,
  statesOf,
  useQstash,
} from "./qstash-setting.ts";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { startReceiver } from "./receiver.ts";

useQstash();
const secondsBetween = (times: Date[]) =>
  times.slice(1).map((at, i) => (at.getTime() - times[i]!.getTime()) / 1000);

describe("retries", () => {
  test("come after 12 s, 2m28s and 30m8s, then the message is dead", async () => {
    receiver.always = { status: 500, body: "broken" };
    const { messageId } = await client.publishJSON({ url: receiver.url, body: {} });
    await advance(40_000);
    expect(secondsBetween(receiver.received.map(({ at }) => at)).map(Math.floor)).toEqual([
      12, 148, 1808,
    ]);
    expect(receiver.received.map(({ headers }) => headers["upstash-retried"])).toEqual([
      "0",
      "1",
      "2",
      "3",
    ]);
    const { messages } = await client.dlq.listMessages();
    expect(messages).toMatchObject([
      { messageId, responseStatus: 500, responseBody: "broken", url: receiver.url },
    ]);
    expect((await statesOf(messageId)).at(-1)).toBe("FAILED");
    expect(await statesOf(messageId)).toHaveLength(1 + 4 + 4 + 3 + 1);
  });

  test("follow the message's own delay expression", async () => {
    receiver.always = { status: 500 };
    await publish({ retries: 2, retryDelay: "pow(10, retried) * 1000" });
    await advance(3600);
    expect(secondsBetween(receiver.received.map(({ at }) => at)).map(Math.floor)).toEqual([1, 10]);
  });

  test("come when the answer asks for them", async () => {
    receiver.next = [{ status: 429, headers: { "retry-after": "300" } }];
    await publish();
    await advance(3600);
    expect(secondsBetween(receiver.received.map(({ at }) => at)).map(Math.floor)).toEqual([300]);
  });

  test("are not made when the answer says that they are no use", async () => {
    receiver.next = [{ status: 489, headers: { "upstash-nonretryable-error": "true" } }];
    await publish();
    await advance(3600);
    expect(receiver.received).toHaveLength(1);
    expect((await client.dlq.listMessages()).messages).toHaveLength(1);
  });

  test("follow a destination that cannot be reached", async () => {
    const gone = await startReceiver();
    await gone.close();
    const { messageId } = await client.publish({ url: gone.url, retries: 1 });
    await advance(60);
    expect(await statesOf(messageId)).toEqual([
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
    receiver.next = ["hang"];
    const { messageId } = await publish({ timeout: 30 });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
    jump(29);
    expect(qstash.busy()).toBe(true);
    jump(2);
    await qstash.idle();
    expect((await statesOf(messageId)).at(-1)).toBe("RETRY");
  });
});

describe("the dead letter queue", () => {
  beforeEach(async () => {
    receiver.next = [{ status: 400 }, { status: 418 }, { status: 400 }];
    for (const path of ["a", "b", "c"]) {
      await client.publish({
        url: `${receiver.url}/${path}`,
        body: path,
        retries: 0,
      });
      await qstash.idle();
    }
    receiver.received = [];
  });

  test("lists, filters and pages, newest first", async () => {
    const first = await client.dlq.listMessages({ count: 2 });
    expect(first.messages.map(({ body }) => body)).toEqual(["c", "b"]);
    const rest = await client.dlq.listMessages({ cursor: first.cursor! });
    expect(rest.messages.map(({ body }) => body)).toEqual(["a"]);
    expect(rest.cursor).toBeUndefined();
    const teapots = await client.dlq.listMessages({ filter: { responseStatus: 418 } });
    expect(teapots.messages.map(({ body }) => body)).toEqual(["b"]);
  });

  test("a retried message is delivered anew and leaves it", async () => {
    const { messages } = await client.dlq.listMessages({
      filter: { url: `${receiver.url}/b` },
    });
    const { responses } = await client.dlq.retry(messages[0]!.dlqId);
    expect(responses).toHaveLength(1);
    await qstash.idle();
    expect(bodies()).toEqual(["b"]);
    expect((await client.dlq.listMessages()).messages).toHaveLength(2);
  });

  test("deletes one, some or all", async () => {
    const { messages } = await client.dlq.listMessages();
    await client.dlq.delete(messages[0]!.dlqId);
    expect(await client.dlq.delete({ filter: { label: "none" } })).toEqual({ deleted: 0 });
    expect(await client.dlq.delete({ all: true })).toEqual({ deleted: 2 });
    await expect(client.dlq.delete(messages[0]!.dlqId)).rejects.toThrow("not found");
  });
});
