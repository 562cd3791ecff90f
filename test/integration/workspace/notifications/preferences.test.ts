import { describe, expect, test } from "vitest";
import { api, tenant, useApi } from "../../../support/use-api.ts";

const PATH = "/api/v1/notifications/preferences";
const DEFAULTS = {
  email_enabled: true,
  personal_email: null,
  whatsapp_enabled: false,
  whatsapp_number: null,
  notify_on_reply: true,
  notify_on_bounce: false,
  notify_on_complaint: false,
};

useApi({ eachTest: true });

const put = (body: unknown) => tenant.call("PUT", PATH, body);
const stored = async () => (await tenant.call("GET", PATH)).body;

test("who never said anything has the defaults", async () => {
  expect(await stored()).toEqual(DEFAULTS);
});

test("PUT replaces: an absent field takes its default, an unknown one is ignored", async () => {
  const all = {
    email_enabled: false,
    personal_email: "Me@Home.example",
    whatsapp_enabled: true,
    whatsapp_number: "+491701234567",
    notify_on_reply: false,
    notify_on_bounce: true,
    notify_on_complaint: true,
  };
  expect((await put(all)).body).toEqual(all);
  expect(await stored()).toEqual(all);
  const reply = await put({ notify_on_bounce: true, colour: "blue" });
  expect([reply.status, reply.body]).toEqual([200, { ...DEFAULTS, notify_on_bounce: true }]);
  expect((await put({})).body).toEqual(DEFAULTS);
  expect(await stored()).toEqual(DEFAULTS);
});

test("a key's preferences are its creator's, and nobody else's", async () => {
  await put({ notify_on_bounce: true });
  const asUser = await tenant.callAsUser("GET", PATH);
  expect(asUser.body.notify_on_bounce).toBe(true);
  const stranger = await api.tenant();
  expect((await stranger.call("GET", PATH)).body).toEqual(DEFAULTS);
});

test("of many at once one stands, whole", async () => {
  const wishes = Array.from({ length: 16 }, (_, index) => ({
    personal_email: `me${index}@home.example`,
    notify_on_bounce: index % 2 === 0,
    notify_on_complaint: index % 2 === 0,
  }));
  const replies = await Promise.all(wishes.map(put));
  expect(replies.map(({ status }) => status)).toEqual(wishes.map(() => 200));
  const { personal_email, notify_on_bounce, notify_on_complaint } = await stored();
  expect(wishes).toContainEqual({ personal_email, notify_on_bounce, notify_on_complaint });
});

describe("a wish that cannot be", () => {
  test.each<[string, object]>([
    ["WhatsApp without a number", { whatsapp_enabled: true }],
    ["WhatsApp with null", { whatsapp_enabled: true, whatsapp_number: null }],
    ...["0170 1234567", "491701234567", "+0491701234567", "+49 170 1234567", "+4917012345678901"]
      .concat("+", "+1\n", "tel:+491701234567", "+٤٩١٧٠١٢٣٤٥٦٧", "")
      .map((number): [string, object] => [
        `the number ${JSON.stringify(number)}`,
        { whatsapp_enabled: true, whatsapp_number: number },
      ]),
    ["a number that is none", { whatsapp_number: 491701234567 }],
    ["a number without end", { whatsapp_number: "+49".padEnd(100_000, "1") }],
  ])("%s is 422 at whatsapp_number, and changes nothing", async (_name, body) => {
    const reply = await put(body);
    expect(reply.status).toBe(422);
    expect(reply.body.error).toBe("Validation Error");
    expect(reply.body.details[0].loc).toEqual(["body", "whatsapp_number"]);
    expect(await stored()).toEqual(DEFAULTS);
  });

  test.each<[string, unknown]>([
    ["no address", { personal_email: "me" }],
    ["an empty address", { personal_email: "" }],
    ["an address with a second header", { personal_email: "me@home.example\r\nBcc: all@x.zz" }],
    ["two addresses", { personal_email: "me@home.example, you@home.example" }],
    ["an address without end", { personal_email: `${"a".repeat(100_000)}@home.example` }],
  ])("%s is 422", async (_name, body) => {
    expect((await put(body)).status).toBe(422);
    expect(await stored()).toEqual(DEFAULTS);
  });
});

test("a number that is none may be kept while WhatsApp is off", async () => {
  const reply = await put({ whatsapp_number: "0170 1234567" });
  expect([reply.status, reply.body.whatsapp_number]).toEqual([200, "0170 1234567"]);
});
