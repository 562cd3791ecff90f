import "../../../scripts/stack/warp.ts";
import { createHmac } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MessagingPart } from "../../../scripts/stack/messaging/messaging.ts";
import { setWarpOffsetMs, warpOffsetMs } from "../../../scripts/stack/warp.ts";
import { createWhatsappEvents } from "#src/providers/messaging/whatsapp-events.ts";
import { notice, openPart, SECRETS, whatsappAt } from "../messaging/setting.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

let part: MessagingPart;
beforeEach(async () => {
  part = await openPart();
});
afterEach(() => part.close());

const send = (more: Parameters<typeof notice>[0] = {}, timeoutMs = 5_000) =>
  whatsappAt(part.url, { timeoutMs }).sendTemplate(notice(more));

/** One raw request to the Cloud API. */
async function post(
  body: unknown,
  { token = SECRETS.accessToken, id = part.phoneNumberId, version = "v24.0" } = {},
) {
  const response = await fetch(`${part.url}/${version}/${id}/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as never };
}

const text = (value: string) => ({ type: "text", text: value });
const body = (more: object = {}, template: object = {}) => ({
  messaging_product: "whatsapp",
  to: "4915112345678",
  type: "template",
  template: {
    name: "overture_campaign_event",
    language: { code: "en" },
    components: [{ type: "body", parameters: ["A", "B", "C"].map(text) }],
    ...template,
  },
  ...more,
});
const withParameters = (...values: string[]) =>
  body({}, { components: [{ type: "body", parameters: values.map(text) }] });

describe("the Cloud API", () => {
  test("takes what the adapter sends, fills the template in and keeps it", async () => {
    const outcome = await send({ reference: "delivery-1" });
    expect(outcome).toEqual({ kind: "sent", id: expect.stringMatching(/^wamid\./) });
    expect(part.messages()).toEqual([
      {
        id: (outcome as { id: string }).id,
        to: "+4915112345678",
        template: "overture_campaign_event",
        language: "en",
        parameters: ["Spring", "It was paused", "Resume it"],
        text: expect.stringMatching(
          /^News of the campaign Spring\n\nWhat happened: It was paused\n/,
        ),
        reference: "delivery-1",
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        status: "delivered",
        failure: null,
      },
    ]);
  });

  test.each(["+4915112345678", "4915112345678", "+49 (151) 123-45678"])(
    "the recipient may be written %s",
    async (to) => {
      expect(await post(body({ to }))).toEqual({
        status: 200,
        body: {
          messaging_product: "whatsapp",
          contacts: [{ input: to, wa_id: "4915112345678" }],
          messages: [{ id: expect.stringMatching(/^wamid\./), message_status: "accepted" }],
        },
      });
      expect(part.messages({ to: "+4915112345678" })).toHaveLength(1);
    },
  );

  test.each<[string, unknown, number, number]>([
    ["no JSON", "to=1", 400, 100],
    ["no product", body({ messaging_product: undefined }), 400, 100],
    ["no recipient", body({ to: undefined }), 400, 100],
    ["a key that the API does not know", body({ too: "x" }), 400, 100],
    ["a recipient that is no number", body({ to: "me@example.com" }), 400, 131009],
    ["the sender's own number", body({ to: "15550100100" }), 400, 131021],
    ["a text without a template", body({ type: "text" }), 400, 131051],
    ["no template", body({ template: undefined }), 400, 131008],
    ["an unknown template", body({}, { name: "nope" }), 404, 132001],
    ["a language it was not approved in", body({}, { language: { code: "de" } }), 404, 132001],
    ["a parameter too few", withParameters("A", "B"), 400, 132000],
    ["a parameter too many", withParameters("A", "B", "C", "D"), 400, 132000],
    ["no parameters", body({}, { components: [] }), 400, 132000],
    ["an empty one", withParameters("A", "", "C"), 400, 131008],
    ["a line end", withParameters("A", "B\nB", "C"), 400, 132018],
    ["a tab", withParameters("A", "B\tB", "C"), 400, 132018],
    ["five spaces", withParameters("A", "B     B", "C"), 400, 132018],
    ["too long a text", withParameters("A", "B".repeat(1024), "C"), 400, 132005],
  ])("refuses %s", async (_, wrong, status, code) => {
    const reply = await post(wrong);
    expect(reply).toMatchObject({
      status,
      body: { error: { code, type: "OAuthException", fbtrace_id: expect.any(String) } },
    });
    expect(part.messages()).toEqual([]);
  });

  test("refuses another token and another number's id", async () => {
    expect(await post(body(), { token: "EAAother" })).toMatchObject({
      status: 401,
      body: { error: { code: 190 } },
    });
    expect(await post(body(), { id: "100000000000002" })).toMatchObject({
      status: 400,
      body: { error: { code: 100, error_subcode: 33, type: "GraphMethodException" } },
    });
  });

  test("takes a burst of 45 to one number in six seconds, and no more", async () => {
    const burst = await Promise.all(Array.from({ length: 45 }, () => post(body())));
    expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await send()).toMatchObject({ kind: "busy", retryAfterSeconds: 6 });
    expect(await send({ to: "+4915100000002" })).toMatchObject({ kind: "sent" });
    setWarpOffsetMs(warpOffsetMs() + 6_001);
    expect(await send()).toMatchObject({ kind: "sent" });
  });
});

describe("faults that were ordered, as the adapter meets them", () => {
  test.each<[string, object, number]>([
    ["down", { kind: "unknown" }, 0],
    ["lying", { kind: "unknown" }, 0],
    ["lost_answer", { kind: "unknown" }, 1],
    ["server_error", { kind: "busy" }, 0],
    ["rate_limited", { kind: "busy", retryAfterSeconds: 30 }, 0],
    ["token_expired", { kind: "refused", code: "190" }, 0],
    ["template_paused", { kind: "refused", code: "132015" }, 0],
    ["refused_recipient", { kind: "refused", code: "131026" }, 0],
    ["undeliverable", { kind: "sent" }, 1],
  ])("%s", async (fault, outcome, arrived) => {
    part.faults.order(fault, 1);
    expect(await send()).toMatchObject(outcome);
    expect(part.messages()).toHaveLength(arrived);
    expect(await send()).toMatchObject({ kind: "sent" });
    expect(part.faults.pending()).toEqual({});
  });

  test("slow: a message whose sender has given up may still arrive", async () => {
    part.faults.order("slow", 1);
    expect(await send({}, 100)).toMatchObject({ kind: "unknown" });
    await expect.poll(() => part.messages().length, { timeout: 5_000 }).toBe(1);
  });
});

describe("statuses", () => {
  let app: Receiver;
  beforeEach(async () => {
    app = await startReceiver();
    app.always = { body: "{}" };
  });
  afterEach(() => app.close());

  /** The app answers the challenge of whoever knows its token, as ours does. */
  async function subscribe(): Promise<void> {
    app.always = ({ path: at }) => {
      const query = new URL(at, app.url).searchParams;
      const isOurs = query.get("hub.verify_token") === SECRETS.verifyToken;
      return { body: isOurs ? query.get("hub.challenge")! : "no" };
    };
    await part.subscribe(`${app.url}/webhook`);
    app.received.length = 0;
    app.always = { body: "{}" };
  }
  const told = () =>
    app.received.flatMap(({ body: json }) =>
      createWhatsappEvents(SECRETS).statusesOf(JSON.parse(json)),
    );
  const toldStatuses = () => told().map(({ status }) => status);
  async function tells(count: number): Promise<void> {
    await expect.poll(() => app.received.length, { timeout: 5_000 }).toBe(count);
  }

  test("an app that does not answer the challenge is not told anything", async () => {
    await expect(part.subscribe(`${app.url}/webhook`)).rejects.toThrow("did not prove");
    app.received.length = 0;
    await send();
    expect(part.busy()).toBe(false);
    expect(app.received).toEqual([]);
  });

  test("sent, delivered and read are told in this order, signed, with the sender's reference", async () => {
    await subscribe();
    const outcome = (await send({ reference: "delivery-1" })) as { id: string };
    await tells(2);
    const read = await fetch(`${part.url}/api/messages/${encodeURIComponent(outcome.id)}/read`, {
      method: "POST",
    });
    expect(await read.json()).toMatchObject({ status: "read" });
    await tells(3);
    expect(told()).toEqual(
      ["sent", "delivered", "read"].map((status) => ({
        id: outcome.id,
        reference: "delivery-1",
        status,
        at: expect.any(Date),
        failure: null,
      })),
    );
    for (const { bytes, headers } of app.received) {
      const mac = createHmac("sha256", SECRETS.appSecret).update(bytes).digest("hex");
      expect(headers["x-hub-signature-256"]).toBe(`sha256=${mac}`);
    }
  });

  test.each([
    ["a number that ends in 000000", "+491511000000", null],
    ["an ordered failure", "+4915112345678", "undeliverable"],
  ])("%s fails, with its reason", async (_, to, fault) => {
    await subscribe();
    if (fault !== null) part.faults.order(fault, 1);
    await send({ to });
    await tells(1);
    expect(told()).toMatchObject([
      {
        status: "failed",
        failure: { code: "131026", detail: expect.stringContaining("undeliverable") },
      },
    ]);
    expect(part.messages()).toMatchObject([{ status: "failed", failure: { code: 131026 } }]);
  });

  test("statuses are told twice, late or not at all when that is ordered", async () => {
    await subscribe();
    part.faults.order("status_twice", 1);
    await send();
    await tells(4);
    expect(toldStatuses()).toEqual(["sent", "sent", "delivered", "delivered"]);
    app.received.length = 0;
    part.faults.order("status_lost", 1);
    await send();
    part.faults.order("status_late", 1);
    await send();
    await tells(1);
    expect(toldStatuses()).toEqual(["delivered"]);
    setWarpOffsetMs(warpOffsetMs() + 60_000);
    await tells(2);
    expect(toldStatuses()).toEqual(["delivered", "sent"]);
    expect(part.nextDueAt()).toBeNull();
  });

  test("an event that the app did not take comes again, later and later, and is then given up", async () => {
    await subscribe();
    app.always = { status: 500 };
    part.faults.order("undeliverable", 1);
    await send();
    await tells(1);
    for (const [index, seconds] of [5, 60, 600, 3600, 21_600, 86_400].entries()) {
      await expect.poll(() => part.busy()).toBe(false);
      expect(part.nextDueAt()!.getTime() - Date.now()).toBeLessThanOrEqual(seconds * 1000);
      setWarpOffsetMs(warpOffsetMs() + seconds * 1000);
      await tells(index + 2);
    }
    await expect.poll(() => part.nextDueAt()).toBeNull();
  });
});

describe("the JSON API", () => {
  const get = async (at: string) => {
    const response = await fetch(part.url + at);
    return { status: response.status, body: (await response.json()) as unknown[] };
  };

  test("lists what arrived, oldest first, by number with or without its plus", async () => {
    await send();
    await send({ to: "+33612345678" });
    const recipients = async (query: string) =>
      (await get(`/api/messages${query}`)).body.map((each) => (each as { to: string }).to);
    expect(await recipients("")).toEqual(["+4915112345678", "+33612345678"]);
    expect(await recipients("?to=%2B33612345678")).toEqual(["+33612345678"]);
    expect(await recipients("?to=33612345678")).toEqual(["+33612345678"]);
    expect(await recipients("?to=%2B336")).toEqual([]);
  });

  test("lists what arrived since an instant, that instant included", async () => {
    await send();
    const at = part.messages()[0]!.received_at;
    const after = new Date(Date.parse(at) + 1).toISOString();
    expect((await get(`/api/messages?since=${at}`)).body).toHaveLength(1);
    expect((await get(`/api/messages?since=${after}`)).body).toEqual([]);
    expect((await get("/api/messages?since=yesterday")).status).toBe(422);
  });

  test("forgets all of them", async () => {
    await send();
    const response = await fetch(`${part.url}/api/messages`, { method: "DELETE" });
    expect(await response.json()).toEqual({ deleted: 1 });
    expect(part.messages()).toEqual([]);
  });

  test("answers neither foreign names nor foreign pages", async () => {
    const foreign = { origin: "https://evil.zz" };
    const response = await fetch(`${part.url}/api/messages`, {
      method: "DELETE",
      headers: foreign,
    });
    expect(response.status).toBe(403);
    expect((await get("/api/messages/wamid.none")).status).toBe(404);
    expect((await get("/api/messages/%ff")).status).toBe(404);
  });
});

test("messages outlive the process, and a line that a crash cut short does not count", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-messaging-"));
  const stateFile = path.join(folder, "messaging.jsonl");
  const first = await openPart({ stateFile });
  await whatsappAt(first.url).sendTemplate(notice());
  const kept = first.messages();
  await first.close();
  expect(kept).toMatchObject([{ status: "delivered" }]);
  fs.appendFileSync(stateFile, '{"id":"wamid.half","to":"+49');
  const second = await openPart({ stateFile });
  expect(second.messages()).toEqual(kept);
  second.clear();
  await second.close();
  const third = await openPart({ stateFile });
  expect(third.messages()).toEqual([]);
  await third.close();
  fs.rmSync(folder, { recursive: true });
});
