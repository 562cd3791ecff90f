import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "../base/client.ts";
import { approvedEntry } from "../engine/draft-hold.ts";
import { isAcceptanceHold, stepHoldAt } from "../engine/step-hold.ts";
import { wakeLanesFor } from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { DRAFT_HOLDS, type DraftHold, STEP_HOLDS } from "../schema/index.ts";
import { textArray, uuidArray } from "../base/text-array.ts";

/** A lead whose text is not sent by itself, and why. */
export interface RefusedDraft {
  campaignLeadId: string;
  step: number;
  reason: string;
  now: Date;
}

export interface EndedWait {
  campaignLeadIds: readonly string[];
  /** The step whose text is there now; a lead that waits for another step's text goes on waiting. */
  step: number;
  /** The holds that end by it: both, after an approval; an unreviewed text ends no hold for review. */
  holds?: readonly DraftHold[];
  now: Date;
}

/**
 * Ends the wait of leads for their text, in the transaction in which it comes to be there, and
 * lets their senders look. A hold by a person stays. A sender that will look by itself is not touched.
 */
export function endDraftHoldStatement(
  db: Db,
  { campaignLeadIds, step, holds = DRAFT_HOLDS, now }: EndedWait,
): Statement {
  const at = instantParam(now);
  return db.execute(sql`
    with ended as (
      update campaign_leads l set hold_reason = null, hold_until = null, updated_at = ${at}
      where l.id = any(${uuidArray(campaignLeadIds)}) and l.next_step = ${step}::int
        and l.hold_reason = any(${textArray([...holds])}::text[])
      returning l.campaign_id, l.alias_id
    )
    ${wakeLanesFor(sql`ended`, at)}`);
}

/** A lead whose text is there, and is to be read before it is sent, waits for a user; its sender has nothing to look for. */
export const holdForReviewStatement = (
  db: Db,
  { campaignLeadId, step, reason, now }: RefusedDraft,
): Statement =>
  db.execute(sql`
    update campaign_leads l
    set hold_reason = 'personalization_review_pending', last_error = ${reason}::text, updated_at = ${instantParam(now)}
    where l.id = ${campaignLeadId} and l.next_step = ${step}::int and l.hold_reason = 'awaiting_draft'`);

/** Whether lead `l` has no text for a step that it could be sent under this policy; what a text is worth is judged when it is sent. */
const lacksText = (step: SQL, policy: SQL): SQL => sql`(
  ${approvedEntry(sql`l.metadata`, step)} is null and (${policy} = 'hold' or not exists (
    select 1 from generations g where g.campaign_lead_id = l.id and g.step = ${step} and g.kind = 'send_time'
      and g.status = 'generated' and g.held_reason is null)))`;

/** `hold`, the one of the step, as far as lead `l` lacks what it waits for. */
const holdIfLacking = (hold: SQL, step: SQL, policy: SQL): SQL => sql`
  case when ${isAcceptanceHold(hold)} then case when l.connected_at is null then ${hold} end
       when ${lacksText(step, policy)} then ${hold} end`;

/** The hold of lead `l` of campaign `c` before this step; null for none. */
export const stepHoldFor = (step: SQL): SQL => sql`(
  select ${holdIfLacking(sql`step.hold`, step, sql`c.unreviewed_launch_policy`)} from (select ${stepHoldAt(sql`(${step} - 1)`)} as hold) step)`;

/** Whether lead `l` waits for a person because of its text itself, whatever the policy: another one would be paid for, and might be sent unread. */
const isHeldText = sql`(l.hold_reason = 'personalization_review_pending' and (
  select g.held_reason is not null from generations g where g.campaign_lead_id = l.id and g.step = l.next_step and g.kind = 'send_time'
    and g.status = 'generated' order by g.generated_at desc limit 1))`;

/**
 * Lets each lead of a launched campaign wait for its text or a connection, or no longer, as steps and policy now have it; one
 * that waits for notes is looked at anew. Those
 * with a send under way learn it when that ends; what a person holds stays held, and a held text, but for those of steps that
 * are `rewritten`. `when` is about `campaign`.
 */
export function settleStepHoldsStatement(
  db: Db,
  when: SQL,
  now: Date,
  rewritten: readonly number[] = [],
): Statement {
  const at = instantParam(now);
  return db.execute(sql`
    with plan as materialized (
      select c.id, c.unreviewed_launch_policy as policy, place.no as step, ${stepHoldAt(sql`(place.no - 1)`)} as hold
      from campaigns c cross join lateral generate_series(1, jsonb_array_length(c.steps)) place(no)
      where c.launched_at is not null and c.id in (select campaign.id from campaigns campaign where ${when})
    ), settled as (
      select l.id, l.hold_reason as before,
        case when plan.hold = 'awaiting_draft' and plan.step <> all(${sql.param([...rewritten])}::int[]) and ${isHeldText} then l.hold_reason
             else ${holdIfLacking(sql`plan.hold`, sql`l.next_step`, sql`plan.policy`)} end as hold
      from plan join campaign_leads l on l.campaign_id = plan.id and l.next_step = plan.step
      where l.status in ('pending', 'active') and l.next_action_at is not null
        and (l.hold_reason is null or l.hold_reason = any(${textArray([...STEP_HOLDS])}::text[]))
        and (l.hold_reason is not null or plan.hold is not null)
    )
    update campaign_leads l set hold_reason = settled.hold, hold_until = null, updated_at = ${at}
    from settled
    where l.id = settled.id and settled.hold is distinct from settled.before
      and l.hold_reason is not distinct from settled.before and l.next_action_at is not null`);
}
