import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as told from "#db/workspace/events/catalogue.ts";
import { EVENT_SOURCES } from "#db/workspace/events/triggers.ts";
import { EVENT_TYPES } from "#db/workspace/events/types.ts";
import { activeCampaign } from "../../../support/campaigns.ts";
import { api, query, tenant, useApi } from "../../../support/use-api.ts";

useApi();

let ids: Record<string, string>;
let client: pg.PoolClient;
beforeAll(async () => {
  const { id, datasetId, aliasId } = await activeCampaign(api, tenant);
  ids = { campaigns: id, campaign_id: id, dataset_id: datasetId, mail_aliases: aliasId };
  const [{ id: leadId }] =
    (await query`select id from campaign_leads where campaign_id = ${id}`) as [{ id: string }];
  ids["campaign_leads"] = leadId;
  ids["campaign_lead_id"] = leadId;
  client = await api.sql.connect();
});
afterAll(() => client.release());

/** A row of a table that nothing was made in: what it needs, by its columns' types. */
async function insert(table: string, given: Record<string, unknown>): Promise<string> {
  const { rows } = await client.query(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null and is_generated = 'NEVER' and is_identity = 'NO'`,
    [table],
  );
  const fill: Record<string, unknown> = {
    uuid: randomUUID(),
    text: randomUUID(),
    integer: 1,
    boolean: false,
    jsonb: "{}",
    date: "2027-01-01",
    ARRAY: "{}",
    "timestamp with time zone": new Date(),
  };
  const own: Record<string, unknown> = {
    id: randomUUID(),
    workspace_id: tenant.workspaceId,
    user_id: tenant.userId,
    ...ids,
    ...given,
  };
  const values = rows.map(({ name, type }) => own[name] ?? fill[type]);
  const places = values.map((_, index) => `$${index + 1}`);
  await client.query(
    `insert into ${table} (${rows.map(({ name }) => `"${name}"`).join(", ")}) values (${places.join(", ")})`,
    values,
  );
  return own["id"] as string;
}

/** What the work tells, in a transaction that is undone. */
async function toldBy(work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  await client.query("begin");
  try {
    await work();
    const { rows } = await client.query(
      "select type, actor, campaign_id, data, at from events where tx = pg_current_xact_id() order by seq",
    );
    return rows;
  } finally {
    await client.query("rollback");
  }
}

const STATES: [string, string, Record<string, string | null>, string, Record<string, unknown>][] = [
  ["campaign_leads", "status", told.CAMPAIGN_LEAD_STATUSES, "pending", {}],
  ["sends", "state", told.SEND_STATES_TOLD, "claimed", { budget: "" }],
  ["emails", "state", told.EMAIL_STATES_TOLD, "queued", { format: "text" }],
  ["generations", "status", told.GENERATION_STATUSES_TOLD, "pending", { kind: "send_time" }],
  ["verification_jobs", "status", told.VERIFICATION_JOBS_TOLD, "pending", {}],
  ["dataset_verifications", "status", told.DATASET_VERIFICATIONS_TOLD, "pending", {}],
  ["sheet_imports", "status", told.SHEET_IMPORTS_TOLD, "running", {}],
  ["connected_accounts", "status", told.ACCOUNT_STATES_TOLD, "reconnecting", {}],
  ["social_posts", "status", told.POST_STATUSES_TOLD, "draft", {}],
  ["mail_domains", "status", told.DOMAIN_STATUSES_TOLD, "pending", {}],
  ["mail_aliases", "status", told.ALIAS_STATUSES_TOLD, "pending", {}],
  ["payment_orders", "status", told.ORDER_STATUSES_TOLD, "open", {}],
];
const cases = STATES.flatMap(([table, column, of, first, given]) =>
  Object.entries(of).map(
    ([state, type]) => [table, state, { column, type, first, given }] as const,
  ),
);

test.each(cases)("%s that becomes %s", async (table, state, { column, type, first, given }) => {
  const before = state === first ? otherThan(table, state) : first;
  // An alias works again, where it did not.
  const from = table === "mail_aliases" && state === "active" ? "error" : before;
  let started = 0;
  const events = await toldBy(async () => {
    const id = ids[table] ?? (await insert(table, { ...given, [column]: from }));
    await client.query(`update ${table} set ${column} = $2 where id = $1`, [id, from]);
    const { rows } = await client.query(
      "select count(*)::int as n from events where tx = pg_current_xact_id()",
    );
    started = rows[0].n;
    await client.query(`update ${table} set ${column} = $2 where id = $1`, [id, state]);
    // The same again tells nothing.
    await client.query(`update ${table} set ${column} = $2 where id = $1`, [id, state]);
  });
  const reopened = table === "campaign_leads" && type === null && from === "completed";
  const deferred = table === "emails" && state === "queued" && from === "transmitting";
  const expected = reopened ? "campaign_lead.reopened" : deferred ? "email.deferred" : type;
  expect(events.slice(started).map((event) => event["type"])).toEqual(
    expected === null ? [] : [expected],
  );
});

const otherThan = (table: string, state: string): string =>
  ({ campaign_leads: "completed", emails: "transmitting" })[table] ??
  STATES.filter(([name]) => name === table)
    .flatMap(([, , of]) => Object.keys(of))
    .find((other) => other !== state)!;

test.each(Object.entries(told.CAMPAIGN_ARROWS))("a campaign's arrow %s", async (arrow, type) => {
  const [from, to] = arrow.split(">");
  const events = await toldBy(async () => {
    await client.query("select set_config('overture.actor', 'key:' || gen_random_uuid(), true)");
    await client.query(
      "update campaigns set status = $2, paused_reason = 'user_requested' where id = $1",
      [ids["campaigns"], from],
    );
    await client.query("delete from events where tx = pg_current_xact_id()");
    await client.query("update campaigns set status = $2 where id = $1", [ids["campaigns"], to]);
  });
  expect(events).toMatchObject([
    {
      type,
      campaign_id: ids["campaigns"],
      actor: expect.stringMatching(/^key:/),
      data: { status: to, previous_status: from },
    },
  ]);
});

test("what the service does by itself to a scheduled launch is told apart", async () => {
  const moved = (to: string, reason: string | null) =>
    toldBy(async () => {
      const id = ids["campaigns"];
      await client.query("update campaigns set status = 'scheduled' where id = $1", [id]);
      await client.query("delete from events where tx = pg_current_xact_id()");
      await client.query("update campaigns set status = $2, paused_reason = $3 where id = $1", [
        id,
        to,
        reason,
      ]);
    });
  const types = async (to: string, reason: string | null) =>
    (await moved(to, reason)).map(({ type, actor }) => [type, actor]);
  expect(await types("draft", null)).toEqual([["campaign.launch_cancelled", null]]);
  expect(await types("paused", "personalization_review_pending")).toEqual([
    ["campaign.launch_held", null],
  ]);
  expect(await types("paused", "missed_schedule")).toEqual([["campaign.paused", null]]);
});

test("holds that a step's own work sets are not told, and those of a person are", async () => {
  const hold = (from: string | null, to: string | null) =>
    toldBy(async () => {
      const id = ids["campaign_leads"];
      await client.query("update campaign_leads set hold_reason = $2 where id = $1", [id, from]);
      await client.query("delete from events where tx = pg_current_xact_id()");
      await client.query("update campaign_leads set hold_reason = $2 where id = $1", [id, to]);
    });
  const types = async (from: string | null, to: string | null) =>
    (await hold(from, to)).map(({ type, data }) => [type, (data as { reason: string }).reason]);
  expect(await types(null, "awaiting_draft")).toEqual([]);
  expect(await types("awaiting_acceptance", null)).toEqual([]);
  expect(await types(null, "user_requested")).toEqual([["campaign_lead.held", "user_requested"]]);
  expect(await types("user_requested", null)).toEqual([
    ["campaign_lead.released", "user_requested"],
  ]);
  expect(await types("awaiting_draft", "personalization_review_pending")).toEqual([
    ["campaign_lead.held", "personalization_review_pending"],
  ]);
});

test("of the last two texts of a batch that end at once one tells that the batch is done", async () => {
  const [{ id: batch }] = (await query`
    insert into generation_batches (id, workspace_id, user_id, created_at, updated_at, kind, dataset_id, prompt_version_hash, total)
    values (gen_random_uuid(), ${tenant.workspaceId}, ${tenant.userId}, now(), now(), 'run', ${ids["dataset_id"]}, 'x', 2) returning id`) as [
    { id: string },
  ];
  const text = async () => {
    const [{ id }] = (await query`
      insert into generations (id, workspace_id, user_id, created_at, updated_at, kind, batch_id, dataset_id, lead_id, row_index, lead_index, status, prompt_version_hash, due_at, attempts)
      values (gen_random_uuid(), ${tenant.workspaceId}, ${tenant.userId}, now(), now(), 'run', ${batch}, ${ids["dataset_id"]}, gen_random_uuid(), 1, 1, 'running', 'x', now(), 1) returning id`) as [
      { id: string },
    ];
    return id;
  };
  const both = [await text(), await text()];
  const connections = await Promise.all(both.map(() => api.sql.connect()));
  await Promise.all(connections.map((each) => each.query("begin")));
  const end = "update generations set status = 'generated' where id = $1";
  await connections[0]!.query(end, [both[0]]);
  const second = connections[1]!.query(end, [both[1]]);
  await connections[0]!.query("commit");
  await second;
  await connections[1]!.query("commit");
  for (const each of connections) each.release();
  const events = await query`select type, data from events where data ->> 'batch_id' = ${batch}`;
  expect(events.filter((event) => event["type"] === "batch.done")).toMatchObject([
    { data: { total: 2 } },
  ]);
  expect(events.filter((event) => event["type"] === "draft.generated")).toHaveLength(2);
});

test("the database has the triggers of the catalogue, and they tell every type", async () => {
  const triggers = await query`
    select tgname as name from pg_trigger where not tgisinternal and tgname like 'event\\_%' order by 1`;
  expect(triggers.map(({ name }) => name)).toEqual(
    EVENT_SOURCES.map(({ name }) => `event_${name}`).toSorted(),
  );
  const texts = EVENT_SOURCES.map(({ type }) => type).join(" ");
  expect(EVENT_TYPES.filter((type) => !texts.includes(`'${type}'`))).toEqual([]);
});

test("a change by hand that is no arrow is not told, and not refused", async () => {
  const events = await toldBy(async () => {
    await client.query("update campaigns set status = 'completed' where id = $1", [
      ids["campaigns"],
    ]);
    await client.query("delete from events where tx = pg_current_xact_id()");
    await client.query("update campaigns set status = 'draft' where id = $1", [ids["campaigns"]]);
  });
  expect(events).toEqual([]);
});
