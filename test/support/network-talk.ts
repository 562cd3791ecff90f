import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { AccountRow } from "#db/network/accounts.ts";
import type { Deps } from "#src/deps.ts";
import { findAccountOrDefault } from "#db/network/account-lookup.ts";
import type { MessageEvent } from "#src/domain/replies/inbound/network/take-message.ts";
import { takeMessage } from "#src/domain/replies/inbound/network/take-message.ts";
import type { Tenant } from "./api.ts";

/** A connected account with its lane, written past the API: nothing is behind it at the provider. */
export async function insertAccount(
  { sql, deps }: { sql: pg.Pool; deps: Deps },
  tenant: Tenant,
  { providerAccountId = `account-${randomUUID()}`, isDefault = true, status = "connected" } = {},
): Promise<AccountRow> {
  const id = randomUUID();
  const now = deps.clock.now();
  await sql.query(
    `insert into connected_accounts (id, workspace_id, user_id, created_at, updated_at, provider, provider_account_id, display_name, profile_url,
       is_premium, status, status_since, checkpoint_pending, is_default, daily_connection_limit, daily_message_limit, warmup_days, failures)
     values ($1, $2, $3, $4, $4, 'socialnet', $5, 'Sender', 'https://www.linkedin.com/in/sender', false, $6, $4, false, $7, 20, 50, 14, 0)`,
    [id, tenant.workspaceId, tenant.userId, now, providerAccountId, status, isDefault],
  );
  await sql.query(
    `insert into sender_lanes (id, workspace_id, kind, open, slot_no, day_cap, connection_cap, used, connections_used, day_from, day_until, failures, updated_at)
     values ($1, $2, 'socialnet', $4, 0, 70, 20, 0, 0, date_trunc('day', $3::timestamptz), date_trunc('day', $3::timestamptz) + interval '1 day', 0, $3)`,
    [id, tenant.workspaceId, now, status === "connected"],
  );
  return (await findAccountOrDefault(deps.db, tenant.workspaceId, id))!;
}

/** What a campaign lead's page is, and whom the network means by it. */
export async function putOnNetwork(
  sql: pg.Pool,
  campaignLeadId: string,
  { slug, personId = null }: { slug: string; personId?: string | null },
): Promise<void> {
  await sql.query("update campaign_leads set profile_url = $2, person_id = $3 where id = $1", [
    campaignLeadId,
    `https://www.linkedin.com/in/${slug}`,
    personId,
  ]);
}

/** A message of the account that a campaign sent to its lead, as the ledger has it once it is accepted. */
export async function recordNetworkSend(
  sql: pg.Pool,
  {
    campaignLeadId,
    laneId,
    step = 2,
    budget = "message",
    html = "<p>Hello</p>",
    at,
  }: {
    campaignLeadId: string;
    laneId: string;
    step?: number;
    budget?: "connection" | "message";
    html?: string | null;
    at: Date;
  },
): Promise<string> {
  const id = randomUUID();
  await sql.query(
    `insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key, message_id, config_version, slot_at, campaign_day, lane_day_until,
       budget, is_new, claimed_at, claims, attempts, transmitting_at, accepted_at, opens, clicks, machine_opens, machine_clicks, updated_at)
     select $1, workspace_id, campaign_id, id, $3, $4, 'accepted', email_key, $7, 1, $5::timestamptz, $5::date, $5, $6, false, $5, 0, 1, $5, $5, 0, 0, 0, 0, $5
     from campaign_leads where id = $2`,
    [
      id,
      campaignLeadId,
      step,
      laneId,
      at,
      budget,
      html === null && budget === "message" ? null : `message-${id}`,
    ],
  );
  if (html !== null)
    await sql.query("insert into send_bodies (send_id, html, written_at) values ($1, $2, $3)", [
      id,
      html,
      at,
    ]);
  return id;
}

/** Somebody says something to the account. */
export const hear = (
  deps: Deps,
  account: AccountRow,
  event: Partial<MessageEvent> & { text: string },
): Promise<boolean> =>
  takeMessage(deps, account, {
    kind: "message",
    accountId: account.providerAccountId,
    chatId: "chat-1",
    messageId: randomUUID(),
    personId: null,
    name: null,
    profileUrl: null,
    at: deps.clock.now(),
    ...event,
  });
