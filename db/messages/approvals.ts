import type { CampaignRow } from "../schema/index.ts";
import { type SQL, sql } from "drizzle-orm";
import { endDraftHoldStatement } from "../campaigns/draft-holds.ts";
import { commit, type Db } from "../base/client.ts";
import { SENT_STATES } from "./draft-targets.ts";
import { lockCampaignLanes, lockCampaignStatement } from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { instant, orNull, rowReader, text, typed } from "../base/rows.ts";
import type { Json } from "../schema/columns.ts";
import { uuidArray } from "../base/text-array.ts";

/** A text that a user approved for a lead's step, as `metadata.approved_emails` keeps and answers it. */
export interface ApprovedEntry {
  subject: string;
  body: string;
  prompt_snapshot: string;
  prompt_version_hash: string;
  lead_identity_fingerprint: string;
  step_index: number;
  variant_label: string | null;
  step_config_fingerprint: string;
  approved_at: string;
  /** The user. */
  approved_by: string;
  research_cache_fingerprint: string | null;
  sender_profile_id: string | null;
  template_id: string | null;
  model: string;
  generation_latency_ms: number;
}

export interface Approval {
  campaignLeadId: string;
  entry: ApprovedEntry;
  replaces?: string | null | undefined;
}

interface Place {
  campaign: Pick<CampaignRow, "id" | "workspaceId" | "status">;
  step: number;
  now: Date;
}

export type ReviewedLead = ReturnType<typeof readReviewed>;
const readReviewed = rowReader({
  id: text,
  metadata: typed<Record<string, Json>>(),
  updatedAt: instant,
  /** What was approved before. */
  entry: orNull(typed<ApprovedEntry>()),
});

const ofCampaign = ({ campaign }: Place): SQL =>
  sql`l.workspace_id = ${campaign.workspaceId} and l.campaign_id = ${campaign.id}`;

/** To be run after `lockSends`, so that a begin that is being committed is seen. */
const isUnsent = (step: SQL): SQL => sql`l.current_step < ${step} and (
  select true from sends s where s.campaign_lead_id = l.id and s.step = ${step} and s.state in ${SENT_STATES} limit 1) is null`;

const lockSends = (db: Db, campaignLeadIds: readonly string[]) =>
  db.execute(sql`
    select 1 from sends where campaign_lead_id = any(${uuidArray(campaignLeadIds)})
    order by campaign_lead_id, step for update`);

/**
 * Lanes first, then the campaign, sends and leads: the order in which everybody locks. A send that is claimed may be
 * written already, with the text of before: its claim ends here, so that it does not begin.
 */
const locks = (
  db: Db,
  { campaign, step, now }: Omit<Place, "step"> & { step: number | null },
  campaignLeadIds: readonly string[],
) =>
  [
    ["active", "draining"].includes(campaign.status)
      ? lockCampaignLanes(db, campaign.id)
      : db.execute(sql`select 1`),
    lockCampaignStatement(db, campaign.id),
    lockSends(db, campaignLeadIds),
    db.execute(sql`
      update sends set lease_until = claimed_at, updated_at = ${instantParam(now)}
      where campaign_lead_id = any(${uuidArray(campaignLeadIds)}) and state = 'claimed'
        and step = coalesce(${step}::int, step)`),
  ] as const;

const reviewedStatement = (db: Db, { campaign, now }: Place, when: SQL) =>
  db.execute(sql`
    update campaigns set reviewed_at = ${instantParam(now)}, updated_at = ${instantParam(now)}
    where id = ${campaign.id} and reviewed_at is null and ${when}`);

/**
 * Saves approved texts for leads that have not had the step and still name somebody, and answers those leads. Ends their holds for a text; the
 * campaign counts as reviewed from the first approval on. With `replaces`, only where that is the `approved_at` of what
 * is approved now, null for nothing: it is compared in the statement that writes, so that of two people one is refused.
 */
export async function approveDrafts(
  db: Db,
  place: Place,
  approvals: readonly Approval[],
): Promise<ReviewedLead[]> {
  const { step, now } = place;
  const at = instantParam(now);
  const ids = approvals.map(({ campaignLeadId }) => campaignLeadId);
  const records = approvals.map(({ campaignLeadId, entry, replaces }) => ({
    ...{ id: campaignLeadId, entry, replaces, is_any: replaces === undefined },
  }));
  const key = sql`${String(step)}::text`;
  const isReplaced = sql`(a.is_any or l.metadata #>> array['approved_emails', ${key}, 'approved_at'] is not distinct from a.replaces)`;
  const approve = db.execute(sql`
    update campaign_leads l
    set metadata = l.metadata || jsonb_build_object('approved_emails',
          coalesce(l.metadata -> 'approved_emails', '{}') || jsonb_build_object(${key}, a.entry)), updated_at = ${at}
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as a(id uuid, entry jsonb, replaces text, is_any boolean)
    where l.id = a.id and ${ofCampaign(place)} and (l.email is not null or l.profile_url is not null) and ${isUnsent(sql`${step}::int`)} and ${isReplaced}
    returning l.id, l.metadata, l.updated_at, a.entry`);
  const isApproved = sql`exists (select 1 from campaign_leads l where ${ofCampaign(place)}
    and l.id = any(${uuidArray(ids)}) and l.updated_at = ${at} and l.metadata -> 'approved_emails' ? ${key})`;
  const [, , , , approved] = await commit(db, [
    ...locks(db, place, ids),
    approve,
    reviewedStatement(db, place, isApproved),
    endDraftHoldStatement(db, { campaignLeadIds: ids, step, now }),
  ]);
  return approved.rows.map(readReviewed);
}

/**
 * Removes the approved text of a step, or with null of every step that was not sent yet. Undefined where that one step was
 * sent: its text stays on record. `isReview`: the removal is an unapproval, and counts as a review of the campaign's drafts.
 */
export async function removeApproval(
  db: Db,
  place: Omit<Place, "step"> & { step: number | null },
  campaignLeadId: string,
  isReview: boolean,
): Promise<ReviewedLead | undefined> {
  const { step, now } = place;
  const at = instantParam(now);
  const own = { ...place, step: step ?? 0 };
  const key = sql`${String(step)}::text`;
  const kept =
    step === null
      ? sql`(select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(l.metadata -> 'approved_emails') e
          where not (${isUnsent(sql`e.key::int`)}))`
      : sql`(l.metadata -> 'approved_emails') - ${key}`;
  const remove = db.execute(sql`
    with old as (
      select l.id, l.metadata -> 'approved_emails' -> ${key} as entry, ${kept} as kept from campaign_leads l
      where ${ofCampaign(own)} and l.id = ${campaignLeadId} and ${step === null ? sql`true` : isUnsent(sql`${step}::int`)}
      for update of l
    ), removed as (
      update campaign_leads l set metadata = l.metadata || jsonb_build_object('approved_emails', old.kept), updated_at = ${at}
      from old where l.id = old.id and l.metadata -> 'approved_emails' <> old.kept
      returning l.id, l.metadata, l.updated_at
    )
    select l.id, coalesce(removed.metadata, l.metadata) as metadata, coalesce(removed.updated_at, l.updated_at) as updated_at, old.entry
    from old join campaign_leads l on l.id = old.id left join removed on removed.id = l.id`);
  const [, , , , result] = await commit(db, [
    ...locks(db, place, [campaignLeadId]),
    remove,
    reviewedStatement(
      db,
      own,
      sql`${isReview}::boolean and exists (select 1 from campaign_leads l
        where ${ofCampaign(own)} and l.id = ${campaignLeadId} and ${isUnsent(sql`${own.step}::int`)})`,
    ),
  ]);
  return result.rows[0] && readReviewed(result.rows[0]);
}
