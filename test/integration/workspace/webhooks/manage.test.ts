import { expect, test } from "vitest";
import { tellReceivers } from "#src/domain/workspace/webhooks/wake.ts";
import { createWebhookSender } from "#src/providers/webhooks/http.ts";
import type { Dns } from "#src/providers/dns/index.ts";
import { isSigned } from "../../../support/receiver.ts";
import {
  api,
  deliver,
  deliveries,
  happen,
  hook,
  HOOKS,
  idsOf,
  query,
  read,
  receiver,
  tenant,
  useReceiver,
} from "./setting.ts";

useReceiver();

test.each([
  ["http://example.com/x", "https"],
  ["https://user:secret@example.com/x", "password"],
  ["https://example.com/x#y", "#"],
  ["https://10.0.0.1/x", "10.0.0.1"],
  ["https://0x7f.1:1/x", ""],
  ["https://[::ffff:10.0.0.1]/x", ""],
  ["https://8.8.8.8/x", "name"],
  ["https://metadata.google.internal/x", "private"],
  ["https://intranet/x", "dot"],
  ["https://example.com:22/x", "22"],
  ["ftp://127.0.0.1/x", "https"],
  ["http://169.254.169.254/latest", "https"],
])("%s is refused, and it says why", async (url, word) => {
  const { status, body } = await tenant.call("POST", HOOKS, { url });
  // Loopback is allowed here, in whatever spelling.
  if (word === "" && status === 201) return;
  expect([status, body.code]).toEqual([422, "WEBHOOK_URL_REFUSED"]);
  expect(body.detail).toContain(word);
});

test("a name that leads to a private address is refused as it is made, and before each attempt", async () => {
  api.dns.zones.put("moved.zz", "hooks.moved.zz A 10.0.0.7");
  const { status, body } = await tenant.call("POST", HOOKS, { url: "https://hooks.moved.zz/x" });
  expect([status, body.code]).toEqual([422, "WEBHOOK_URL_REFUSED"]);
  // It was public when it was made, and has moved since.
  const made = await hook();
  await query`update webhooks set url = 'https://hooks.moved.zz/x' where id = ${made.id}`;
  await happen(1);
  await deliver();
  expect(await deliveries(made)).toMatchObject([
    { status: null, error: expect.stringContaining("leads to 10.0.0.7") },
  ]);
});

test("without loopback this machine is no receiver, and neither is the service itself", async () => {
  const dns = {} as Dns;
  const ownHosts = ["api.overture.zz"];
  const sender = createWebhookSender({ fetch, dns, loopback: false, ownHosts });
  for (const url of [
    "http://127.0.0.1/x",
    "https://127.0.0.1/x",
    "https://localhost/x",
    "https://[::1]/x",
    "https://2130706433/",
  ])
    expect([url, sender.faultOf(url)]).toEqual([url, expect.any(String)]);
  expect(sender.faultOf("https://api.overture.zz/x")).toContain("this service itself");
  expect(sender.faultOf("https://hooks.acme.com:8443/x")).toBeNull();
});

test("a receiver that does not answer in time has failed", async () => {
  const sender = createWebhookSender({
    fetch,
    dns: api.deps.dns,
    loopback: true,
    ownHosts: [],
    timeoutMs: 50,
  });
  receiver.answer(() => {});
  const outcome = await sender.post({ url: receiver.url, headers: {}, body: "{}" });
  expect(outcome).toMatchObject({
    kind: "failed",
    error: expect.stringContaining("did not answer"),
  });
});

test("a test event says at once what comes back, and stands in no feed", async () => {
  const made = await hook();
  const send = async () => (await tenant.call("POST", `${made.path}/test`)).body;
  expect(await send()).toEqual({ delivered: true, status: 204, answer: "", error: null });
  const [message] = receiver.received;
  expect(message!.body).toMatchObject({ type: "webhook.test", data: { webhook_id: made.id } });
  expect(isSigned(message!, made.secret)).toBe(true);
  receiver.status(500);
  expect(await send()).toEqual({ delivered: false, status: 500, answer: "so be it", error: null });
  await receiver.close();
  expect(await send()).toMatchObject({ delivered: false, status: null, error: expect.any(String) });
  expect(await query`select 1 from events where type = 'webhook.test'`).toEqual([]);
});

test("a delivery that is asked for while it is being tried is sent again at once, with attempts of its own", async () => {
  const made = await hook();
  receiver.status(500);
  await happen(1);
  await deliver();
  const [{ id }] = await deliveries(made);
  api.advance(6);
  let asked: Promise<unknown> | undefined;
  receiver.answer(async (_, response) => {
    await (asked ??= tenant.call("POST", `${made.path}/deliveries/${id}/redeliver`));
    response.writeHead(500).end();
  });
  await deliver();
  expect(await deliveries(made)).toMatchObject([{ state: "waiting", attempts: 0 }]);
  receiver.status(200);
  await deliver();
  expect(await deliveries(made)).toMatchObject([{ state: "delivered", attempts: 1 }]);
});

test("a delivery is sent again as it is asked for, and a time's events are", async () => {
  const made = await hook();
  const since = api.deps.clock.now().toISOString();
  receiver.status(500);
  const ids = await happen(2);
  await deliver();
  const { body: page } = await tenant.call("GET", `${made.path}/deliveries`);
  expect(page.items).toMatchObject([
    { event_type: "email.sent", state: "waiting", attempts: 1, status: 500 },
    { event_type: "email.sent", state: "waiting", attempts: 1, status: 500 },
  ]);
  // Its receiver is left alone for five minutes by now.
  api.advance(6);
  await deliver();
  receiver.status(200);
  const again = await tenant.call("POST", `${made.path}/deliveries/${page.items[0].id}/redeliver`);
  expect([again.status, again.body.state]).toEqual([202, "waiting"]);
  await deliver();
  expect((await deliveries(made)).map(({ state }) => state)).toEqual(["delivered", "delivered"]);

  ids.push(...(await happen(12)));
  await deliver();
  const tried = receiver.received.length;
  api.advance(2);
  const { status, body } = await tenant.call("POST", `${made.path}/replay`, { since });
  expect([status, body.events]).toEqual([202, expect.any(Number)]);
  await deliver();
  const replayed = idsOf(receiver.received.slice(tried));
  expect(replayed).toHaveLength(body.events);
  expect(ids.every((id) => replayed.includes(id))).toBe(true);
  const none = await tenant.call("POST", `${made.path}/replay`, {
    since: "2026-01-01T00:00:00Z",
    until: "2026-01-02T00:00:00Z",
  });
  expect(none.body).toEqual({ events: 0 });

  receiver.status(500);
  await happen(2);
  await deliver();
  api.advance(6);
  await deliver();
  receiver.status(200);
  const refused = receiver.received.length;
  await tenant.call("POST", `${made.path}/replay`, { since });
  await deliver();
  expect(receiver.received.length).toBeGreaterThan(refused);
});

test("more events than are sent again at a time are refused, and none is sent", async () => {
  const made = await hook();
  const since = api.deps.clock.now().toISOString();
  await happen(10_001);
  await query`update webhooks set tx = pg_current_xact_id() where id = ${made.id}`;
  api.advance(2);
  const { status, body } = await tenant.call("POST", `${made.path}/replay`, { since });
  expect([status, body.code]).toEqual([422, "TOO_MANY_EVENTS"]);
  expect(await deliveries(made)).toEqual([]);
});

test("deliveries of events that are not kept any more end", async () => {
  const made = await hook();
  receiver.status(500);
  await happen(1);
  await deliver();
  await query`delete from events where workspace_id = ${tenant.workspaceId}`;
  receiver.status(200);
  await tenant.call("POST", `${made.path}/enable`);
  await deliver();
  expect(await deliveries(made)).toMatchObject([
    { state: "dead", error: expect.stringContaining("30 days") },
  ]);
});

test("ten are the most, however many are made at once", async () => {
  const replies = await Promise.all(
    Array.from({ length: 14 }, () => tenant.call("POST", HOOKS, { url: receiver.url })),
  );
  const made = replies.filter(({ status }) => status === 201).length;
  const refused = replies.filter(({ body }) => body.code === "TOO_MANY_WEBHOOKS").length;
  expect([made, refused]).toEqual([10, 4]);
});

test("a secret is sealed, shown once, and never again", async () => {
  const made = await hook();
  expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await read(made)).not.toHaveProperty("secret");
  const { body } = await tenant.call("GET", HOOKS);
  expect(JSON.stringify(body)).not.toContain("whsec_");
  const rows = await query`select * from webhooks where id = ${made.id}`;
  expect(
    JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? "" : value)),
  ).not.toContain(made.secret);
});

test("of a receiver that is new an isolate which does not know it yet tells within half a minute", async () => {
  const asked: number[] = [];
  api.deps.queue = {
    ...api.deps.queue,
    publish: async ({ notBefore }) => {
      asked.push(notBefore!.getTime() - api.deps.clock.now().getTime());
      return { messageId: "" };
    },
  };
  await hook();
  await api.settled();
  expect(asked.some((ms) => ms <= 5_500)).toBe(true);
  expect(asked.some((ms) => ms >= 30_000 && ms <= 35_500)).toBe(true);
});

test("however often it is woken, the queue is asked once in five seconds, and not at all without receivers", async () => {
  const asked: unknown[] = [];
  const queue = {
    ...api.deps.queue,
    publish: async (message: { deduplicationId?: string }) => {
      asked.push(message.deduplicationId);
      return { messageId: "" };
    },
  };
  const deps = { ...api.deps, queue };
  for (let turn = 0; turn < 20; turn++) await tellReceivers(deps);
  expect(asked).toEqual([]);
  await hook();
  // Another isolate, which made the receiver: what this one knew half a minute ago it asks again.
  api.advance(31);
  for (let second = 0; second < 60; second++) {
    for (let turn = 0; turn < 10; turn++) await tellReceivers(deps);
    api.advance(1);
  }
  // A million events a day, or ten: 17,280 messages.
  expect(asked.length).toBeGreaterThanOrEqual(11);
  expect(asked.length).toBeLessThanOrEqual(13);
  expect(new Set(asked).size).toBe(asked.length);
});
