import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { from, instant, integer, orNull, rowReader, text, typed } from "../base/rows.ts";
import { uuidArray } from "../base/text-array.ts";
import type { LaneKind } from "../schema/index.ts";
import { wakeLanesFor } from "./wake-few.ts";
import { RESTORED, RESTORED_HOLD } from "./restored.ts";
import { stepPlan, stepPlanColumns } from "./step-plan.ts";

/** A send that is not settled yet, with what its lead's next step is planned from. */
export type RestoredSend = ReturnType<typeof readRestored>;
const readRestored = rowReader({
  id: text,
  campaignId: text,
  campaignLeadId: text,
  campaign: text,
  kind: typed<LaneKind>(),
  step: integer,
  address: orNull(text),
  messageId: orNull(text),
  slotAt: instant,
  reason: text,
  ...stepPlanColumns,
});

/** All of them, or those of these ids. */
export async function restoredSends(
  db: Db,
  ids: readonly string[] | null,
): Promise<RestoredSend[]> {
  const { rows } = await db.execute(sql`
    select s.id, s.campaign_id, s.campaign_lead_id, c.name as campaign, lane.kind, s.step, coalesce(s.email_key, l.profile_url) as address,
           s.message_id, s.slot_at, s.reason, ${stepPlan(sql`s.step`)}
    from sends s join campaigns c on c.id = s.campaign_id join campaign_leads l on l.id = s.campaign_lead_id
      join sender_lanes lane on lane.id = s.lane_id
    where s.state = 'unknown' and starts_with(s.reason, ${RESTORED})
      ${ids === null ? sql`` : sql`and s.id = any(${uuidArray(ids)})`}
    order by c.id, s.step, l.row_index, s.id`);
  return rows.map(readRestored);
}

/** A lead whose last unknown send is settled, and whose next step may have gone out as well. */
export type RestoredLead = ReturnType<typeof readWaiting>;
const readWaiting = rowReader({
  id: text,
  campaign: text,
  step: from("next_step", integer),
  address: orNull(text),
});

export async function restoredLeads(
  db: Db,
  ids: readonly string[] | null,
): Promise<RestoredLead[]> {
  const { rows } = await db.execute(sql`
    select l.id, c.name as campaign, l.next_step, coalesce(l.email_key, l.profile_url) as address
    from campaign_leads l join campaigns c on c.id = l.campaign_id
    where l.status = 'active' and l.hold_reason = ${RESTORED_HOLD} and l.next_action_at is not null
      ${ids === null ? sql`` : sql`and l.id = any(${uuidArray(ids)})`}
    order by c.id, l.row_index, l.id`);
  return rows.map(readWaiting);
}

/** These leads go on: what they waited for did not go out. */
export async function endRestoredHolds(
  db: Db,
  leadIds: readonly string[],
  now: Date,
): Promise<void> {
  const at = instantParam(now);
  await db.execute(sql`
    with ended as (
      update campaign_leads l set hold_reason = null, updated_at = ${at}
      where l.id = any(${uuidArray(leadIds)}) and l.hold_reason = ${RESTORED_HOLD}
      returning l.campaign_id, l.alias_id
    )
    ${wakeLanesFor(sql`ended`, at)}`);
}
