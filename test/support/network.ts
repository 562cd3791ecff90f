import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { ActionType, Channel } from "#db/schema/index.ts";
import { wholeSecond } from "#src/domain/engine/window.ts";
import { runTick } from "#src/domain/jobs/tick.ts";
import type { TickReport } from "#src/domain/engine/tick.ts";
import { type NetworkPart, startNetwork } from "../../scripts/stack/network/network.ts";
import type { Tenant } from "./api.ts";
import { createEagerClock } from "./eager-clock.ts";
import { insertAliases } from "./engine.ts";
import { type Sending, startSending } from "./sending.ts";
import { advanceTo } from "./run-until.ts";

export const API_KEY = "local.key-of-these-tests";
export const WEBHOOK_SECRET = "network-webhook-secret-for-tests";

/** The service with the local stack's network, whose people accept and answer as its clock goes on. */
export interface Networked extends Sending {
  network: NetworkPart;
}

export let networked: Networked;
export let tenant: Tenant;

/** For each test a workspace of its own. */
export function useNetwork(): void {
  beforeAll(async () => {
    const network = await startNetwork({ apiKey: API_KEY });
    const sending = await startSending({
      UNIPILE_API_URL: network.url,
      UNIPILE_API_KEY: API_KEY,
      UNIPILE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    });
    networked = { ...sending, network };
  });
  afterAll(async () => {
    await networked.close();
    await networked.network.close();
  });
  beforeEach(async () => {
    await networked.reset();
    networked.network.faults.clear();
    tenant = await networked.api.tenant();
  });
}

export interface AccountRows {
  id: string;
  providerAccountId: string;
}

/** An account that is connected, and its lane; no warm-up. */
export async function insertAccount(
  username = `ok+${randomUUID()}@example.zz`,
): Promise<AccountRows> {
  const { api } = networked;
  const connected = await api.deps.network!.accounts.connect({
    username,
    password: "correct horse",
  });
  if (!connected.ok) throw new Error(connected.failure.detail);
  const { accountId: providerAccountId } = connected.value;
  const id = randomUUID();
  const now = api.deps.clock.now();
  await api.sql.query(
    `insert into connected_accounts (id, workspace_id, user_id, created_at, updated_at, provider, provider_account_id, display_name, profile_url, is_premium,
       status, status_since, checkpoint_pending, is_default, daily_connection_limit, daily_message_limit, warmup_days, failures)
     values ($1, $2, $3, $4, $4, 'socialnet', $5, 'Owner', 'https://network.zz/in/owner', $6, 'connected', $4, false, false, 20, 50, 0, 0)`,
    [id, tenant.workspaceId, tenant.userId, now, providerAccountId, username.startsWith("premium")],
  );
  await api.sql.query(
    `insert into sender_lanes (id, workspace_id, kind, open, next_slot_at, slot_no, day_cap, used, connection_cap, failures, updated_at)
     values ($1, $2, 'socialnet', true, $3, 0, 70, 0, 20, 0, $3)`,
    [id, tenant.workspaceId, now],
  );
  return { id, providerAccountId };
}

export interface NetworkStep {
  action: ActionType;
  days?: number;
  text?: string;
  /** Of an email; without one it has its own. */
  subject?: string;
}

export interface NetworkCampaignRows {
  campaignId: string;
  accountId: string;
  aliasIds: string[];
  campaignLeadIds: string[];
}

const channelOf = (action: ActionType): Channel =>
  action === "send_email" ? "email" : "socialnet";

/** An active campaign that is open all day, for people of the network; where it has emails too, they have addresses. */
export async function insertNetworkCampaign({
  account,
  steps,
  people,
}: {
  account: AccountRows;
  steps: NetworkStep[];
  /** Public identifiers; null for a lead without a profile. */
  people: (string | null)[];
}): Promise<NetworkCampaignRows> {
  const { api, mailbox } = networked;
  const { sql } = api;
  const now = wholeSecond(api.deps.clock.now());
  const channels = new Set(steps.map(({ action }) => channelOf(action)));
  const type = channels.size > 1 ? "mixed" : [...channels][0]!;
  const { host, port } = mailbox.smtp;
  const aliasIds = channels.has("email")
    ? await insertAliases(sql, tenant, 1, { now, smtp: { host, port } })
    : [];
  for (const id of aliasIds)
    await sql.query(
      `update mail_aliases set transport_secret = $2, transport_settings = transport_settings || '{"username": "relay"}' where id = $1`,
      [id, await api.deps.vault.seal("secret", `mail_aliases:${id}:transport_secret`)],
    );
  const datasetId = randomUUID();
  const campaignId = randomUUID();
  const owner = [tenant.workspaceId, tenant.userId, now] as const;
  await sql.query(
    `insert into datasets (id, workspace_id, user_id, created_at, updated_at, name, source, status, row_count, columns, mapping)
     values ($4, $1, $2, $3, $3, 'Leads', 'api', 'ready', $5, '[]', '{}')`,
    [...owner, datasetId, people.length],
  );
  const dayStart = `${now.toISOString().slice(0, 10)}T00:00:00Z`;
  await sql.query(
    `insert into campaigns (id, workspace_id, user_id, created_at, updated_at, dataset_id, name, type, status, launch_type, daily_limit,
       sending_window_start, sending_window_end, min_interval_seconds, timezone, use_lead_timezone, send_days, steps, config_version,
       alias_ids, connected_account_id, unreviewed_launch_policy, stop_on_reply, stop_on_auto_reply, stop_on_company_reply, launch_cursor, schedule_generation,
       total_leads, launched_at, used, used_new, open_from, open_until, open_day)
     values ($4, $1, $2, $3, $3, $5, 'Test', $6, 'active', 'immediate', 500, '00:00', '00:00', 60, 'UTC', false,
       '{mon,tue,wed,thu,fri,sat,sun}', $7, 1, $8, $9, 'launch_default', true, false, false, $10, 0, $10, $3, 0, 0,
       $11::timestamptz, $11::timestamptz + interval '1 day', ($11::timestamptz at time zone 'UTC')::date)`,
    [
      ...owner,
      campaignId,
      datasetId,
      type,
      JSON.stringify(steps.map(stepOf)),
      aliasIds,
      account.id,
      people.length,
      dayStart,
    ],
  );
  await sql.query(
    `insert into campaign_senders (campaign_id, lane_id) select $1, unnest($2::uuid[])`,
    [campaignId, [...aliasIds, account.id]],
  );
  const { rows } = await sql.query(
    `with lead as (
       insert into leads (id, workspace_id, user_id, created_at, updated_at, dataset_id, row_index, email, email_key, identity_key, profile_url, first_name, tags, custom)
       select gen_random_uuid(), $1, $2, $3, $3, $4, n, e, e, e, 'https://www.linkedin.com/in/' || slug, 'Lead ' || n, '{}', '{}'
       from unnest($5::text[]) with ordinality x(slug, n), lateral (select 'lead' || n || '@' || $6 || '.zz' as e) y
       returning id, row_index, email, profile_url
     )
     insert into campaign_leads (id, workspace_id, campaign_id, lead_id, dataset_id, row_index, email, email_key, profile_url, connected_account_id, status, current_step, next_step, next_action_at, next_budget, metadata, created_at, updated_at)
     select gen_random_uuid(), $1, $7, id, $4, row_index, email, email, profile_url, $9, 'pending', 0, 1, $3, $8, '{}', $3, $3 from lead
     returning id, row_index`,
    [
      ...owner,
      datasetId,
      people,
      campaignId.slice(0, 8),
      campaignId,
      budgetOf(steps[0]!.action),
      account.id,
    ],
  );
  rows.sort((a, b) => a.row_index - b.row_index);
  return { campaignId, accountId: account.id, aliasIds, campaignLeadIds: rows.map(({ id }) => id) };
}

const budgetOf = (action: ActionType): string =>
  action === "send_email" ? "" : action === "connection_request" ? "connection" : "message";

const stepOf = ({ action, days = 0, text, subject = "Hello" }: NetworkStep, index: number) => ({
  step: index + 1,
  delay_days: days,
  channel: channelOf(action),
  action_type: action,
  ai_personalization_enabled: false,
  track_opens: false,
  track_clicks: false,
  variants:
    action === "send_email"
      ? [
          {
            label: "A",
            weight: 100,
            type: "INLINE",
            subject,
            body: text ?? "Hello {{ first_name }}",
          },
        ]
      : [],
  ...(action === "send_email" || text === undefined ? {} : { message_template: text }),
});

/** The service's own tick, now; its waits move the clock of the test. */
export async function tickNow(): Promise<TickReport> {
  const { deps } = networked.api;
  const clock = createEagerClock(Date.now());
  const report = await runTick({ ...deps, clock });
  advanceTo(clock.now().getTime(), networked.api);
  return report;
}

/** Ticks over so many minutes. */
export async function tickFor(minutes: number): Promise<void> {
  const end = Date.now() + minutes * 60_000;
  while (Date.now() < end) {
    await tickNow();
    networked.api.advance(60);
  }
}
