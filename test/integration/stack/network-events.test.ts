import { setWarpOffsetMs, warpOffsetMs } from "../../../scripts/stack/warp.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { DAY, HOUR, MINUTE, networkSetting, refusal } from "./network-setting.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

const setting = networkSetting();
let receiver: Receiver;
let account: string;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
beforeEach(async () => {
  receiver.reset();
  account = await setting.connect();
});

const SECRET = [{ key: "Unipile-Auth", value: "a long secret" }];
const subscribe = (source: string, more: object = {}) =>
  setting.call("POST", "webhooks", {
    source,
    request_url: `${receiver.url}/hook`,
    headers: SECRET,
    ...more,
  });
const heard = () => receiver.received.map(({ body }) => JSON.parse(body));
const order = (fault: string, times = 1) => setting.part.faults.order(fault, times);

describe("a webhook", () => {
  test("is called with the headers that it was made with, and without a content type", async () => {
    await subscribe("users");
    await setting.invite(account, "quick-mara-lind");
    await setting.advance(HOUR);
    expect(receiver.received).toHaveLength(1);
    const { headers, body, path, method } = receiver.received[0]!;
    expect([method, path, headers["unipile-auth"], headers["content-type"]]).toEqual([
      "POST",
      "/hook",
      "a long secret",
      undefined,
    ]);
    expect(JSON.parse(body)).toMatchObject({
      event: "new_relation",
      account_id: account,
      user_public_identifier: "quick-mara-lind",
      user_provider_id: await setting.idOf(account, "quick-mara-lind"),
    });
  });

  test("hears of what becomes of a session", async () => {
    await subscribe("account_status");
    const other = await setting.connect("ok@other.zz");
    await setting.page("POST", `accounts/${other}/status`, { status: "CREDENTIALS" });
    await setting.call("DELETE", `accounts/${other}`);
    await setting.part.idle();
    expect(heard().map(({ AccountStatus }) => AccountStatus)).toEqual([
      { account_id: other, account_type: "LINKEDIN", message: "CREATION_SUCCESS" },
      { account_id: other, account_type: "LINKEDIN", message: "CREDENTIALS" },
      { account_id: other, account_type: "LINKEDIN", message: "DELETED" },
    ]);
  });

  test("hears of its accounts and its events alone, and of nothing while it is off", async () => {
    await subscribe("messaging", { account_ids: ["another"] });
    await subscribe("messaging", { events: ["message_read"] });
    await subscribe("messaging", { enabled: false });
    await setting.say(account, "friend-tom-berg", "Hello");
    await setting.part.idle();
    expect(heard()).toEqual([]);
  });

  test("is listed without a secret on the page, and deleted once", async () => {
    const { body } = await subscribe("users", { name: "ours" });
    expect((await setting.call("GET", "webhooks")).body.items).toMatchObject([
      { object: "Webhook", id: body.webhook_id, name: "ours", headers: SECRET, enabled: true },
    ]);
    expect(JSON.stringify((await setting.page("GET", "webhooks")).body)).not.toContain("a long");
    const remove = () => setting.call("DELETE", `webhooks/${body.webhook_id}`);
    expect((await remove()).body).toEqual({ object: "WebhookDeleted" });
    expect(refusal(await remove())).toBe("404 resource_not_found");
  });

  test.each([
    ["an unknown source", { source: "weather" }],
    ["an address of another scheme", { request_url: "file:///etc/passwd" }],
    ["a header that would split", { headers: [{ key: "a", value: "x\r\nevil: 1" }] }],
    ["a header without a name", { headers: [{ key: "", value: "x" }] }],
    ["the format form", { format: "form" }],
  ])("of %s is refused", async (_, change) => {
    expect(refusal(await subscribe("users", change))).toBe("400 invalid_parameters");
  });

  test("that does not answer 200 is called five times more, by the stack's clock", async () => {
    receiver.always = { status: 204 };
    await subscribe("users");
    await setting.invite(account, "quick-mara-lind");
    await setting.advance(2 * DAY);
    const instants = receiver.received.map(({ at }) => at.getTime());
    const gaps = instants.slice(1).map((at, index) => Math.round((at - instants[index]!) / 1000));
    expect(gaps).toEqual([30, 120, 600, 3600, 14_400]);
    expect(setting.part.nextDueAt()).toBeNull();
  });

  test("that does not answer within 30 s is called again", async () => {
    receiver.next = ["hang"];
    await subscribe("messaging");
    await setting.say(account, "friend-silent-tom-berg", "Hello");
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
    setWarpOffsetMs(warpOffsetMs() + 30_000);
    await setting.advance(MINUTE);
    expect(receiver.received.map(({ body }) => JSON.parse(body).message)).toEqual([
      "Hello",
      "Hello",
    ]);
  });

  test("that is not there yet is called when it is", async () => {
    receiver.next = [{ status: 500 }, { status: 302, headers: { location: receiver.url } }];
    await subscribe("users");
    await setting.invite(account, "quick-mara-lind");
    await setting.advance(DAY);
    expect(receiver.received).toHaveLength(3);
  });
});

describe("what people do", () => {
  test.each([
    ["stops at each instant", () => setting.advance(DAY)],
    ["jumps over them all", async () => setWarpOffsetMs(warpOffsetMs() + DAY * 1000)],
  ])("happens in the order of its time when the clock %s", async (_, move) => {
    await subscribe("users");
    await setting.page("POST", "people/p-2", { accepts_after: 2 * HOUR, told_after: 0 });
    await setting.page("POST", "people/p-3", { accepts_after: 3 * HOUR, told_after: 0 });
    await setting.page("POST", "people/p-1", { accepts_after: HOUR, told_after: 0 });
    for (const slug of ["p-3", "p-1", "p-2"]) await setting.invite(account, slug);
    await move();
    await setting.part.idle();
    expect(heard().map((each) => each.user_public_identifier)).toEqual(["p-1", "p-2", "p-3"]);
  });

  test("is the same for the same two on every machine", async () => {
    const slugs = Array.from({ length: 40 }, (_, at) => `person-${at}`);
    const accepted = async () => {
      for (const slug of slugs) await setting.invite(account, slug);
      await setting.advance(5 * DAY);
      return setting.part
        .invitations()
        .filter(({ state }) => state === "accepted")
        .map(({ person, sent_at, ended_at }) => [
          person.public_identifier,
          Math.round((Date.parse(ended_at ?? "") - Date.parse(sent_at)) / MINUTE / 1000),
        ])
        .toSorted();
    };
    const first = await accepted();
    setting.part = await setting.open();
    account = await setting.connect();
    expect(await accepted()).toEqual(first);
    expect(first.length).toBeGreaterThan(10);
    expect(first.length).toBeLessThan(30);
  });

  test("is told of up to eight hours later, and shows in the relations at once", async () => {
    await subscribe("users");
    const slugs = Array.from({ length: 20 }, (_, at) => `accepts-person-${at}`);
    for (const slug of slugs) await setting.invite(account, slug);
    await setting.advance(6 * HOUR + MINUTE);
    const relations = await setting.call("GET", `users/relations?account_id=${account}`);
    expect(relations.body.items).toHaveLength(20);
    expect(heard().length).toBeLessThan(10);
    await setting.advance(8 * HOUR);
    expect(heard()).toHaveLength(20);
  });

  test("can be made to happen now: accept, answer, write first", async () => {
    await subscribe("messaging");
    const { body } = await setting.invite(account, "declines-tom-berg");
    await setting.page("POST", `invitations/${body.invitation_id}/accept`);
    const again = await setting.page("POST", `invitations/${body.invitation_id}/accept`);
    expect(again.status).toBe(409);
    const reply = { from: "declines-tom-berg", text: "Hello first" };
    await setting.page("POST", `accounts/${account}/replies`, reply);
    await setting.part.idle();
    expect(heard()).toMatchObject([{ message: "Hello first" }]);
  });

  test.each([
    ["people/nobody-x", { accepts_after: 1 }, 409],
    ["people/p-1", { accepts_after: -1 }, 422],
    ["people/p-1", { unknown: 1 }, 422],
    ["accounts/none/replies", { from: "p-1", text: "x" }, 404],
    ["accounts/none/status", { status: "FINE" }, 422],
    ["accounts/%E0%A4%A/approve", {}, 404],
    ["invitations/none/accept", {}, 409],
  ])("is refused where it makes no sense: %s %j", async (path, body, status) => {
    expect((await setting.page("POST", path, body)).status).toBe(status);
  });
});

describe("faults", () => {
  test("webhooks are lost, told twice, late or out of order", async () => {
    await subscribe("messaging");
    const say = (text: string) => setting.say(account, "friend-silent-tom-berg", text);
    const words = () => heard().map(({ message }) => message);
    order("webhook_lost");
    await say("lost");
    order("webhook_twice");
    await say("twice");
    order("webhook_late");
    await say("late");
    await setting.part.idle();
    order("webhooks_swapped");
    await say("swapped");
    await say("in front");
    await setting.part.idle();
    expect(words()).toEqual(["twice", "twice", "in front", "swapped"]);
    await setting.advance(HOUR);
    expect(words()).toEqual(["twice", "twice", "in front", "swapped", "late"]);
  });
});
