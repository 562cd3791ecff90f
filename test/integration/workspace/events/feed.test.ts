import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { DAY_MS } from "#src/platform/durations.ts";
import { dropWhatEnded } from "#src/domain/jobs/retention.ts";
import { launchable, createCampaign, activeCampaign } from "../../../support/campaigns.ts";
import { api, query, tenant, useApi } from "../../../support/use-api.ts";

useApi({ eachTest: true });

const EVENTS = "/api/v2/events";
type Told = { id: string; type: string; cursor: string; data: Record<string, unknown> };
/** What the tests of other files write into databases beside this one holds the feed up while it lasts. */
async function untilSettled(): Promise<void> {
  const [{ now }] = await query`select pg_current_xact_id()::text as now`;
  for (;;) {
    const [{ is_over }] =
      await query`select pg_snapshot_xmin(pg_current_snapshot()) > ${now}::xid8 as is_over`;
    if (is_over) return;
    await sleep(5);
  }
}
const read = async (search = "", who = tenant) => {
  if (who === tenant) await untilSettled();
  const reply = await who.call("GET", `${EVENTS}${search}`);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as { items: Told[]; next_cursor: string; has_more: boolean };
};
const types = ({ items }: { items: Told[] }) => items.map(({ type }) => type);

/** Events of a workspace, as if something had happened. */
const insert = (count: number, type = "email.sent", at = new Date()) =>
  query`insert into events (workspace_id, id, type, at, data)
    select ${tenant.workspaceId}, gen_random_uuid(), ${type}, ${at}, jsonb_build_object('n', n) from generate_series(1, ${count}::int) n`;

test("what is done to a campaign is told in order, with who did it", async () => {
  const { body } = await launchable(api, tenant);
  const { next_cursor } = await read("?after=now");
  const { campaign_id: id } = await createCampaign(tenant, body);
  const path = `/api/v1/campaigns/${id}`;
  await tenant.callAsUser("PATCH", path, { daily_limit: 10 });
  const { body: launch } = await tenant.call("POST", `${path}/launch`);
  const { runJob } = await import("../../../support/campaigns.ts");
  await runJob(api, launch);
  await tenant.callAsUser("POST", `${path}/pause`);
  await tenant.call("POST", `${path}/resume`);
  await tenant.call("POST", `${path}/drain`);
  const page = await read(`?after=${next_cursor}`);
  expect(page.items.map(({ type, ...event }) => [type, (event as never)["actor"]["type"]])).toEqual(
    expect.arrayContaining([
      ["campaign.created", "key"],
      ["campaign.launching", "key"],
      ["campaign.launched", "system"],
      ["campaign.paused", "user"],
      ["campaign.resumed", "key"],
      ["campaign.draining", "key"],
    ]),
  );
  const [created] = page.items;
  const [{ id: keyId, name }] = await query`
    select id, name from api_keys where workspace_id = ${tenant.workspaceId}`;
  expect(created).toMatchObject({
    type: "campaign.created",
    actor: { type: "key", id: keyId, name },
    data: { campaign_id: id, url: `/api/v2/campaigns/${id}` },
  });
  const paused = page.items.find(({ type }) => type === "campaign.paused")!;
  expect(paused.data).toMatchObject({ reason: "user_requested", previous_status: "active" });
  // Each of them is a place: what follows it follows.
  const rest = await read(`?after=${created!.cursor}`);
  expect(rest.items.map((each) => each.id)).toEqual(page.items.slice(1).map((each) => each.id));
});

test("a keyed request and a request in a batch of statements say whose they are", async () => {
  const { next_cursor } = await read("?after=now");
  const key = { "idempotency-key": "once" };
  const made = { value: "", name: "Reader", scopes: ["events:read"] };
  await tenant.callAsUser(
    "POST",
    "/api/v2/api-keys",
    { name: made.name, scopes: made.scopes },
    key,
  );
  await tenant.callAsUser(
    "POST",
    "/api/v2/api-keys",
    { name: made.name, scopes: made.scopes },
    key,
  );
  const { items } = await read(`?after=${next_cursor}`);
  expect(items).toMatchObject([
    {
      type: "key.created",
      actor: { type: "user", id: tenant.userId },
      data: { scopes: ["events:read"] },
    },
  ]);
});

test("pages lead through all of it, by types and by campaign as well", async () => {
  const { next_cursor: start } = await read("?after=now");
  await insert(7);
  await insert(2, "reply.received");
  const first = await read(`?after=${start}&limit=5`);
  expect([first.items.length, first.has_more]).toEqual([5, true]);
  const second = await read(`?after=${first.next_cursor}&limit=5`);
  expect([types(second), second.has_more]).toEqual([
    ["email.sent", "email.sent", "reply.received", "reply.received"],
    false,
  ]);
  const last = await read(`?after=${second.next_cursor}`);
  expect([last.items, last.has_more]).toEqual([[], false]);
  expect(types(await read(`?after=${start}&types=reply.*`))).toEqual([
    "reply.received",
    "reply.received",
  ]);
  expect(types(await read(`?after=${start}&types=email.sent,reply.received&limit=1`))).toEqual([
    "email.sent",
  ]);
  expect(types(await read(`?after=${start}&campaign_id=${crypto.randomUUID()}`))).toEqual([]);
});

test("read backwards the newest come first, and all of them once, by types and by who did it as well", async () => {
  const { next_cursor: start } = await read("?after=now");
  await insert(6);
  await insert(2, "reply.received");
  await tenant.callAsUser("POST", "/api/v2/api-keys", { name: "A", scopes: ["events:read"] });
  const forward = await read(`?after=${start}`);
  const expected = forward.items.map(({ id }) => id).toReversed();
  const seen: string[] = [];
  let page = await read("?before=now&limit=4");
  seen.push(...page.items.map(({ id }) => id));
  while (page.has_more) {
    page = await read(`?before=${page.next_cursor}&limit=4`);
    seen.push(...page.items.map(({ id }) => id));
  }
  expect(seen.slice(0, expected.length)).toEqual(expected);
  expect(new Set(seen).size).toBe(seen.length);
  // What comes after what was read is reached from its own place.
  await insert(1, "campaign.created");
  expect(types(await read(`?after=${forward.items.at(-1)!.cursor}`))).toEqual(["campaign.created"]);
  expect((await read(`?before=${page.next_cursor}`)).items).toEqual([]);
  expect(types(await read("?before=now&types=reply.*"))).toEqual([
    "reply.received",
    "reply.received",
  ]);
  expect(types(await read(`?before=now&actor=${tenant.userId}&types=key.*`))).toContain(
    "key.created",
  );
  expect(types(await read("?before=now&actor=user&limit=1"))).toEqual(["key.created"]);
  const bySystem = await read("?before=now&actor=system");
  expect(new Set(bySystem.items.map((item) => (item as never)["actor"]["type"]))).toEqual(
    new Set(["system"]),
  );
  expect(types(await read(`?before=now&actor=${crypto.randomUUID()}`))).toEqual([]);
  for (const wrong of ["before=now&after=now", "before=then", "actor=nobody", "actor=key:1"])
    expect((await tenant.call("GET", `${EVENTS}?${wrong}`)).status).toBe(422);
});

test("a search that finds little among much goes on where it stopped looking", async () => {
  const { next_cursor: start } = await read("?after=now");
  await insert(5_200);
  await insert(1, "reply.received");
  const first = await read(`?after=${start}&types=reply.received`);
  expect([types(first), first.has_more]).toEqual([[], true]);
  const second = await read(`?after=${first.next_cursor}&types=reply.received`);
  expect([types(second), second.has_more]).toEqual([["reply.received"], false]);
});

test("what is written while others write is missed by no reader, and told once", async () => {
  const { next_cursor: start } = await read("?after=now");
  const writers = 8;
  const each = 40;
  let writing = writers;
  const write = async (number: number) => {
    const client = await api.sql.connect();
    for (let turn = 0; turn < each; turn++) {
      await client.query("begin");
      await client.query(
        `insert into events (workspace_id, id, type, at, data) values ($1, gen_random_uuid(), 'email.sent', now(), $2)`,
        [tenant.workspaceId, { writer: number, turn }],
      );
      // Some transactions end long after others that began later.
      await sleep((number * 7 + turn * 13) % 30);
      await client.query("commit");
    }
    client.release();
    writing--;
  };
  const seen: Told[] = [];
  const follow = async () => {
    let after = start;
    for (let last = false; ;) {
      api.forgetQuotas();
      const { body } = await tenant.call("GET", `${EVENTS}?after=${after}&limit=17`);
      const { items, next_cursor } = body as Awaited<ReturnType<typeof read>>;
      seen.push(...items);
      after = next_cursor;
      if (last && items.length === 0) return;
      if (writing === 0) {
        await untilSettled();
        last = true;
      }
    }
  };
  await Promise.all([follow(), ...Array.from({ length: writers }, (_, number) => write(number))]);
  const places = seen.map(({ data }) => `${data["writer"]}:${data["turn"]}`);
  expect([places.length, new Set(places).size]).toEqual([writers * each, writers * each]);
});

test("a place is refused where it is none, of another list, or older than what is kept", async () => {
  const { next_cursor } = await read("?after=now");
  const encoded = (text: string) => Buffer.from(text).toString("base64url");
  const conversation = encoded("1795480000000:01a1fc0c-6921-718e-aa4a-ab45df202f29");
  for (const forged of [
    "",
    "x",
    "%00",
    "then",
    conversation,
    encoded("1.2"),
    encoded("-1.2.3"),
    encoded("1e3.2.3"),
    encoded(`${2n ** 63n}.1.1795480000`),
    encoded("1.2.99999999999999"),
    "A".repeat(5000),
  ]) {
    const { status } = await tenant.call("GET", `${EVENTS}?after=${forged}`);
    expect([forged, status]).toEqual([forged, 422]);
  }
  for (const wrong of ["types=", "types=email", "types=email.sent,nothing.*", "types=*", "limit=0"])
    expect((await tenant.call("GET", `${EVENTS}?${wrong}`)).status).toBe(422);
  // A place of another life of the database, in which its numbers were higher.
  await insert(1, "reply.received");
  const higher = encoded(
    `9000000000000000000.0.${Math.floor(api.deps.clock.now().getTime() / 1000)}`,
  );
  expect(types(await read(`?after=${higher}&types=reply.received`))).toEqual(["reply.received"]);

  api.advance(31 * 86_400);
  const late = await tenant.call("GET", `${EVENTS}?after=${next_cursor}`);
  expect([late.status, late.body.code]).toEqual([410, "CURSOR_EXPIRED"]);
});

test("events are kept for thirty days", async () => {
  const now = api.deps.clock.now().getTime();
  await insert(3, "email.sent", new Date(now - 30 * DAY_MS - 1000));
  await insert(2, "reply.received", new Date(now - 30 * DAY_MS + 60_000));
  await dropWhatEnded(api.deps);
  const rows = await query`
    select type, count(*)::int as n from events where workspace_id = ${tenant.workspaceId} and type in ('email.sent', 'reply.received') group by 1`;
  expect(rows).toEqual([{ type: "reply.received", n: 2 }]);
});

test("another workspace reads nothing of it, and a key needs the scope", async () => {
  await insert(3);
  const other = await api.tenant();
  expect(types(await read("", other)).filter((type) => type === "email.sent")).toEqual([]);
  const { body } = await tenant.callAsUser("POST", "/api/v2/api-keys", {
    name: "Not for events",
    scopes: ["leads:read"],
  });
  const { status, body: refusal } = await tenant.call("GET", EVENTS, undefined, {
    authorization: `Bearer ${body.key}`,
  });
  expect([status, refusal.code]).toEqual([403, "SCOPE_MISSING"]);
});

test("a person's address is told as long as it is known", async () => {
  const { id } = await activeCampaign(api, tenant);
  await query`update campaign_leads set status = 'completed' where campaign_id = ${id}`;
  const ended = async () =>
    (await read("?types=campaign_lead.completed")).items.map(({ data }) => data["email"]);
  expect(await ended()).toEqual(["ada@example.zz"]);
  await tenant.call("POST", "/api/v2/leads/erase", { email: "ada@example.zz" });
  expect(await ended()).toEqual([undefined]);
  const rows = await query`
    select 1 from events where workspace_id = ${tenant.workspaceId} and events::text ilike '%ada@example.zz%'`;
  expect(rows).toEqual([]);
});
