import {
  advance,
  bodies,
  client,
  inSeconds,
  jump,
  KEYS,
  publish,
  qstash,
  receiver,
  useQstash,
} from "./qstash-setting.ts";
import { Receiver as Verifier } from "@upstash/qstash";
import { describe, expect, test, vi } from "vitest";
import { createQstashQueue } from "#src/providers/queue/qstash.ts";
import { startReceiver } from "./receiver.ts";

useQstash();

const call = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(qstash.url + path, { method, headers: { authorization: "Bearer secret", ...headers } });

/** Whole seconds between the deliveries. */
const gaps = () => {
  const times = receiver.received.map(({ at }) => at.getTime());
  return times.slice(1).map((at, i) => Math.floor((at - times[i]!) / 1000));
};

const givenUp = () =>
  qstash.log.entries().filter(({ summary }) => summary.startsWith("given up")).length;

describe("a published message", () => {
  test("is delivered with its body, signed, and with QStash's headers", async () => {
    const url = `${receiver.url}/hook?x=1&y=%2F`;
    const { messageId } = await client.publishJSON({ url, body: { hello: "wörld ☃" } });
    await qstash.idle();
    const [{ method, path, headers, body } = expect.unreachable()] = receiver.received;
    expect({ method, path, body }).toEqual({
      method: "POST",
      path: "/hook?x=1&y=%2F",
      body: '{"hello":"wörld ☃"}',
    });
    expect(headers).toMatchObject({
      "user-agent": "Upstash-QStash",
      "content-type": "application/json",
      "upstash-message-id": messageId,
      "upstash-retried": "0",
    });
    const verified = (change: object = {}) =>
      new Verifier({ ...KEYS, devMode: false }).verify({
        signature: String(headers["upstash-signature"]),
        body,
        url,
        ...change,
      });
    await expect(verified()).resolves.toBe(true);
    await expect(verified({ body: body.replace("ö", "o") })).rejects.toThrow("body hash");
    await expect(verified({ url: `${receiver.url}/hook` })).rejects.toThrow("invalid subject");
    jump(270);
    await expect(verified()).resolves.toBe(true);
    jump(31);
    await expect(verified()).rejects.toThrow("signature verification failed");
  });

  test("waits for its instant, and can be forgotten while it does", async () => {
    const notBefore = inSeconds(7200);
    await publish({ body: "late", notBefore });
    await publish({ body: "soon", notBefore: notBefore - 3600 });
    expect(qstash.waiting()).toEqual([
      { url: receiver.url, body: "late" },
      { url: receiver.url, body: "soon" },
    ]);
    await advance(7100);
    expect(bodies()).toEqual(["soon"]);
    await advance(200);
    expect(bodies()).toEqual(["soon", "late"]);
    expect(Math.floor(receiver.received[1]!.at.getTime() / 1000)).toBe(notBefore);
    await publish({ body: "never", notBefore: inSeconds(60) });
    qstash.clear();
    await advance(100);
    expect([bodies(), qstash.waiting()]).toEqual([["soon", "late"], []]);
  });

  test("with one deduplication id counts once within ten minutes", async () => {
    const send = () => publish({ deduplicationId: "tick-1" });
    const first = await send();
    expect(await send()).toMatchObject({ messageId: first.messageId, deduplicated: true });
    await advance(601);
    expect((await send()).deduplicated).toBeUndefined();
    await qstash.idle();
    expect(receiver.received).toHaveLength(2);
  });

  test("that is not what QStash takes, or of which the stack knows nothing, is refused", async () => {
    const told = async (headers: Record<string, string>, to = receiver.url) => {
      const reply = await call("POST", `/v2/publish/${to}`, headers);
      return [reply.status, ((await reply.json()) as { error: string }).error];
    };
    expect(await told({}, "ftp://x")).toEqual([400, expect.stringContaining("destination url")]);
    expect(await told({ authorization: "Bearer wrong" })).toEqual([401, "invalid token"]);
    for (const [name, value, words] of [
      ["upstash-retries", "many", "invalid retries many"],
      ["upstash-failure-callback", "nowhere", "invalid failure-callback url"],
      ["upstash-method", "PUT", "by POST, not by PUT"],
      ["upstash-delay", "1s", "does not take the header upstash-delay"],
      ["upstash-forward-x", "y", "does not take the header upstash-forward-x"],
    ] as const)
      expect(await told({ [name]: value })).toEqual([400, expect.stringContaining(words)]);
    expect(receiver.received).toEqual([]);
    const unknown = await call("GET", "/v2/dlq?count=1");
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { error: "no such endpoint: GET /v2/dlq?count=1" },
    ]);
  });
});

test("of a batch each item is published, and a bad one fails alone", async () => {
  const replies = await client.batchJSON([
    { url: `${receiver.url}/1`, body: { n: 1 } },
    { url: "nowhere", body: { n: 2 } },
    { url: receiver.url, body: { n: 3 }, queueName: "q" },
    { url: `${receiver.url}/4`, body: { n: 4 }, retries: 0 },
  ]);
  await qstash.idle();
  expect(replies).toEqual([
    { messageId: expect.stringMatching(/^msg_/), url: `${receiver.url}/1` },
    { error: expect.stringContaining("invalid destination url") },
    { error: expect.stringContaining('does not take "queue"') },
    { messageId: expect.stringMatching(/^msg_/), url: `${receiver.url}/4` },
  ]);
  expect(bodies().toSorted()).toEqual(['{"n":1}', '{"n":4}']);
});

test("of one flow-control key no more are under way than its parallelism", async () => {
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
  await queue.publish({ callback: "other", payload: {}, flow: { key: "b", parallelism: 1 } });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(3));
  release();
  await qstash.idle();
  expect(receiver.received.map(({ path }) => path).toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => "/functions/campaign-tick"),
    "/functions/other",
  ]);
});

describe("retries", () => {
  test("come after 12 s, 2m28s and 30m8s, then the message is given up", async () => {
    receiver.always = { status: 500 };
    await publish();
    await advance(40_000);
    expect(gaps()).toEqual([12, 148, 1808]);
    expect(receiver.received.map(({ headers }) => headers["upstash-retried"])).toEqual([
      "0",
      "1",
      "2",
      "3",
    ]);
    expect([givenUp(), qstash.waiting()]).toEqual([1, []]);
  });

  test("come when the answer asks for them, and not more often than the message says", async () => {
    receiver.next = [{ status: 429, headers: { "retry-after": "300" } }, { status: 500 }];
    await publish({ retries: 1 });
    await advance(3600);
    expect([gaps(), givenUp()]).toEqual([[300], 1]);
  });

  test("follow a destination that cannot be reached", async () => {
    const gone = await startReceiver();
    await gone.close();
    await client.publish({ url: gone.url, retries: 1 });
    await advance(60);
    expect(qstash.log.entries().map(({ summary }) => summary)).toEqual([
      expect.stringContaining("POST /v2/publish"),
      expect.stringContaining("ECONNREFUSED"),
      expect.stringContaining("ECONNREFUSED"),
      expect.stringContaining("given up"),
    ]);
  });

  test("follow an answer that does not come within the timeout, by the stack's clock", async () => {
    receiver.next = ["hang"];
    await publish({ timeout: 30 });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
    jump(29);
    expect(qstash.busy()).toBe(true);
    jump(2);
    await qstash.idle();
    expect(qstash.waiting()).toHaveLength(1);
    await advance(30);
    expect(receiver.received[1]!.headers["upstash-retried"]).toBe("1");
  });

  test("end with the failure callback, which is signed and retried like any message", async () => {
    receiver.next = [{ status: 500, body: "no" }, { status: 500 }];
    const { messageId } = await client.publish({
      url: `${receiver.url}/work`,
      body: "job",
      retries: 0,
      failureCallback: `${receiver.url}/failed`,
    });
    await qstash.idle();
    expect(receiver.received.map(({ path }) => path)).toEqual(["/work", "/failed"]);
    const { headers, body } = receiver.received[1]!;
    expect(headers["upstash-signature"]).toBeTruthy();
    expect(JSON.parse(body)).toMatchObject({
      status: 500,
      body: Buffer.from("no").toString("base64"),
      sourceMessageId: messageId,
      sourceBody: Buffer.from("job").toString("base64"),
      url: `${receiver.url}/work`,
    });
    expect(givenUp()).toBe(2);
  });
});

describe("faults", () => {
  test("duplicate delivers a message twice", async () => {
    qstash.faults.order("duplicate", 1);
    await publish();
    await qstash.idle();
    const ids = receiver.received.map(({ headers }) => headers["upstash-message-id"]);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  test("lose forgets a message silently", async () => {
    qstash.faults.order("lose", 1);
    await publish({ body: "lost" });
    await publish({ body: "kept" });
    await advance(86_400);
    expect(bodies()).toEqual(["kept"]);
  });

  test("unavailable refuses one request", async () => {
    qstash.faults.order("unavailable", 1);
    await expect(publish()).rejects.toMatchObject({ status: 503 });
    await publish();
  });
});
