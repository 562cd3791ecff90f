import { expect, test } from "vitest";
import { RETRY_MS } from "#src/domain/workspace/webhooks/schedule.ts";
import { deliverToReceiver } from "#src/domain/workspace/webhooks/deliver.ts";
import { killDuring } from "../../../support/kill-at.ts";
import { isSigned } from "../../../support/receiver.ts";
import {
  api,
  deliver,
  deliveries,
  happen,
  hook,
  idsOf,
  query,
  read,
  receiver,
  tenant,
  untilSettled,
  useReceiver,
} from "./setting.ts";

useReceiver();

const second = () => Math.floor(api.deps.clock.now().getTime() / 1000);

test("an event arrives as the feed tells it, signed, and nothing of it is kept", async () => {
  const made = await hook();
  const { body: start } = await tenant.call("GET", "/api/v2/events?after=now");
  await tenant.callAsUser("POST", "/api/v2/api-keys", { name: "For the CRM" });
  await untilSettled();
  const before = second();
  await deliver();
  const { body: feed } = await tenant.call("GET", `/api/v2/events?after=${start.next_cursor}`);
  const [{ cursor: _, ...told }] = feed.items;
  expect(receiver.received.map(({ body }) => body)).toEqual([told]);
  const [message] = receiver.received;
  expect(told).toMatchObject({ type: "key.created", actor: { type: "user" } });
  expect(message!.headers).toMatchObject({
    "content-type": "application/json",
    "webhook-id": told.id,
  });
  const at = Number(message!.headers["webhook-timestamp"]);
  expect([at >= before, at <= second()], `${at} is when it was sent`).toEqual([true, true]);
  expect(isSigned(message!, made.secret)).toBe(true);
  expect(isSigned({ ...message!, text: `${message!.text} ` }, made.secret)).toBe(false);
  expect(await deliveries(made)).toEqual([]);
  expect(await read(made)).toMatchObject({
    failing_since: null,
    last_success_at: expect.any(String),
  });
});

test("what happened before it was made does not arrive, nor opens and clicks, nor other types", async () => {
  await happen(3);
  const all = await hook();
  await happen(1, "email.opened");
  const sent = await happen(1, "email.sent");
  await deliver();
  expect(idsOf(receiver.received)).toEqual(sent);
  await tenant.call("PATCH", all.path, { types: ["email.opened", "reply.*"] });
  const opened = await happen(1, "email.opened");
  const replied = await happen(1, "reply.received");
  await happen(1, "email.sent");
  await deliver();
  expect(idsOf(receiver.received)).toEqual([...sent, ...opened, ...replied]);
});

test("two hundred and fifty events arrive once each, six at a time, however many workers there are", async () => {
  await hook();
  const ids = await happen(250);
  let open = 0;
  let most = 0;
  receiver.answer(async (_, response) => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve, 2));
    open--;
    response.writeHead(200).end();
  });
  await Promise.all([deliver(), deliver(), deliver()]);
  expect(idsOf(receiver.received).toSorted()).toEqual(ids.toSorted());
  expect(most).toBe(6);
});

test("an event that its receiver refuses holds up no other, is tried again as it is written, and dies", async () => {
  const made = await hook();
  const [poison, ...others] = await happen(5);
  receiver.answer(({ body }, response) =>
    response.writeHead(body.id === poison ? 500 : 200).end("not that one"),
  );
  await deliver();
  expect(idsOf(receiver.received).toSorted()).toEqual([poison, ...others].toSorted());
  const waits: number[] = [];
  for (let attempt = 1; attempt <= RETRY_MS.length; attempt++) {
    const [row] = await deliveries(made);
    expect(row).toMatchObject({
      event_id: poison,
      attempts: attempt,
      state: "waiting",
      status: 500,
    });
    waits.push(Math.round((row.next_at - row.updated_at) / 1000) * 1000);
    api.advance(Math.ceil((row.next_at.getTime() - api.deps.clock.now().getTime()) / 1000));
    const [fresh] = await happen(1);
    await deliver();
    expect(idsOf(receiver.received).slice(-2)).toEqual([poison, fresh]);
  }
  expect(waits).toEqual([...RETRY_MS]);
  const [dead] = await deliveries(made);
  expect(dead).toMatchObject({ attempts: 10, state: "dead", next_at: null, error: "not that one" });
  const before = receiver.received.length;
  api.advance(200_000);
  await deliver();
  expect(receiver.received).toHaveLength(before);
});

test("a receiver that is down keeps its place, is left alone, and gets everything as it is up again", async () => {
  const made = await hook();
  receiver.status(503);
  const ids = await happen(40);
  await deliver();
  // Two alone; nothing else of the forty was tried.
  expect(idsOf(receiver.received)).toEqual(ids.slice(0, 2));
  for (let hour = 0; hour < 72; hour++) {
    api.advance(3_600);
    ids.push(...(await happen(1)));
    await deliver();
  }
  // Three days cost a request or two an hour, and a row for each event that was tried.
  expect(receiver.received.length).toBeLessThan(150);
  expect((await deliveries(made)).length).toBeLessThan(80);
  expect(await read(made)).toMatchObject({ status: "active", failing_since: expect.any(String) });

  const tried = receiver.received.length;
  receiver.status(200);
  api.advance(3_600);
  await deliver();
  await deliver();
  const arrived = new Set(idsOf(receiver.received.slice(tried)));
  const dead = (await deliveries(made))
    .filter(({ state }) => state === "dead")
    .map((row) => row.event_id);
  expect(ids.filter((id) => !arrived.has(id)).toSorted()).toEqual(dead.toSorted());
  expect(await read(made)).toMatchObject({ status: "active", failing_since: null });
});

test("a receiver that goes down meanwhile is sent no more in that round", async () => {
  const made = await hook();
  await happen(60);
  receiver.answer((_, response) =>
    response.writeHead(receiver.received.length <= 8 ? 200 : 500).end(),
  );
  await deliver();
  // A row that fails as a whole ends the round, and two alone the next.
  expect(receiver.received.length).toBeLessThanOrEqual(24);
  expect((await deliveries(made)).length).toBeLessThanOrEqual(16);
});

test("after five days without a success it is disabled, which its owner hears of, and enabled it goes on", async () => {
  const made = await hook();
  receiver.status(500);
  const ids: string[] = [];
  const kinds = async () =>
    (
      await query`select kind from outbox where workspace_id = ${tenant.workspaceId} order by created_at`
    ).map(({ kind }) => kind);
  for (let hours = 0; hours <= 121; hours++) {
    ids.push(...(await happen(1)));
    await deliver();
    api.advance(3_600);
    if (hours === 47) expect(await kinds()).toEqual([]);
    if (hours === 60) expect(await kinds()).toEqual(["webhook_failing"]);
  }
  expect(await read(made)).toMatchObject({ status: "disabled", disabled_reason: "failing" });
  expect(await kinds()).toEqual(["webhook_failing", "webhook_disabled"]);
  const events =
    await query`select data from events where workspace_id = ${tenant.workspaceId} and type = 'webhook.disabled'`;
  expect(events).toEqual([{ data: { webhook_id: made.id, reason: "failing" } }]);
  const tried = receiver.received.length;
  await deliver();
  expect(receiver.received).toHaveLength(tried);
  const refused = await tenant.call("PATCH", made.path, { status: "active" });
  expect([refused.status, refused.body.code]).toEqual([409, "WEBHOOK_DISABLED"]);

  receiver.status(200);
  ids.push(...(await happen(1)));
  expect((await tenant.call("POST", `${made.path}/enable`)).body.status).toBe("active");
  await deliver();
  await deliver();
  const arrived = new Set(idsOf(receiver.received.slice(tried)));
  const dead = (await deliveries(made)).filter(({ state }) => state === "dead");
  expect(ids.filter((id) => !arrived.has(id)).toSorted()).toEqual(
    dead.map((row) => row.event_id).toSorted(),
  );
});

test("days in which there was nothing to send to it do not count", async () => {
  const made = await hook();
  receiver.status(500);
  await happen(1);
  await deliver();
  for (let attempt = 1; attempt <= RETRY_MS.length; attempt++) {
    api.advance(RETRY_MS[attempt - 1]! / 1000 + 1);
    await deliver();
  }
  expect(await deliveries(made)).toMatchObject([{ state: "dead" }]);
  await query`delete from outbox where workspace_id = ${tenant.workspaceId} and kind = 'webhook_failing'`;
  api.advance(3 * 86_400);
  await happen(1);
  await deliver();
  expect(await read(made)).toMatchObject({ status: "active" });
  expect(
    await query`select 1 from outbox where workspace_id = ${tenant.workspaceId} and kind = 'webhook_failing'`,
  ).toEqual([]);
  api.advance(10);
  receiver.status(200);
  await deliver();
  expect(await read(made)).toMatchObject({ status: "active", failing_since: null });
});

test("410 disables it at once", async () => {
  const made = await hook();
  receiver.status(410);
  await happen(3);
  await deliver();
  expect(receiver.received).toHaveLength(1);
  expect(await read(made)).toMatchObject({ status: "disabled", disabled_reason: "gone" });
});

test("429 and 503 are heeded, whatever else gets through", async () => {
  const made = await hook();
  const ids = await happen(20);
  receiver.answer((_, response) =>
    receiver.received.length < 4
      ? response.writeHead(200).end()
      : response.writeHead(429, { "retry-after": "600" }).end(),
  );
  await deliver();
  const tried = receiver.received.length;
  expect(tried).toBeLessThanOrEqual(7);
  receiver.status(200);
  api.advance(590);
  await deliver();
  expect(receiver.received).toHaveLength(tried);
  api.advance(15);
  await deliver();
  expect(new Set(idsOf(receiver.received))).toEqual(new Set(ids));
  expect((await deliveries(made)).every(({ state }) => state === "delivered")).toBe(true);
});

test.each([
  ["leads elsewhere", 302, { location: "http://127.0.0.1:1/" }, 302],
  ["says nothing good", 404, {}, 404],
] as const)("a receiver that %s has failed", async (_, status, headers, seen) => {
  const made = await hook();
  receiver.status(status, headers);
  await happen(1);
  await deliver();
  expect(await deliveries(made)).toMatchObject([{ state: "waiting", status: seen, attempts: 1 }]);
});

test("of an answer of 100 MB 256 bytes are read", async () => {
  const made = await hook();
  const piece = Buffer.alloc(64 * 1024, "x");
  let sent = 0;
  receiver.answer((_, response) => {
    response.writeHead(500);
    const more = (): void => {
      while (sent < 100 * 1024 * 1024 && !response.destroyed) {
        sent += piece.length;
        if (!response.write(piece)) return void response.once("drain", more);
      }
      response.end();
    };
    more();
  });
  await happen(1);
  await deliver();
  expect(await deliveries(made)).toMatchObject([{ status: 500, error: "x".repeat(256) }]);
  expect(sent).toBeLessThan(20 * 1024 * 1024);
});

test("an answer that breaks off counts by its status, and none at all as a failure", async () => {
  const made = await hook();
  receiver.answer((_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("ok");
    setTimeout(() => response.destroy(), 5);
  });
  await happen(1);
  await deliver();
  expect(await deliveries(made)).toEqual([]);
  receiver.answer((_, response) => void response.destroy());
  await happen(1);
  await deliver();
  expect(await deliveries(made)).toMatchObject([{ status: null, error: /./ } as object]);
});

test("with a new secret both sign for a day, in the middle of a round too, and then the new one alone", async () => {
  const made = await hook();
  await happen(30);
  let rotated: Promise<string> | undefined;
  receiver.answer((_, response) => {
    rotated ??= tenant
      .call("POST", `${made.path}/rotate-secret`)
      .then(({ body }) => body.secret as string);
    response.writeHead(200).end();
  });
  await deliver();
  const secret = await rotated!;
  expect(receiver.received.every((message) => isSigned(message, made.secret))).toBe(true);
  const signedBy = async () => {
    await happen(1);
    await deliver();
    const message = receiver.received.at(-1)!;
    return [isSigned(message, made.secret), isSigned(message, secret)];
  };
  expect(await signedBy()).toEqual([true, true]);
  api.advance(86_400 + 1);
  expect(await signedBy()).toEqual([false, true]);
});

test("of secrets that are replaced one after the other each signs for its own day", async () => {
  const made = await hook();
  const rotate = async () =>
    (await tenant.call("POST", `${made.path}/rotate-secret`)).body.secret as string;
  // The answer to the first is lost: its receiver goes on with the secret of before.
  const secrets = [made.secret, await rotate()];
  api.advance(3_600);
  secrets.push(await rotate());
  const signedBy = async () => {
    await happen(1);
    await deliver();
    return secrets.map((secret) => isSigned(receiver.received.at(-1)!, secret));
  };
  expect(await signedBy()).toEqual([true, true, true]);
  api.advance(82_800 + 1);
  expect(await signedBy()).toEqual([false, true, true]);
  api.advance(3_600);
  expect(await signedBy()).toEqual([false, false, true]);
});

test("of secrets that are replaced at once each signs", async () => {
  const made = await hook();
  const rotate = async () =>
    (await tenant.call("POST", `${made.path}/rotate-secret`)).body.secret as string;
  const secrets = [made.secret, ...(await Promise.all([rotate(), rotate(), rotate()]))];
  await happen(1);
  await deliver();
  const message = receiver.received.at(-1)!;
  expect(secrets.map((secret) => isSigned(message, secret))).toEqual([true, true, true, true]);
});

/** Each call of the database that a delivery makes. */
const CALLS: [string, RegExp][] = [
  ["the claim", /update .{0,4}webhooks.{0,4} set .{0,4}lease_until/],
  ["what is due", /select id, event_id/],
  ["the feed", /from snapshot left join found/],
  ["the end", /insert into webhook_deliveries/],
  ["when the next is due", /select min\(next_at\)/],
];
test.each(
  CALLS.flatMap(([name, call]) =>
    (["before", "after"] as const).map((side) => [side, name, call] as const),
  ),
)(
  "a worker that dies %s %s has its round done again, under the same ids",
  async (side, _, statement) => {
    const made = await hook();
    const ids = await happen(8);
    receiver.answer(({ body }, response) =>
      response.writeHead(body.id === ids[3] ? 500 : 200).end(),
    );
    await killDuring({ statement, side }, () => deliverToReceiver(api.deps, made.id));
    // Until its claim is over no other takes the receiver.
    await deliver();
    api.advance(181);
    await deliver();
    expect(new Set(idsOf(receiver.received))).toEqual(new Set(ids));
    const kept = await deliveries(made);
    expect(kept.map((row) => [row.event_id, row.state])).toEqual([[ids[3], "waiting"]]);
    const times = (id: string) => idsOf(receiver.received).filter((each) => each === id).length;
    expect(times(ids[0]!)).toBeLessThanOrEqual(2);
  },
);

test("one that is paused or deleted in the middle of a round gets no more, and is sent what it missed", async () => {
  const made = await hook();
  const ids = await happen(30);
  let stopped: Promise<unknown> | undefined;
  receiver.answer(async (_, response) => {
    stopped ??= tenant.call("PATCH", made.path, { status: "paused" });
    await stopped;
    response.writeHead(receiver.received.length === 3 ? 500 : 200).end();
  });
  await deliver();
  await deliver();
  // The round does not count at all: what failed in it is sent again with the rest.
  expect(await deliveries(made)).toEqual([]);
  const tried = receiver.received.length;
  receiver.status(200);
  await tenant.call("PATCH", made.path, { status: "active" });
  api.advance(181);
  await deliver();
  expect(new Set(idsOf(receiver.received.slice(tried)))).toEqual(new Set(ids));
  await tenant.call("DELETE", made.path);
  await happen(1);
  await deliver();
  expect(idsOf(receiver.received).filter((id) => !ids.includes(id))).toEqual([]);
});

test("a deleted workspace's receiver gets nothing", async () => {
  await hook();
  await happen(2);
  await query`update workspaces set deleted_at = now() where id = ${tenant.workspaceId}`;
  await deliver();
  expect(receiver.received).toEqual([]);
});
