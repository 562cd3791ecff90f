/** A reply that names no message may come from anybody, so finding what it is about costs by what is found. */
import { PgDialect } from "drizzle-orm/pg-core";
import type pg from "pg";
import { expect, test } from "vitest";
import { sentByAddressStatement } from "#db/replies/sent-messages.ts";
import { sending, useSending } from "../../../support/sending.ts";

useSending();

const TENANTS = 2_000;
const PERSON = "asked-by-all@example.zz";

/** Each of them has an alias at a domain of its own, which every other one has verified, takes answers at another, and has written to the person, and to twenty others. */
async function grow(session: pg.PoolClient): Promise<void> {
  const now = sending.api.deps.clock.now();
  // Campaigns and datasets are not read, so there are none to refer to.
  await session.query("set session_replication_role = replica");
  await session.query(
    `create temporary table tenant as
       select n, gen_random_uuid() as workspace_id, gen_random_uuid() as user_id, gen_random_uuid() as alias_id, gen_random_uuid() as campaign_id
       from generate_series(1, ${TENANTS}) n`,
  );
  const statements = [
    `insert into users (id, created_at, updated_at) select user_id, $1, $1 from tenant`,
    `insert into workspaces (id, owner_user_id, name, plan, timezone, created_at, updated_at)
     select workspace_id, user_id, 'Tenant', 'paid', 'UTC', $1, $1 from tenant`,
    `insert into mail_aliases (id, workspace_id, user_id, created_at, updated_at, email, reply_to, display_name, transport_kind, transport_settings, status, daily_limit, is_default)
     select alias_id, workspace_id, user_id, $1, $1, 's@tenant' || n || '.zz', 'r@answers' || n || '.zz', 'S', 'smtp', '{}', 'active', 10, false from tenant`,
    `insert into mail_domains (id, workspace_id, user_id, created_at, updated_at, domain, status, dkim_selector, dkim_public_key, dkim_private_key)
     select gen_random_uuid(), workspace_id, user_id, $1, $1, 'tenant' || n || '.zz', 'verified', 's', 'k', 'k' from tenant where n % 2 = 1`,
    `with lead as (
       insert into campaign_leads (id, workspace_id, campaign_id, lead_id, dataset_id, row_index, email_key, status, current_step, metadata, created_at, updated_at)
       select gen_random_uuid(), workspace_id, campaign_id, gen_random_uuid(), gen_random_uuid(), n, '${PERSON}', 'active', 1, '{}', $1, $1 from tenant
       returning id, workspace_id
     )
     insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key, config_version, slot_at, campaign_day, lane_day_until,
       is_new, claimed_at, transmitting_at, accepted_at, claims, attempts, opens, clicks, machine_opens, machine_clicks, updated_at)
     select gen_random_uuid(), t.workspace_id, t.campaign_id, case when k = 0 then lead.id else gen_random_uuid() end, 1, t.alias_id, 'accepted',
       case when k = 0 then '${PERSON}' else 'p' || k || '@t' || n || '.zz' end, 1, $1::timestamptz, $1::date, $1, true, $1, $1, $1, 0, 1, 0, 0, 0, 0, $1
     from tenant t join lead using (workspace_id), generate_series(0, 20) k`,
    `insert into emails (id, workspace_id, user_id, created_at, updated_at, alias_id, conversation_id, from_email, to_email, email_key, subject, body, format,
       attachments, track_opens, track_clicks, click_tracking_patterns, due_at, state, message_id, attempts, sent_at, opens, clicks, machine_opens, machine_clicks)
     select gen_random_uuid(), workspace_id, user_id, $1, $1, alias_id, gen_random_uuid(), 's@tenant' || n || '.zz', '${PERSON}', '${PERSON}', 'S', 'B', 'text',
       '[]', false, false, '{}', $1, 'sent', gen_random_uuid()::text, 1, $1, 0, 0, 0, 0 from tenant`,
  ];
  for (const statement of statements) await session.query(statement, [now]);
}

async function pagesOf(session: pg.PoolClient, to: string[]) {
  const { sql, params } = new PgDialect().sqlToQuery(
    sentByAddressStatement({
      from: PERSON,
      to: to.map((address) => ({ address, domains: [address.slice(2)] })),
      since: new Date(0),
      workspaceId: null,
      subjects: null,
    }),
  );
  const { rows } = await session.query(`explain (analyze, buffers, format json) ${sql}`, params);
  const { Plan: plan } = rows[0]["QUERY PLAN"][0];
  const pages = (plan["Shared Hit Blocks"] as number) + (plan["Shared Read Blocks"] as number);
  return { pages, found: plan["Actual Rows"] as number };
}

test("of 2,000 workspaces that wrote to one person only those are read that the answer may be meant for", async () => {
  const session = await sending.api.sql.connect();
  try {
    await grow(session);
    for (const isAnalyzed of [false, true]) {
      if (isAnalyzed) await session.query("analyze");
      for (const to of [[77], [78], [1, 2, 3, 4, 5]])
        for (const given of ["s@tenant", "r@answers"]) {
          const { pages, found } = await pagesOf(
            session,
            to.map((n) => `${given}${n}.zz`),
          );
          expect(found).toBe(to.length);
          expect(pages).toBeLessThan(50 * to.length);
        }
    }
  } finally {
    session.release();
  }
});
