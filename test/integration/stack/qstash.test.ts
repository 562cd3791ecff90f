import {
  advance,
  bodies,
  client,
  publish,
  qstash,
  receiver,
  schedule,
  statesOf,
  useQstash,
} from "./qstash-setting.ts";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";

useQstash();

describe("a published message", () => {
  test("is delivered with body, forwarded headers and QStash's own", async () => {
    const { messageId } = await client.publishJSON({
      url: `${receiver.url}/hook?x=1&y=%2F`,
      body: { hello: "wörld" },
      headers: { "X-Trace": "abc" },
    });
    await qstash.idle();
    const [request] = receiver.received;
    expect(request).toMatchObject({
      method: "POST",
      path: "/hook?x=1&y=%2F",
      body: '{"hello":"wörld"}',
    });
    expect(request!.headers).toMatchObject({
      "user-agent": "Upstash-QStash",
      "content-type": "application/json",
      "x-trace": "abc",
      "upstash-message-id": messageId,
      "upstash-retried": "0",
      "upstash-caller-ip": "127.0.0.1",
    });
    expect(await statesOf(messageId)).toEqual(["CREATED", "ACTIVE", "DELIVERED"]);
  });

  test("keeps its bytes and its method", async () => {
    const bytes = Buffer.from([0, 255, 1, 254]);
    await fetch(`${qstash.url}/v2/publish/${receiver.url}/raw`, {
      method: "POST",
      headers: {
        authorization: "Bearer secret",
        "content-type": "application/octet-stream",
        "upstash-method": "PUT",
      },
      body: bytes,
    });
    await qstash.idle();
    expect(receiver.received[0]!.method).toBe("PUT");
    expect(receiver.received[0]!.bytes).toEqual(bytes);
  });

  test("waits for its delay, and not-before wins over it", async () => {
    const notBefore = Math.floor(Date.now() / 1000) + 7200;
    await publish({ body: "delay", delay: 60 });
    await publish({ body: "long", delay: "1h" });
    await publish({ body: "at", delay: 5, notBefore });
    await advance(59);
    expect(bodies()).toEqual([]);
    await advance(1);
    expect(bodies()).toEqual(["delay"]);
    await advance(7200);
    expect(bodies()).toEqual(["delay", "long", "at"]);
    expect(Math.floor(receiver.received[2]!.at.getTime() / 1000)).toBe(notBefore);
  });

  test("can be looked at and cancelled while it waits", async () => {
    const { messageId } = await client.publishJSON({
      url: receiver.url,
      body: { a: 1 },
      delay: 600,
      label: ["one", "two"],
    });
    expect(await client.messages.get(messageId)).toMatchObject({
      messageId,
      url: receiver.url,
      method: "POST",
      body: '{"a":1}',
      maxRetries: 3,
      labels: ["one", "two"],
      header: { "content-type": ["application/json"] },
    });
    expect(await client.messages.cancel(messageId)).toEqual({ cancelled: 1 });
    await expect(client.messages.get(messageId)).rejects.toThrow("not found");
    await advance(700);
    expect(receiver.received).toEqual([]);
    expect(await statesOf(messageId)).toEqual(["CREATED", "CANCEL_REQUESTED", "CANCELLED"]);
  });

  test("can be cancelled in bulk, by filter", async () => {
    await publish({ body: "a", delay: 60, label: "x" });
    await publish({ body: "b", delay: 60, label: "y" });
    expect(await client.messages.cancel({ filter: { label: "x" } })).toEqual({
      cancelled: 1,
    });
    await advance(60);
    expect(bodies()).toEqual(["b"]);
  });

  test("can be cancelled in parts, the oldest first", async () => {
    for (const body of ["a", "b", "c"]) await publish({ body, delay: 60 });
    expect(await client.messages.cancel({ all: true, count: 2 })).toEqual({ cancelled: 2 });
    await advance(60);
    expect(bodies()).toEqual(["c"]);
    expect(await client.messages.cancel({ all: true })).toEqual({ cancelled: 0 });
  });

  test.each([
    "messages?lable=x",
    "messages?label=y&state_=z",
    "messages?count=0",
    "messages?count=x",
  ])("DELETE %s cancels nothing", async (path) => {
    await publish({ body: "a", delay: 60, label: "y" });
    const reply = await fetch(`${qstash.url}/v2/${path}`, {
      method: "DELETE",
      headers: { authorization: "Bearer secret" },
    });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toEqual({
      error: expect.stringMatching(/^(unknown filter (lable|state_)|invalid count .)$/),
    });
    await advance(60);
    expect(bodies()).toEqual(["a"]);
  });

  test("a filter that there is not is an error in the DLQ and the logs, too", async () => {
    for (const path of ["dlq", "logs", "events"]) {
      const reply = await fetch(`${qstash.url}/v2/${path}?lable=x`, {
        headers: { authorization: "Bearer secret" },
      });
      expect([path, reply.status]).toEqual([path, 400]);
    }
  });

  test("shows what is redacted as its digest, and delivers it as it is", async () => {
    const digest = (value: string) =>
      `REDACTED:${createHash("sha256").update(value).digest("hex")}`;
    receiver.always = { status: 500 };
    const { messageId } = await publish({
      body: "for your eyes",
      retries: 0,
      delay: 60,
      headers: { "X-Mine": "secret thing", "X-Trace": "abc", Authorization: "Bearer t0ken" },
      redact: { body: true, header: ["X-Mine"] },
    });
    const shown = {
      "x-mine": [digest("secret thing")],
      "x-trace": ["abc"],
      authorization: [digest("Bearer t0ken")],
    };
    expect(await client.messages.get(messageId)).toMatchObject({
      header: shown,
      body: digest("for your eyes"),
    });
    await advance(60);
    expect(receiver.received[0]).toMatchObject({
      body: "for your eyes",
      headers: { "x-mine": "secret thing", authorization: "Bearer t0ken" },
    });
    const { messages } = await client.dlq.listMessages();
    expect(messages[0]).toMatchObject({ header: shown, body: digest("for your eyes") });
    const { logs } = await client.logs({ messageIds: [messageId] });
    const words = JSON.stringify([logs, qstash.log.entries()]);
    expect(words).toContain(digest("secret thing"));
    for (const secret of ["secret thing", "t0ken", "for your eyes", btoa("for your eyes")])
      expect(words).not.toContain(secret);
  });

  test("of which all headers are redacted shows none, nor does its schedule", async () => {
    const { scheduleId } = await schedule({
      cron: "0 0 1 1 *",
      body: "b",
      headers: { "X-Trace": "abc" },
      redact: { header: true, body: true },
    });
    expect(JSON.stringify(await client.schedules.get(scheduleId))).not.toMatch(/abc|"b"/);
  });

  test.each([
    ["a destination without scheme", { url: "ftp://x" }],
    ["a bad retry expression", { url: "http://x.zz", retryDelay: "boom(1)" }],
    ["a bad delay", { url: "http://x.zz", delay: "soon" as "1s" }],
    ["a rate of none", { url: "http://x.zz", flowControl: { key: "k", rate: 0 } }],
    ["a bad callback", { url: "http://x.zz", callback: "nowhere" }],
  ])("with %s is refused", async (_, request) => {
    await expect(client.publish(request)).rejects.toThrow(/invalid|greater than 0/);
  });

  test("needs the right token", async () => {
    const reply = await fetch(`${qstash.url}/v2/publish/${receiver.url}`, {
      method: "POST",
      headers: { authorization: "Bearer wrong" },
    });
    expect([reply.status, await reply.json()]).toEqual([401, { error: "invalid token" }]);
    expect(receiver.received).toEqual([]);
  });
});

describe("a batch", () => {
  test("publishes each item, and a bad one fails alone", async () => {
    const replies = await client.batchJSON([
      { url: `${receiver.url}/1`, body: { n: 1 } },
      { url: "nowhere", body: { n: 2 } },
      { url: `${receiver.url}/3`, body: { n: 3 }, queueName: "q", retries: 0 },
    ]);
    await qstash.idle();
    expect(replies).toEqual([
      { messageId: expect.stringMatching(/^msg_/), url: `${receiver.url}/1` },
      { error: expect.stringContaining("invalid destination url") },
      { messageId: expect.stringMatching(/^msg_/), url: `${receiver.url}/3` },
    ]);
    expect(bodies().toSorted()).toEqual(['{"n":1}', '{"n":3}']);
  });
});

describe("deduplication", () => {
  test("an id counts once within ten minutes", async () => {
    const send = () => publish({ deduplicationId: "tick-1" });
    const first = await send();
    expect(await send()).toMatchObject({ messageId: first.messageId, deduplicated: true });
    await advance(601);
    expect((await send()).deduplicated).toBeUndefined();
    await qstash.idle();
    expect(receiver.received).toHaveLength(2);
  });

  test("by content looks at destination, body and forwarded headers", async () => {
    const send = (body: string, trace: string) =>
      publish({
        body,
        headers: { trace },
        contentBasedDeduplication: true,
      });
    await send("a", "1");
    expect((await send("a", "1")).deduplicated).toBe(true);
    expect((await send("b", "1")).deduplicated).toBeUndefined();
    expect((await send("a", "2")).deduplicated).toBeUndefined();
  });

  test("a duplicate is answered 202", async () => {
    const send = () =>
      fetch(`${qstash.url}/v2/publish/${receiver.url}`, {
        method: "POST",
        headers: { authorization: "Bearer secret", "upstash-deduplication-id": "x" },
      });
    expect([(await send()).status, (await send()).status]).toEqual([200, 202]);
  });
});

describe("callbacks", () => {
  test("tell of every attempt, the failure callback of the end", async () => {
    receiver.always = {};
    receiver.next = [{ status: 500, body: "no" }];
    const { messageId } = await client.publish({
      url: `${receiver.url}/work`,
      body: "job",
      retries: 0,
      callback: `${receiver.url}/done`,
      failureCallback: `${receiver.url}/failed`,
      headers: { "Upstash-Callback-Forward-X-Kind": "cb" },
    });
    await qstash.idle();
    const done = receiver.received.find(({ path }) => path === "/done")!;
    const failed = receiver.received.find(({ path }) => path === "/failed")!;
    expect(done.headers["x-kind"]).toBe("cb");
    expect(JSON.parse(done.body)).toMatchObject({
      status: 500,
      body: Buffer.from("no").toString("base64"),
      retried: 0,
      maxRetries: 0,
      sourceMessageId: messageId,
      sourceBody: Buffer.from("job").toString("base64"),
      url: `${receiver.url}/work`,
      method: "POST",
      callerIP: "127.0.0.1",
    });
    const { messages } = await client.dlq.listMessages();
    expect(JSON.parse(failed.body)).toMatchObject({ dlqId: messages[0]!.dlqId, status: 500 });
  });

  test("a callback is signed and retried like any message", async () => {
    receiver.next = [{}, { status: 500 }];
    await client.publish({
      url: `${receiver.url}/work`,
      callback: `${receiver.url}/done`,
    });
    await advance(60);
    expect(receiver.received.map(({ path }) => path)).toEqual(["/work", "/done", "/done"]);
    expect(receiver.received[2]!.headers["upstash-signature"]).toBeTruthy();
  });
});
