/** What is under way at the instant of an erasure is wholly before it, or sees it: nothing names the person after. */
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { campaignLeadId } from "#db/base/fragments/campaign-lead.ts";
import { commit } from "#db/base/client.ts";
import { oweBouncesOf } from "#db/campaigns/refusals.ts";
import { materialiseChunk } from "#db/campaigns/launch.ts";
import { ERASED_WORDS } from "#db/engine/outcomes.ts";
import { makeCampaignLeadsStatements } from "#db/messages/draft-targets.ts";
import { type ApprovedEntry, approveDrafts } from "#db/messages/approvals.ts";
import type { GenerationEnd } from "#db/messages/generations.ts";
import { generations } from "#db/schema/index.ts";
import { endGeneration } from "#src/domain/messages/drafts/end-generation.ts";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import type { CampaignRows } from "../../../support/engine.ts";
import { meetAtRow, untilWaiting } from "../../../support/locks.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";
import { relayThatWaits } from "./relay.ts";
import {
  ANSWERS,
  EMAIL,
  erase,
  importRows,
  NAME,
  nothingNamesThem,
  PERSON,
  query,
  tablesWith,
  whileHeld,
} from "./setting.ts";

useSending();

test("an erasure waits for an import of the same person that is under way, and erases what it brought", async () => {
  const other = { email: "other@example.zz" };
  const { id } = await importRows(tenant, [other]);
  await meetAtRow(
    sending.api.sql,
    "select 1 from leads where dataset_id = $1 for update",
    [id],
    [
      () => tenant.call("POST", `/api/v1/datasets/${id}/import`, { rows: [other, PERSON] }),
      () => erase(tenant),
    ],
  );
  expect(await tablesWith(EMAIL)).toEqual([]);
  expect(await tablesWith(NAME)).toEqual([]);
  expect((await tenant.call("GET", `/api/v1/datasets/${id}`)).body.row_count).toBe(1);
});

describe("who is erased while a campaign's message to them is handed over", () => {
  test.each(ANSWERS)("to a server that %s", async (_how, command, words) => {
    const relay = await relayThatWaits(command);
    const { campaignId } = await sending.campaign(tenant, { leads: 1, smtp: relay.smtp });
    const ticking = sending.tick();
    await relay.asked;
    expect((await erase(tenant)).status).toBe(200);
    relay.answer(words);
    await ticking;
    await nothingNamesThem();
    const [send] = await sending.sendsOf(campaignId);
    expect(send).toMatchObject({ email_key: null, reason: ERASED_WORDS });
  });

  test.each(ANSWERS)("at once, to a server that %s", async (_how, command, words) => {
    const relay = await relayThatWaits(command);
    const { leadIds } = await sending.campaign(tenant, { leads: 1, smtp: relay.smtp });
    const ticking = sending.tick();
    await relay.asked;
    await meetAtRow(
      sending.api.sql,
      "select 1 from leads where id = $1 for update",
      [leadIds[0]],
      [() => erase(tenant), async () => relay.answer(words)],
    );
    await ticking;
    await nothingNamesThem();
  });

  test("by an action of a network, which has no address of its own", async () => {
    const relay = await relayThatWaits("RCPT");
    const { campaignId } = await sending.campaign(tenant, { leads: 1, smtp: relay.smtp });
    const ticking = sending.tick();
    await relay.asked;
    await query`update sends set email_key = null, budget = 'message' where campaign_id = ${campaignId}`;
    await erase(tenant);
    relay.answer(`550 5.1.1 <${EMAIL}>: no such user`);
    await ticking;
    await nothingNamesThem();
  });

  test("the notice of a refusal that is owed meanwhile", async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1 });
    sending.mailbox.faults.order("rcpt_refused", 1);
    await sending.tick();
    const [{ id }] = await sending.sendsOf(campaignId);
    await query`update sends set reason = ${`550 <${EMAIL}>`} where id = ${id}`;
    await query`delete from outbox where workspace_id = ${tenant.workspaceId}`;
    const { db, clock } = sending.api.deps;
    // A notice of the same that never comes.
    await whileHeld(
      `insert into outbox (id, workspace_id, kind, dedup_key, payload, created_at, attempts)
       values (gen_random_uuid(), $1, 'lead_hard_bounce', 'feedback:' || $2 || ':hard_bounce', '{}', now(), 0)`,
      [tenant.workspaceId, id],
      () => oweBouncesOf(db, [campaignId], new Date(0), clock.now()),
      () => erase(tenant),
    );
    await nothingNamesThem();
  });

  test("the text of an action of a network that begins meanwhile goes too", async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1 });
    await sending.tick();
    const [{ id }] = await sending.sendsOf(campaignId);
    await query`delete from send_bodies where send_id = ${id}`;
    await query`insert into email_events (id, workspace_id, campaign_id, send_id, kind, at, link_index, classification, reasons)
      values (gen_random_uuid(), ${tenant.workspaceId}, ${campaignId}, ${id}, 'open', now(), 0, 'human', '{}')`;
    const begins = () => query`insert into send_bodies (send_id, html) values (${id}, ${NAME})`;
    await whileHeld(
      "select 1 from email_events where send_id = $1 for update",
      [id],
      () => erase(tenant),
      begins,
    );
    await nothingNamesThem();
  });
});

describe("the text for who is erased meanwhile", () => {
  const LEAD_ROW = "select 1 from leads where id = $1 for update";
  const words = { subject: NAME, body: NAME };

  test("is not kept where it is written", async () => {
    const { leadIds } = await sending.campaign(tenant, { leads: 1 });
    const { deps } = sending.api;
    const token = crypto.randomUUID();
    await query`insert into generations (id, workspace_id, user_id, created_at, updated_at, kind, dataset_id, lead_id, row_index, lead_index, status,
        prompt_version_hash, attempts, due_at, claim_token)
      select gen_random_uuid(), workspace_id, user_id, now(), now(), 'playground', dataset_id, id, row_index, 0, 'running', 'hash', 1, now(), ${token}
      from leads where id = ${leadIds[0]}`;
    const [generation] = await deps.db.select().from(generations);
    const end = { status: "generated", ...words } as GenerationEnd;
    await whileHeld(
      LEAD_ROW,
      [leadIds[0]],
      () => erase(tenant),
      () => endGeneration(deps, { generation: generation!, token }, end),
    );
    await nothingNamesThem();
    await query`delete from generations`;
  });

  test("is not kept where it is approved", async () => {
    const {
      campaignId: id,
      leadIds,
      campaignLeadIds,
    } = await sending.campaign(tenant, { leads: 1 });
    const { db, clock } = sending.api.deps;
    const campaign = { id, workspaceId: tenant.workspaceId, status: "active" as const };
    const entry = { ...words, approved_at: "now" } as ApprovedEntry;
    await whileHeld(
      LEAD_ROW,
      [leadIds[0]],
      () => erase(tenant),
      () =>
        approveDrafts(db, { campaign, step: 1, now: clock.now() }, [
          { campaignLeadId: campaignLeadIds[0]!, entry },
        ]),
    );
    await nothingNamesThem();
  });
});

describe("who comes to a campaign while they are erased", () => {
  const WAYS: [string, (rows: CampaignRows, leadId: string) => Promise<unknown>][] = [
    [
      "a launch",
      async ({ campaignId }) => {
        const [{ id }] =
          await query`update campaigns set status = 'launching', launch_job_id = gen_random_uuid(),
          launch_cursor = -1, launch_requested_at = now() where id = ${campaignId} returning launch_job_id as id`;
        const now = sending.api.deps.clock.now();
        await materialiseChunk(sending.api.deps.db, { campaignId, jobId: id, now }, 10);
      },
    ],
    [
      "an addition",
      ({ campaignId }, leadId) =>
        tenant.call("POST", `/api/v1/campaigns/${campaignId}/leads`, { lead_ids: [leadId] }),
    ],
    [
      "a batch of drafts",
      ({ campaignId: id }, leadId) => {
        const { deps } = sending.api;
        const { workspaceId } = tenant;
        const campaign = { id, workspaceId, useLeadTimezone: false };
        return commit(
          deps.db,
          makeCampaignLeadsStatements(deps.db, campaign, [leadId], deps.clock.now()),
        );
      },
    ],
  ];

  /** A campaign that the person, the first lead, is not in yet. */
  async function withoutThem() {
    const rows = await sending.campaign(tenant, { leads: 2 });
    await query`delete from campaign_leads where id = ${rows.campaignLeadIds[0]}`;
    return { rows, leadId: rows.leadIds[0]! };
  }

  test.each(WAYS)("by %s: it is waited for, and they go from there too", async (_name, come) => {
    const { rows, leadId } = await withoutThem();
    const other = await sending.campaign(await sending.api.tenant(), { leads: 0 });
    const ids = await sending.api.deps.db.execute<{ id: string }>(
      sql`select ${campaignLeadId(sql`${rows.campaignId}::uuid`, sql`${leadId}::uuid`)} as id`,
    );
    // A row with the id that theirs is to have, which never comes: what writes theirs has read them, and waits.
    await whileHeld(
      `insert into campaign_leads select (jsonb_populate_record(l, jsonb_build_object('id', $1::uuid, 'campaign_id', $2::uuid))).*
       from campaign_leads l where id = $3`,
      [ids.rows[0]!.id, other.campaignId, rows.campaignLeadIds[1]],
      () => come(rows, leadId),
      () => erase(tenant),
    );
    await nothingNamesThem();
  });

  test.each(WAYS)("by %s: it waits for the erasure, and finds nobody", async (_name, come) => {
    const { rows, leadId } = await withoutThem();
    await meetAtRow(
      sending.api.sql,
      "select 1 from leads where id = $1 for update",
      [leadId],
      [() => erase(tenant), () => come(rows, leadId)],
    );
    await nothingNamesThem();
    expect(await query`select 1 from campaign_leads where lead_id = ${leadId}`).toEqual([]);
  });
});

test("what comes to a person's campaign while they are erased goes with them, and no mail that was asked for meanwhile is sent", async () => {
  const tenant = await sending.api.tenant();
  const { campaignId, leadIds, campaignLeadIds, aliasIds } = await sending.campaign(tenant, {
    leads: 2,
  });
  const [{ email }] = await query`select email from leads where id = ${leadIds[0]}`;
  await query`delete from campaign_leads where id = ${campaignLeadIds[0]}`;
  const holder = await sending.api.sql.connect();
  await holder.query("begin");
  await holder.query("select 1 from leads where id = $1 for update", [leadIds[0]]);
  const erased = erase(tenant, email);
  await untilWaiting(sending.api.sql, 1);
  // As a launch that read the person before writes its leads.
  await query`
    insert into campaign_leads select (jsonb_populate_record(l, jsonb_build_object('id', gen_random_uuid(), 'lead_id', ${leadIds[0]}::text,
      'email', ${email}::text, 'email_key', ${email}::text))).* from campaign_leads l where id = ${campaignLeadIds[1]}`;
  const wish = { alias_id: aliasIds[0], to_email: email, subject: "Hello", body: "<p>You</p>" };
  const asked = tenant.call("POST", "/api/v1/mailer/emails", wish);
  await untilWaiting(sending.api.sql, 2);
  await holder.query("rollback");
  holder.release();
  expect((await erased).status).toBe(200);
  const { body: single } = await asked;
  await deliverEmail(sending.api.deps, single.id);
  await sending.tick();
  const to = (await sending.mailbox.messages()).flatMap((mail) => mail.to);
  expect(to).not.toContain(email);
  const [lead] = await query`
    select email, email_key, status from campaign_leads where campaign_id = ${campaignId} and lead_id = ${leadIds[0]}`;
  expect(lead).toEqual({ email: null, email_key: null, status: "stopped" });
});
