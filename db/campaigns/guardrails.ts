import { sql } from "drizzle-orm";
import type { Db } from "../client.ts";
import { instantParam } from "../instants.ts";
import { usableSender } from "../senders/usable.ts";

export interface GuardRules {
  /** Rates are taken over the messages since then, or since the campaign was last resumed. */
  since: Date;
  minimumSends: number;
  bouncesPerThousand: number;
  complaintsPerThousand: number;
}

/** Pauses those of the campaigns whose rates are over the limits, and owes their owners a notice. Answers which. */
export async function pauseBadlyReceived(
  db: Db,
  campaignIds: string[],
  rules: GuardRules,
  now: Date,
): Promise<string[]> {
  if (campaignIds.length === 0) return [];
  const at = instantParam(now);
  const { rows } = await db.execute(sql`
    with counted as (
      select s.campaign_id, count(*) as sent, count(s.bounced_at) as bounced, count(s.complained_at) as complained
      from sends s join campaigns c on c.id = s.campaign_id
      where s.campaign_id = any(${sql.param(campaignIds)}::uuid[]) and s.state in ('accepted', 'assumed_sent', 'rejected')
        and coalesce(s.accepted_at, s.bounced_at) > greatest(${instantParam(rules.since)}, c.guard_since)
      group by s.campaign_id
    ), verdict as (
      select campaign_id, case
        when complained > 0 and complained * 1000 >= sent * ${rules.complaintsPerThousand} then 'complaint_rate_exceeded'
        when bounced > 0 and bounced * 1000 >= sent * ${rules.bouncesPerThousand} then 'bounce_rate_exceeded' end as reason
      from counted where sent >= ${rules.minimumSends}
    ), paused as (
      update campaigns c
      set status = 'paused', paused_from = c.status, paused_reason = v.reason, updated_at = ${at}
      from verdict v
      where c.id = v.campaign_id and v.reason is not null and c.status in ('active', 'draining') and c.deleted_at is null
      returning c.id, c.workspace_id, c.name, v.reason
    ), ${noticeOfPause(at)}
    select id from paused`);
  return rows.map((row) => row["id"] as string);
}

/** The notice that a pause by the system owes; over `paused` with id, workspace_id, name and reason. */
const noticeOfPause = (at: ReturnType<typeof instantParam>) => sql`told as (
  insert into outbox (id, workspace_id, kind, dedup_key, payload, created_at, attempts)
  select gen_random_uuid(), workspace_id, 'campaign_paused', 'campaign:' || id || ':paused:' || ${at}::text,
         jsonb_build_object('campaign_id', id, 'campaign_name', name, 'reason', reason), ${at}, 0
  from paused on conflict (dedup_key) do nothing
)`;

/** Pauses running email campaigns none of whose senders can send any more. Answers which. */
export async function pauseStranded(db: Db, now: Date): Promise<string[]> {
  const at = instantParam(now);
  const { rows } = await db.execute(sql`
    with paused as (
      update campaigns c
      set status = 'paused', paused_from = c.status, paused_reason = 'no_sender_available', updated_at = ${at}
      where c.status in ('active', 'draining') and c.deleted_at is null and c.type = 'email'
        and not exists (
          select 1 from campaign_senders cs join sender_lanes lane on lane.id = cs.lane_id join mail_aliases a on a.id = cs.lane_id
          where cs.campaign_id = c.id and lane.open and ${usableSender})
      returning c.id, c.workspace_id, c.name, 'no_sender_available' as reason
    ), ${noticeOfPause(at)}
    select id from paused`);
  return rows.map((row) => row["id"] as string);
}
