/** A campaign runs while its workspace moves: each of its leads is written to once, whoever dies, and nobody else notices. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { countCampaignLeads } from "#db/campaigns/lead-counts.ts";
import { isMoving } from "#db/base/moving.ts";
import type { Hit } from "#src/domain/messages/tracking/hit.ts";
import { recordHits } from "#src/domain/messages/tracking/record.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { dropFence } from "#db/workspace/moving/fence.ts";
import { residenceOf } from "#db/workspace/moving/state.ts";
import { runAdmin } from "../../../../scripts/admin/run.ts";
import { openDatabase } from "../../../../scripts/admin/database.ts";
import { LONGEST_REQUEST_MS, PATIENCE_MS } from "../../../../scripts/admin/move/move-workspace.ts";
import {
  Died,
  noWait,
  type OtherCell,
  rowsOf,
  runMove,
  startOtherCell,
} from "../../../support/cells.ts";
import { createEagerClock } from "../../../support/eager-clock.ts";
import { inFull } from "../../../support/full.ts";
import { patience } from "../../../support/patience.ts";
import { queryOf } from "../../../support/query.ts";
import { tickWith } from "../../../support/run-engine.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

vi.setConfig({ testTimeout: patience(60_000) });

useSending();
const query = queryOf(() => sending.api.sql);
let other: OtherCell;
beforeAll(async () => {
  other = await startOtherCell(sending.api);
});
afterAll(() => other.close());
beforeEach(async () => {
  await query`update campaigns set status = 'completed'`;
  await other.rows("update campaigns set status = 'completed'");
});

const now = () => sending.api.deps.clock.now();
const there = (): [string, string] => [sending.api.databaseUrl, other.url];
const CELL = () => ({ CELL_B_DATABASE_URL: other.url });

/** In each of them every sender sends one message, in whichever cell it lives. */
async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round++) {
    const clock = createEagerClock(now().getTime());
    await tickWith({ clock });
    await tickWith({ clock, deps: other.deps });
    sending.api.advance(Math.max(0, (clock.now().getTime() - now().getTime()) / 1000) + 140);
  }
}

/** A message has the same Message-ID whenever and wherever it is sent. */
const received = () => Map.groupBy(sending.mailbox.wireLog(), (mail) => mail.message_id);
const doubled = () => [...received()].filter(([, all]) => all.length > 1).map(([id]) => id);
const isDead = (error: unknown): boolean =>
  error instanceof Died || (error instanceof Error && isDead(error.cause));

const LEADS = 24;
const campaign = (who = tenant) =>
  sending.campaign(who, {
    leads: LEADS,
    aliases: 3,
    intervalSeconds: 100,
    steps: [{ delayDays: 0 }],
  });

/** The move's process dies after so many statements; answers whether it came to its end before. */
async function attempt(statements: number): Promise<boolean> {
  const end = await runMove(there(), tenant.workspaceId, { now, statements }).catch(
    (error: unknown) => error,
  );
  if (typeof end !== "number" && !isDead(end)) throw end;
  return typeof end === "number";
}

test("a campaign goes on in the other cell: nothing twice, nothing lost, through deaths and ticks of both cells", async () => {
  const { campaignId } = await campaign();
  await rounds(3);
  expect(received().size).toBe(9);
  let statements = 5;
  for (; !(await attempt(statements)); statements += inFull(60, 180)) await rounds(1);
  // What a tick began before the freeze is among them; while it was frozen nothing went out.
  const before = received().size;
  expect(before).toBeLessThan(LEADS);
  await rounds(9);
  expect([doubled(), received().size]).toEqual([[], LEADS]);
  expect(await query`select 1 from campaigns where id = ${campaignId}`).toEqual([]);
  const [{ used }] = (await other.rows("select used from campaigns where id = $1", [
    campaignId,
  ])) as [{ used: number }];
  expect(used).toBe(LEADS);
  const sums = await other.rows(
    "select (select coalesce(sum(sent), 0) from campaign_sums where campaign_id = $1 and by = 'channel') + (select coalesce(sum(sent), 0) from send_deltas where campaign_id = $1) as sent",
    [campaignId],
  );
  expect(Number(sums[0]!["sent"])).toBe(LEADS);
  const leads = await countCampaignLeads(other.deps.db, tenant.workspaceId, campaignId);
  expect(leads).toEqual([{ status: "completed", leads: LEADS, held: 0 }]);
});

/** Dies with the fence up, and nothing copied. */
async function leaveHalfMoved(): Promise<void> {
  for (let statements = 30; ; statements += 3) {
    expect(await attempt(statements)).toBe(false);
    const fences =
      await query`select count(*)::int as n from pg_trigger where tgname like 'moving%'`;
    if (fences[0].n > 0) return;
  }
}

test("while a workspace is half moved nothing of it changes, and the others go on", async () => {
  await campaign();
  const neighbour = await sending.api.tenant();
  await campaign(neighbour);
  await rounds(1);
  await leaveHalfMoved();
  const before = await rowsOf(sending.api.databaseUrl, tenant.workspaceId);
  expect(before["sends"]).toHaveLength(3);
  await rounds(3);
  await fullCheck(sending.api.deps);
  await sending.api.settled();
  expect(received().size).toBe(2 * 3 + 3 * 3);
  expect(await rowsOf(sending.api.databaseUrl, tenant.workspaceId)).toEqual(before);

  for (const [path, isCoded] of [
    ["/api/v1/templates", false],
    ["/api/v2/templates", true],
  ] as const) {
    const { status, headers, body } = await tenant.call("GET", path);
    expect([status, headers.get("retry-after"), isCoded ? body.code : body.detail]).toEqual([
      503,
      "15",
      "WORKSPACE_MOVING",
    ]);
  }
  expect((await neighbour.call("GET", "/api/v1/templates")).status).toBe(200);
  // Of a request that came in before.
  await expect(
    query`insert into templates (id, workspace_id, user_id, created_at, updated_at, name, subject, body, version)
      values (gen_random_uuid(), ${tenant.workspaceId}, ${tenant.userId}, now(), now(), 'T', 'S', 'B', 1)`,
  ).rejects.toMatchObject({ code: "OV503" });
  await expect(
    query`with said as (select set_config('overture.actor', 'key:x', true)) update mail_aliases set daily_limit = 1 from said where workspace_id = ${tenant.workspaceId}`,
  ).rejects.toMatchObject({ code: "OV503" });

  // Hits of both, written together.
  const [mine, theirs] = await Promise.all(
    [tenant, neighbour].map(async ({ workspaceId }) => {
      const [send] = await query`select id from sends where workspace_id = ${workspaceId} limit 1`;
      return send.id as string;
    }),
  );
  const hitOf = (sendId: string): Hit => ({
    id: crypto.randomUUID(),
    kind: "open",
    sendId,
    linkIndex: 0,
    url: null,
    prefetch: false,
    at: now(),
    userAgent: null,
    asn: null,
  });
  await expect(recordHits(sending.api.deps, [hitOf(mine!), hitOf(theirs!)])).rejects.toSatisfy(
    isMoving,
  );
  expect(await query`select send_id from email_events`).toEqual([{ send_id: theirs }]);

  const said = await runAdmin(
    ["move", tenant.workspaceId, "b", "--cancel"],
    sending.api.databaseUrl,
    now(),
    CELL(),
  );
  expect(said).toContain("in use here again");
  expect(await residenceOf(other.deps.db, tenant.workspaceId)).toBeUndefined();
  expect((await tenant.call("GET", "/api/v1/templates")).status).toBe(200);
  expect(await query`select 1 from pg_trigger where tgname like 'moving%'`).toEqual([]);
  await rounds(8);
  expect([doubled(), received().size]).toEqual([[], 2 * LEADS]);
});

test("a move that is taken back at any step leaves all as it was", async () => {
  await campaign();
  await rounds(1);
  const before = await rowsOf(sending.api.databaseUrl, tenant.workspaceId);
  for (const statements of [40, 130, 330, 420]) {
    expect(await attempt(statements)).toBe(false);
    await runMove(there(), tenant.workspaceId, { now, cancel: true });
    expect(await rowsOf(sending.api.databaseUrl, tenant.workspaceId)).toEqual(before);
    expect(Object.keys(await rowsOf(other.url, tenant.workspaceId))).toEqual([]);
    expect((await tenant.call("GET", "/api/v1/templates")).status).toBe(200);
  }
});

test("a message that is being handed over is waited for, and where it does not end nothing is moved", async () => {
  const { campaignId } = await campaign();
  await rounds(1);
  const [{ id }] = await query`select id from sends where campaign_id = ${campaignId} limit 1`;
  const handOver = () =>
    query`update sends set state = 'transmitting', lease_until = ${new Date(now().getTime() + 600_000)} where id = ${id}`;
  await handOver();
  // Its clock passes the patience while it waits.
  let waitedMs = 0;
  const impatient = () => new Date(now().getTime() + (waitedMs += PATIENCE_MS / 8));
  await expect(runMove(there(), tenant.workspaceId, { now: impatient })).rejects.toThrow(
    "still being handed over",
  );
  expect((await tenant.call("GET", "/api/v1/templates")).status).toBe(200);

  const moved = runMove(there(), tenant.workspaceId, { now });
  await vi.waitFor(async () =>
    expect((await residenceOf(sending.api.deps.db, tenant.workspaceId))?.frozenAt).not.toBeNull(),
  );
  await query`update sends set state = 'accepted', lease_until = null where id = ${id}`;
  await moved;
  const [send] = await other.rows("select state from sends where id = $1", [id]);
  expect(send).toEqual({ state: "accepted" });
});

test("so is the renewal of a mailbox's token, which is good once", async () => {
  const { aliasIds } = await campaign();
  const at = (seconds: number) => new Date(now().getTime() + seconds * 1000);
  await query`insert into mail_logins (alias_id, provider, tokens, renewing_until) values (${aliasIds[0]}, 'google', 'used up', ${at(600)})`;
  let waitedMs = 0;
  const impatient = () => new Date(now().getTime() + (waitedMs += PATIENCE_MS / 8));
  await expect(runMove(there(), tenant.workspaceId, { now: impatient })).rejects.toThrow(
    "still being handed over",
  );
  // A worker that died meanwhile is waited for no longer than its claim.
  await query`update mail_logins set tokens = 'fresh', renewing_until = ${at(-1)}`;
  await runMove(there(), tenant.workspaceId, { now });
  expect(await other.rows("select tokens from mail_logins")).toEqual([{ tokens: "fresh" }]);
});

test("where a table of the other cell is never free it is in use again, and of a copy that was begun nothing stays", async () => {
  await campaign();
  // Some rows are there when it dies, and the same command comes to a table that is being vacuumed, say.
  for (let statements = 330; ; statements += 40) {
    expect(await attempt(statements)).toBe(false);
    if ("campaigns" in (await rowsOf(other.url, tenant.workspaceId))) break;
  }
  const holder = await openDatabase(other.url);
  // It would be tried again for ten seconds.
  expect(await dropFence(holder.db, tenant.workspaceId)).toEqual([]);
  await holder.db.execute("begin");
  await holder.db.execute("lock table sends in share update exclusive mode");
  let waitedMs = 0;
  const impatient = () => new Date(now().getTime() + (waitedMs += PATIENCE_MS / 2));
  try {
    await expect(runMove(there(), tenant.workspaceId, { now: impatient })).rejects.toThrow(
      "it is in use again",
    );
  } finally {
    await holder.close();
  }
  expect((await tenant.call("GET", "/api/v1/templates")).status).toBe(200);
  expect(Object.keys(await rowsOf(other.url, tenant.workspaceId))).toEqual([]);
});

test("a second command for a workspace that is being moved is refused, and the first goes on", async () => {
  const { campaignId } = await campaign();
  await rounds(1);
  const [{ id }] = await query`select id from sends where campaign_id = ${campaignId} limit 1`;
  await query`update sends set state = 'transmitting', lease_until = ${new Date(now().getTime() + 600_000)} where id = ${id}`;
  const moved = runMove(there(), tenant.workspaceId, { now });
  await vi.waitFor(async () =>
    expect((await residenceOf(sending.api.deps.db, tenant.workspaceId))?.frozenAt).not.toBeNull(),
  );
  for (const cancel of [true, false])
    await expect(runMove(there(), tenant.workspaceId, { now, cancel })).rejects.toThrow(
      "Another command is moving",
    );
  await query`update sends set state = 'accepted', lease_until = null where id = ${id}`;
  await moved;
  expect((await other.get("/api/v1/templates", tenant.key)).status).toBe(200);
  const [send] = await other.rows("select state from sends where id = $1", [id]);
  expect(send).toEqual({ state: "accepted" });
});

test("a request that began before the freeze and outlasts the move is refused by the cell that it left", async () => {
  const late = () =>
    query`insert into templates (id, workspace_id, user_id, created_at, updated_at, name, subject, body, version)
      values (gen_random_uuid(), ${tenant.workspaceId}, ${tenant.userId}, now(), now(), 'T', 'S', 'B', 1)`;
  const waits: number[] = [];
  const wait = async (ms: number) => {
    waits.push(ms);
    expect((await other.get("/api/v1/templates", tenant.key)).status).toBe(200);
    await expect(late()).rejects.toMatchObject({ code: "OV503" });
    // A person may work in other workspaces of this cell.
    const told = await query`
      with said as (select set_config('overture.actor', 'key:x', true))
      update users set name = 'N' from said where id = ${tenant.userId} returning name`;
    expect(told).toEqual([{ name: "N" }]);
  };
  const frozenAt = now();
  const move = (waiting: typeof wait) =>
    runMove(there(), tenant.workspaceId, { now: () => frozenAt, wait: waiting });
  const dies = async () => {
    throw new Died();
  };
  await expect(move(dies)).rejects.toBeInstanceOf(Died);
  await move(wait);
  expect(waits).toEqual([LONGEST_REQUEST_MS]);
  expect(await query`select 1 from pg_trigger where tgname like 'moving%'`).toEqual([]);
  // There is nothing to wait for where it was done.
  await move(dies);
});

test("what cannot be moved is said, and stays in use", async () => {
  const [{ issuer, subject }] =
    await query`select issuer, subject from identities where user_id = ${tenant.userId}`;
  await other.rows(
    `with u as (insert into users (id, created_at, updated_at) values (gen_random_uuid(), now(), now()) returning id)
     insert into identities (issuer, subject, user_id, created_at) select $1, $2, id, now() from u`,
    [issuer, subject],
  );
  const admin = (words: string[], env: Record<string, string> = CELL()) =>
    runAdmin(["move", ...words], sending.api.databaseUrl, now(), env);
  await expect(admin([tenant.workspaceId, "b"])).rejects.toThrow("another user's");
  await expect(admin([tenant.workspaceId])).rejects.toThrow("name of a cell");
  await expect(admin([tenant.workspaceId, "c"])).rejects.toThrow("CELL_C_DATABASE_URL");
  await campaign();
  await rounds(1);
  await expect(admin([tenant.workspaceId, "b"])).rejects.toThrow("would take no opt-out");
  await expect(admin([tenant.workspaceId, "b", "--cancel"])).rejects.toThrow("is not being moved");
  expect((await tenant.call("GET", "/api/v1/templates")).status).toBe(200);
});

test("the operator's command says how far it came, and where the workspace lives", async () => {
  await campaign();
  await rounds(1);
  const admin = (...words: string[]) =>
    runAdmin(
      [...words, tenant.workspaceId, ...(words[0] === "move" ? ["b", "--leave-links"] : [])],
      sending.api.databaseUrl,
      now(),
      CELL(),
      noWait,
    );
  const said = await admin("move");
  expect(said).toMatch(
    /is frozen.*\n.*tables are copied.*\n.*tables are the same in both.*\n.*is in use in b, whose engine looks.*\n.*removed/,
  );
  expect(await admin("show")).toContain("lives in b");
  // It was done; there is nothing left to do.
  expect(await admin("move")).toMatch(/^[\d.]+ s  \S+ is in use in b/);
  await rounds(8);
  expect([doubled(), received().size]).toEqual([[], LEADS]);
});

test("the feed is told on in the other cell: who reads by a place of before begins anew, and events keep ids and order", async () => {
  await campaign();
  const events = `/api/v2/events?limit=500`;
  await tenant.call("POST", "/api/v2/api-keys", { name: "A", scopes: ["events:read"] });
  await rounds(2);
  const told = async (path: string, get: (path: string) => Promise<Response>) => {
    const reply = await get(path);
    return {
      status: reply.status,
      body: (await reply.json()) as { items: { id: string; cursor: string }[]; code?: string },
    };
  };
  const here = (path: string) =>
    sending.api.request(path, { headers: { authorization: `Bearer ${tenant.key}` } });
  const away = (path: string) => other.get(path, tenant.key);
  const before = await vi.waitUntil(
    async () => {
      const page = await told(events, here);
      return page.body.items.length >= 6 && page;
    },
    { timeout: patience(10_000) },
  );
  const ids = before.body.items.map(({ id }) => id);
  await runMove(there(), tenant.workspaceId, { now });
  sending.api.advance(2);
  const after = await vi.waitUntil(
    async () => {
      const page = await told(events, away);
      return page.body.items.length >= ids.length && page;
    },
    { timeout: patience(10_000) },
  );
  expect(after.body.items.slice(0, ids.length).map(({ id }) => id)).toEqual(ids);
  const old = await told(`${events}&after=${before.body.items[2]!.cursor}`, away);
  expect([old.status, old.body.code]).toEqual([410, "CURSOR_EXPIRED"]);
  const rest = await told(`${events}&after=${after.body.items[2]!.cursor}`, away);
  expect(rest.body.items[0]!.id).toBe(ids[3]);
});

test("what a move writes of messages and leads changes no sums: they arrive with them", async () => {
  await campaign();
  await rounds(1);
  const client = await sending.api.sql.connect();
  /** The changes of sums that one more message and one more lead make, and the deletion of a lead. */
  const changesBy = async (moving: string): Promise<number[]> => {
    await client.query("begin");
    try {
      await client.query("select set_config('overture.moving', $1, true)", [moving]);
      await client.query("delete from send_deltas");
      await client.query("delete from campaign_lead_sums where not is_sum");
      await client.query(
        `insert into sends select (jsonb_populate_record(s, jsonb_build_object(
           'id', gen_random_uuid(), 'step', 9, 'message_id', gen_random_uuid()))).*
         from sends s where s.workspace_id = $1 limit 1`,
        [tenant.workspaceId],
      );
      await client.query(
        `insert into campaign_leads select (jsonb_populate_record(l, jsonb_build_object(
           'id', gen_random_uuid(), 'lead_id', gen_random_uuid(), 'email_key', 'another@example.zz'))).*
         from campaign_leads l where l.workspace_id = $1 limit 1`,
        [tenant.workspaceId],
      );
      await client.query("delete from campaign_leads where email_key = 'another@example.zz'");
      const { rows } = await client.query<{ sends: number; leads: number }>(
        "select (select count(*)::int from send_deltas) as sends, (select count(*)::int from campaign_lead_sums where not is_sum) as leads",
      );
      return [rows[0]!.sends, rows[0]!.leads];
    } finally {
      await client.query("rollback");
    }
  };
  try {
    expect([await changesBy(""), await changesBy(tenant.workspaceId)]).toEqual([
      [1, 2],
      [0, 0],
    ]);
  } finally {
    client.release();
  }
});
