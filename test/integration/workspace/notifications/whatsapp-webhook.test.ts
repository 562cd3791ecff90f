import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApi, type TestApi } from "../../../support/api.ts";
import { api, useApi } from "../../../support/use-api.ts";

const SECRET = "whatsapp-app-secret-for-tests";
const TOKEN = "whatsapp-verify-token-for-tests";
const PATH = "/api/v1/notifications/whatsapp/webhook";

useApi();

const signatureOf = (body: string | Uint8Array, secret = SECRET) =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

async function post(
  body: string | Uint8Array,
  headers: Record<string, string> = { "x-hub-signature-256": signatureOf(body) },
) {
  const response = await api.request(PATH, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: body as BodyInit,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** As Meta documents it, with what this service does not read. */
const event = (...statuses: unknown[]) => ({
  object: "whatsapp_business_account",
  entry: [
    {
      id: "102290129340398",
      changes: [
        {
          value: {
            messaging_product: "whatsapp",
            metadata: { display_phone_number: "15550783881", phone_number_id: "106540352242922" },
            statuses,
          },
          field: "messages",
        },
      ],
    },
  ],
});

const status = (more: object = {}) => ({
  id: "wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBI3N0EyQTEzNTVCNzU5MkFBQkMA",
  status: "delivered",
  timestamp: "1731089137",
  recipient_id: "16505551234",
  conversation: { id: "6ceb9d929c9bdc4f90967a32f8639b4a", origin: { type: "utility" } },
  pricing: { billable: true, pricing_model: "PMP", category: "utility" },
  ...more,
});

describe("the handshake", () => {
  const ask = async (query: Record<string, string>) => {
    const response = await api.request(`${PATH}?${new URLSearchParams(query)}`);
    const type = response.headers.get("content-type");
    return { status: response.status, type, text: await response.text() };
  };
  const asked = {
    "hub.mode": "subscribe",
    "hub.verify_token": TOKEN,
    "hub.challenge": "1158201444",
  };

  test("answers the challenge, and nothing else, to whoever knows the token", async () => {
    expect(await ask(asked)).toEqual({
      status: 200,
      type: expect.stringContaining("text/plain"),
      text: "1158201444",
    });
  });

  test.each(["", "x", `${TOKEN}x`, TOKEN.slice(0, -1), TOKEN.toUpperCase(), "t".repeat(9000)])(
    "another token is 403: %s",
    async (token) => {
      const reply = await ask({ ...asked, "hub.verify_token": token });
      expect(reply.status).toBe(403);
      expect(reply.text).not.toContain("1158201444");
    },
  );

  test.each([
    ["another mode", { "hub.mode": "unsubscribe" }],
    ["a challenge that is a page", { "hub.challenge": "<script>alert(1)</script> x" }],
    ["a challenge without end", { "hub.challenge": "1".repeat(201) }],
  ])("%s is 422", async (_, change) => {
    expect((await ask({ ...asked, ...change })).status).toBe(422);
  });
});

describe("statuses", () => {
  test("a signed event is taken, and again when it is replayed", async () => {
    const body = JSON.stringify(
      event(status({ status: "sent" }), status(), status({ status: "read" })),
    );
    expect(await post(body)).toMatchObject({ status: 200, body: { statuses: 3 } });
    expect(await post(body)).toMatchObject({ status: 200, body: { statuses: 3 } });
  });

  const body = JSON.stringify(event(status()));
  test.each<[string, Record<string, string>]>([
    ["no signature", {}],
    ["an empty one", { "x-hub-signature-256": "" }],
    ["one without its name", { "x-hub-signature-256": signatureOf(body).slice(7) }],
    ["one of another secret", { "x-hub-signature-256": signatureOf(body, "another secret") }],
    ["one of another body", { "x-hub-signature-256": signatureOf(`${body} `) }],
    ["half of it", { "x-hub-signature-256": signatureOf(body).slice(0, 39) }],
    ["two of them", { "x-hub-signature-256": `${signatureOf(body)},${signatureOf(body)}` }],
    [
      "the older kind",
      { "x-hub-signature": `sha1=${createHmac("sha1", SECRET).update(body).digest("hex")}` },
    ],
  ])("%s is 401", async (_, headers) => {
    expect((await post(body, headers)).status).toBe(401);
  });

  test("it is never limited, forged or not", async () => {
    const forged = await Promise.all(Array.from({ length: 50 }, () => post(body, {})));
    expect(new Set(forged.map((reply) => reply.status))).toEqual(new Set([401]));
    const right = await Promise.all(Array.from({ length: 50 }, () => post(body)));
    expect(new Set(right.map((reply) => reply.status))).toEqual(new Set([200]));
    expect(right[0]!.headers.has("ratelimit")).toBe(false);
  });

  test.each([
    ["null", "null"],
    ["a list", "[]"],
    ["a number", "1"],
    ["nothing in it", "{}"],
    ["entries that are none", '{"entry":[null,1,"x",{"changes":{}},{"changes":[null]}]}'],
    ["a change of another field", JSON.stringify({ entry: [{ changes: [{ value: 1 }] }] })],
    [
      "a million brackets",
      `{"entry":[{"changes":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}]}`,
    ],
    ["a prototype", '{"__proto__":{"entry":[]},"constructor":{"prototype":{}}}'],
  ])("a signed body with %s holds no status", async (_, text) => {
    expect(await post(text)).toMatchObject({ status: 200, body: { statuses: 0 } });
  });

  test.each([
    ["no id", { id: undefined }],
    ["an id that is an object", { id: {} }],
    ["an id with a line end", { id: "wamid.a\nb" }],
    ["an id without end", { id: "w".repeat(100_000) }],
    ["a status of tomorrow", { status: "warning" }],
    ["a time that is none", { timestamp: "yesterday" }],
    ["a time beyond all calendars", { timestamp: "9999999999999999999" }],
    ["a time after 2100", { timestamp: "9999999999" }],
  ])("one with %s is left out, and costs the others nothing", async (_, change) => {
    const text = JSON.stringify(event(status(change), null, 7, status()));
    expect(await post(text)).toMatchObject({ status: 200, body: { statuses: 1 } });
  });

  test("thousands of them in one body are taken", async () => {
    const many = Array.from({ length: 5000 }, (_, index) => status({ id: `wamid.${index}` }));
    expect(await post(JSON.stringify(event(...many)))).toMatchObject({ body: { statuses: 5000 } });
  });

  test.each<[string, number, string | Uint8Array, Record<string, string>]>([
    ["what is no JSON", 400, "statuses", {}],
    ["what is no UTF-8", 400, Buffer.from([0x7b, 0xff, 0x7d]), {}],
    ["what is larger than 4 MiB", 413, " ".repeat(4 * 1024 * 1024 + 1), {}],
    ["what is no JSON by its type", 415, "{}", { "content-type": "text/plain" }],
    ["what is compressed", 415, "{}", { "content-encoding": "gzip" }],
  ])("%s is %i, though signed", async (_, expected, text, headers) => {
    const signed = { "x-hub-signature-256": signatureOf(text), ...headers };
    expect((await post(text, signed)).status).toBe(expected);
  });
});

test("what a status says is read, and what is odd in it is not", () => {
  const read = (more: object) => api.deps.messagingEvents!.statusesOf(event(status(more)))[0];
  expect(read({ biz_opaque_callback_data: "delivery-1", status: "sent" })).toEqual({
    id: status().id,
    reference: "delivery-1",
    status: "sent",
    at: new Date("2024-11-08T18:05:37Z"),
    failure: null,
  });
  const undeliverable = {
    code: 131026,
    title: "Message undeliverable",
    message: "Message undeliverable",
    error_data: { details: "Message\nUndeliverable." },
    href: "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
  };
  expect(read({ status: "failed", errors: [undeliverable, {}] })?.failure).toEqual({
    code: "131026",
    detail: "Message undeliverable: Message Undeliverable.",
  });
  for (const errors of [undefined, null, [], [null], "x", [{ code: "x", title: {} }]])
    expect(read({ status: "failed", errors })?.failure?.code).toBe("unknown");
  for (const reference of [{}, "", "a\u0000b", "x".repeat(201), 7])
    expect(read({ biz_opaque_callback_data: reference })?.reference).toBeNull();
});

describe("where it is not configured", () => {
  let bare: TestApi;
  beforeAll(async () => {
    bare = await startApi({ WHATSAPP_APP_SECRET: undefined!, WHATSAPP_VERIFY_TOKEN: undefined! });
  });
  afterAll(() => bare.close());

  test("both operations say so", async () => {
    const query = `hub.mode=subscribe&hub.verify_token=${TOKEN}&hub.challenge=1`;
    for (const reply of [
      await bare.request(`${PATH}?${query}`),
      await bare.request(PATH, { method: "POST", body: "{}" }),
    ]) {
      expect(reply.status).toBe(503);
      expect(await reply.json()).toMatchObject({ detail: "WHATSAPP_WEBHOOK_NOT_CONFIGURED" });
    }
    expect(bare.deps.messaging).toBeNull();
  });
});
