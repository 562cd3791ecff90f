import { sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "./client.ts";
import { instantParam, readInstant } from "./engine/instants.ts";
import { lockSuppressionsStatement } from "./engine.ts";
import type { CampaignLeadStatus, SendState } from "./schema/index.ts";
import { suppressStatement } from "./suppressions.ts";

/** The send that feedback is about, with what decides its effects. */
export interface FeedbackSend {
  id: string;
  workspaceId: string;
  ownerUserId: string;
  campaignId: string;
  campaignLeadId: string;
  step: number;
  state: SendState;
  slotAt: Date;
  emailKey: string;
  timezone: string;
  nextDelayDays: number | null;
  stopOnReply: boolean;
  stopOnAutoReply: boolean;
  stopOnCompanyReply: boolean;
}

/** Undefined when the workspace has no such send, or nothing of it ever left. */
export async function findFeedbackSend(
  db: Db,
  workspaceId: string,
  sendId: string,
): Promise<FeedbackSend | undefined> {
  const { rows } = await db.execute(sql`
    select s.id, s.workspace_id, w.owner_user_id, s.campaign_id, s.campaign_lead_id, s.step, s.state, s.slot_at, s.email_key,
           c.timezone, (c.steps -> s.step ->> 'delay_days')::int as next_delay_days, c.stop_on_reply, c.stop_on_auto_reply, c.stop_on_company_reply
    from sends s join campaigns c on c.id = s.campaign_id join workspaces w on w.id = s.workspace_id
    where s.id = ${sendId} and s.workspace_id = ${workspaceId} and s.transmitting_at is not null and s.email_key is not null`);
  const [row] = rows;
  return (
    row && {
      id: row["id"] as string,
      workspaceId: row["workspace_id"] as string,
      ownerUserId: row["owner_user_id"] as string,
      campaignId: row["campaign_id"] as string,
      campaignLeadId: row["campaign_lead_id"] as string,
      step: Number(row["step"]),
      state: row["state"] as SendState,
      slotAt: readInstant(row["slot_at"]),
      emailKey: row["email_key"] as string,
      timezone: row["timezone"] as string,
      nextDelayDays: row["next_delay_days"] === null ? null : Number(row["next_delay_days"]),
      stopOnReply: row["stop_on_reply"] as boolean,
      stopOnAutoReply: row["stop_on_auto_reply"] as boolean,
      stopOnCompanyReply: row["stop_on_company_reply"] as boolean,
    }
  );
}

export const FEEDBACK_FACTS = [
  "replied_at",
  "bounced_at",
  "complained_at",
  "unsubscribed_at",
  "soft_bounced_at",
] as const;
export type FeedbackFact = (typeof FEEDBACK_FACTS)[number];

/**
 * Whose leads end: this one; those of the address wherever a reply ends a lead;
 * besides, those of the address's domain in this campaign; or the address's everywhere.
 */
export type EndScope = "lead" | "person" | "company" | "address";

export interface FeedbackEffects {
  /** The first time counts. */
  fact: FeedbackFact | null;
  end: { scope: EndScope; status: CampaignLeadStatus; stopReason: string } | null;
  /** The next step of every lead of the address waits at least until then. */
  pushUntil: Date | null;
  suppress: {
    id: string;
    valueHash: string;
    reason: "hard_bounce" | "complaint" | "unsubscribe";
  } | null;
  notice: { id: string; kind: string; dedupKey: string } | null;
  now: Date;
}

/** Whether the fact is new: a repeated report changes nothing that was decided after the first. */
export interface FeedbackResult {
  isNew: boolean;
  /** Campaigns whose leads ended by it. */
  endedIn: string[];
}

/** Everything that follows from one piece of feedback, in one transaction. */
export async function applyFeedback(
  db: Db,
  send: FeedbackSend,
  effects: FeedbackEffects,
): Promise<FeedbackResult> {
  const { fact, end, pushUntil, suppress, notice, now } = effects;
  const at = instantParam(now);
  const statements: [Statement, Statement, Statement, Statement] = [
    lockSuppressionsStatement(db, send.workspaceId),
    fact === null
      ? db.execute(sql`select true as is_new`)
      : db.execute(sql`
          with before as (select ${sql.raw(fact)} is null as is_new from sends where id = ${send.id} for update),
          noted as (update sends set ${sql.raw(fact)} = coalesce(${sql.raw(fact)}, ${at}), updated_at = ${at} where id = ${send.id})
          select is_new from before`),
    end === null
      ? db.execute(sql`select null::uuid as campaign_id where false`)
      : db.execute(sql`
          with ended as (
            update campaign_leads l
            set status = ${end.status}, stop_reason = ${end.stopReason}, next_step = null, next_action_at = null,
                hold_reason = null, hold_until = null, updated_at = ${at}
            from campaigns c
            where c.id = l.campaign_id and l.workspace_id = ${send.workspaceId} and l.status in ('pending', 'active')
              and ${scopeOf(send, end.scope)}
            returning l.campaign_id
          ) select distinct campaign_id from ended`),
    pushUntil === null
      ? db.execute(sql`select 1`)
      : db.execute(sql`
          update campaign_leads l
          set next_action_at = case when l.next_action_at is null then null else ${instantParam(pushUntil)} end,
              -- In flight: what is only claimed goes back, and what follows waits.
              hold_reason = case when l.next_action_at is null then coalesce(l.hold_reason, 'out_of_office') else l.hold_reason end,
              hold_until = case when l.next_action_at is null and coalesce(l.hold_reason, 'out_of_office') = 'out_of_office'
                then greatest(l.hold_until, ${instantParam(pushUntil)}) else l.hold_until end,
              updated_at = ${at}
          where l.workspace_id = ${send.workspaceId} and l.email_key = ${send.emailKey} and l.status = 'active'
            and (l.next_action_at < ${instantParam(pushUntil)} or l.next_action_at is null)`),
  ];
  if (suppress !== null)
    statements.push(
      suppressStatement(
        db,
        { id: suppress.id, workspaceId: send.workspaceId, userId: send.ownerUserId, now },
        {
          value: send.emailKey,
          valueHash: suppress.valueHash,
          kind: "email",
          reason: suppress.reason,
          expiresAt: null,
          sourceCampaignId: send.campaignId,
        },
      ),
    );
  if (notice !== null)
    statements.push(
      db.execute(sql`
        insert into outbox (id, workspace_id, kind, dedup_key, payload, created_at, attempts)
        values (${notice.id}::uuid, ${send.workspaceId}::uuid, ${notice.kind}, ${notice.dedupKey},
                ${JSON.stringify({
                  campaign_id: send.campaignId,
                  campaign_lead_id: send.campaignLeadId,
                  send_id: send.id,
                })}::jsonb, ${at}, 0)
        on conflict (dedup_key) do nothing`),
    );
  const results = (await commit(db, statements)) as { rows: Record<string, unknown>[] }[];
  return {
    isNew: results[1]!.rows[0]?.["is_new"] === true,
    endedIn: results[2]!.rows.map((row) => row["campaign_id"] as string),
  };
}

/** A reply ends the address wherever a reply is to end it; bounces, complaints and unsubscriptions end it everywhere. */
function scopeOf(send: FeedbackSend, scope: EndScope) {
  const lead = sql`l.id = ${send.campaignLeadId}`;
  const domain = send.emailKey.slice(send.emailKey.lastIndexOf("@") + 1);
  switch (scope) {
    case "lead":
      return lead;
    case "address":
      return sql`l.email_key = ${send.emailKey}`;
    case "person":
      return sql`(l.email_key = ${send.emailKey} and c.stop_on_reply)`;
    case "company":
      return sql`((l.email_key = ${send.emailKey} and c.stop_on_reply)
        or (l.campaign_id = ${send.campaignId} and split_part(l.email_key, '@', 2) = ${domain}))`;
  }
}

/** Whether the last three messages to a lead all came back as temporary failures. */
export async function bouncesInARow(db: Db, campaignLeadId: string): Promise<number> {
  const { rows } = await db.execute(sql`
    select count(soft_bounced_at)::int as bounced from (
      select soft_bounced_at from sends
      where campaign_lead_id = ${campaignLeadId} and state in ('accepted', 'assumed_sent') order by step desc limit 3
    ) last`);
  return Number(rows[0]!["bounced"]);
}

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
          where cs.campaign_id = c.id and lane.open and a.status in ('active', 'error'))
      returning c.id, c.workspace_id, c.name, 'no_sender_available' as reason
    ), ${noticeOfPause(at)}
    select id from paused`);
  return rows.map((row) => row["id"] as string);
}
