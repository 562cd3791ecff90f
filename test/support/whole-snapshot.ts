import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/base/client.ts";
import { suppressionReason } from "#db/base/fragments/suppression-reason.ts";
import { instantParam } from "#db/base/instants.ts";
import { uuidArray } from "#db/base/text-array.ts";
import { guardsAddress } from "#db/engine/address-guard.ts";
import { type EngineSnapshot, loadSnapshot, type SnapshotOrder } from "#db/engine/snapshot.ts";
import { readLead } from "#db/engine/snapshot-rows.ts";
import type { SuppressionReason } from "#db/schema/index.ts";

/**
 * The general way: every waiting lead of every campaign concerned, in one order, and all their addresses. Slow, and what
 * the first leads of each queue are compared with.
 */
export async function wholeSnapshot(db: Db, order: SnapshotOrder): Promise<EngineSnapshot> {
  const snapshot = await loadSnapshot(db, { ...order, first: null });
  const campaignIds = uuidArray(snapshot.campaigns.map(({ id }) => id));
  const { rows } = await db.execute(leadsStatement(campaignIds));
  const addresses = await db.execute<{
    email_key: string;
    campaign_id: string;
    at: string | null;
    reason: SuppressionReason | null;
  }>(addressesStatement(campaignIds, order));
  return {
    ...snapshot,
    leads: rows.map(readLead),
    cutCampaigns: [],
    suppressed: addresses.rows
      .filter(({ at }) => at === null)
      .map((row) => ({ emailKey: row.email_key, reason: row.reason! })),
    mailed: addresses.rows
      .filter(({ at }) => at !== null)
      .map((row) => ({
        emailKey: row.email_key,
        campaignId: row.campaign_id,
        at: new Date(row.at!),
      })),
  };
}

const leadsStatement = (campaignIds: SQL): SQL => sql`
  select l.*, (select jsonb_object_agg(key, value -> 'approved_at') from jsonb_each(l.metadata -> 'approved_emails')) as approved
  from campaign_leads l where l.campaign_id = any(${campaignIds}) and l.status in ('pending', 'active')
  order by l.campaign_id, l.status, l.next_action_at nulls first, l.row_index`;

function addressesStatement(campaignIds: SQL, { workspaceId, now }: SnapshotOrder): SQL {
  const [workspace, at] = [sql`${workspaceId}::uuid`, instantParam(now)];
  return sql`
  with address as (
    select distinct email_key from campaign_leads
    where campaign_id = any(${campaignIds}) and status in ('pending', 'active') and email_key is not null
  ), judged as (
    select email_key, ${suppressionReason(workspace, sql`email_key`, at)} as by_mail,
           ${suppressionReason(workspace, sql`email_key`, at, "network")} as by_network from address
  )
  select email_key, null::uuid as campaign_id, null::timestamptz as at, coalesce(by_network, by_mail) as reason from judged
  where by_mail is not null
  union all
  select o.email_key, o.campaign_id, max(coalesce(o.accepted_at, o.transmitting_at)), null from sends o
  where o.workspace_id = ${workspaceId} and ${guardsAddress(at)}
    and exists (select 1 from address where address.email_key = o.email_key)
  group by 1, 2`;
}
