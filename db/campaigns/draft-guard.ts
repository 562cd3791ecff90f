import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import type { RefusedDraft } from "./draft-holds.ts";
import { pauseWithNotice } from "./pause.ts";
import { leadEnd } from "../base/fragments/lead-end.ts";

export interface DraftRules {
  /** So many failures one after the other. */
  failuresInARow: number;
  /** Or so many among the last `among`. */
  failures: number;
  among: number;
}

/** Pauses the given campaigns whose texts have failed too often since their last resume, and owes their owners a notice. Answers which. */
export async function pauseFailingToWrite(
  db: Db,
  campaignIds: readonly string[],
  rules: DraftRules,
  now: Date,
): Promise<string[]> {
  if (campaignIds.length === 0) return [];
  const { rows } = await db.execute<{ id: string }>(sql`
    with ended as (
      select c.id as campaign_id, g.status, row_number() over (partition by c.id order by g.generated_at desc, g.id) as place
      from campaigns c cross join lateral (
        select g.id, g.status, g.generated_at from generations g
        where g.campaign_id = c.id and g.kind = 'send_time' and g.generated_at > coalesce(c.guard_since, '-infinity')
        order by g.generated_at desc limit ${rules.among}
      ) g
      where c.id = any(${sql.param([...campaignIds])}::uuid[])
    ), verdict as (
      select campaign_id from ended group by campaign_id
      having count(*) filter (where status = 'failed' and place <= ${rules.failuresInARow}) = ${rules.failuresInARow}
        or (count(*) = ${rules.among} and count(*) filter (where status = 'failed') >= ${rules.failures})
    ), ${pauseWithNotice(sql`'personalization_failing'`, sql`c.id = v.campaign_id`, now, sql`from verdict v`)}`);
  return rows.map(({ id }) => id);
}

/**
 * Pauses a campaign whose texts cannot be paid for, by the credits there are now and those that come back or are spent
 * until `heldUntil`: what a call holds is missing for a moment only. Answers whether it ran.
 */
export async function pauseWithoutCredit(
  db: Db,
  campaignId: string,
  { now, heldUntil }: { now: Date; heldUntil: Date },
): Promise<boolean> {
  const isExhausted = sql`c.id = ${campaignId}
    and not exists (select 1 from credit_balances b where b.workspace_id = c.workspace_id and b.available > 0)
    and not exists (
      select 1 from credit_holds h
      where h.workspace_id = c.workspace_id and h.returned_at is null and h.expires_at <= ${instantParam(heldUntil)})`;
  const { rows } = await db.execute(sql`
    with ${pauseWithNotice(sql`'credits_exhausted'`, isExhausted, now)}`);
  return rows.length > 0;
}

/**
 * Fails a lead whose draft passes no check: the campaign goes on, and a user has to look at the lead, as one does anyway at
 * who waits for an approval by now. To be run in the transaction that ends its generation.
 */
export const failLeadStatement = (db: Db, { campaignLeadId, step, reason, now }: RefusedDraft) =>
  db.execute(sql`
    update campaign_leads l
    set ${leadEnd({ status: "failed", stopReason: "not_written", words: reason }, now)}
    where l.id = ${campaignLeadId} and l.next_step = ${step} and l.status in ('pending', 'active')
      and l.next_action_at is not null and l.hold_reason = 'awaiting_draft'`);
