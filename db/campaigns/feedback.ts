import { sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { bool, instant, integer, rowReader, text, typed } from "../base/rows.ts";
import { lockSuppressionsStatement } from "../engine/index.ts";
import { stepPlan, stepPlanColumns } from "../engine/step-plan.ts";
import { type LeadNotice, outboxStatement } from "../base/fragments/outbox.ts";
import { domainOfKey, type SendState } from "../schema/index.ts";
import { samePerson } from "../base/fragments/person-leads.ts";
import { suppressStatement } from "../people/suppressions.ts";
import { endLeadsStatement, type LeadEnd } from "../base/fragments/lead-end.ts";

/** The send that feedback is about, with what decides its effects. */
export type FeedbackSend = ReturnType<typeof readFeedbackSend>;
const readFeedbackSend = rowReader({
  id: text,
  workspaceId: text,
  ownerUserId: text,
  campaignId: text,
  campaignLeadId: text,
  step: integer,
  state: typed<SendState>(),
  slotAt: instant,
  emailKey: text,
  ...stepPlanColumns,
  stopOnReply: bool,
  stopOnAutoReply: bool,
  stopOnCompanyReply: bool,
});

/** Undefined when the workspace has no such send, or nothing of it ever left. */
export async function findFeedbackSend(
  db: Db,
  workspaceId: string,
  sendId: string,
): Promise<FeedbackSend | undefined> {
  const { rows } = await db.execute(sql`
    select s.id, s.workspace_id, w.owner_user_id, s.campaign_id, s.campaign_lead_id, s.step, s.state, s.slot_at, s.email_key,
           ${stepPlan(sql`s.step`)}, c.stop_on_reply, c.stop_on_auto_reply, c.stop_on_company_reply
    from sends s join campaigns c on c.id = s.campaign_id join campaign_leads l on l.id = s.campaign_lead_id join workspaces w on w.id = s.workspace_id
    where s.id = ${sendId} and s.workspace_id = ${workspaceId} and s.transmitting_at is not null and s.email_key is not null`);
  return rows[0] && readFeedbackSend(rows[0]);
}

export const FEEDBACK_COLUMNS = [
  "replied_at",
  "bounced_at",
  "complained_at",
  "unsubscribed_at",
  "soft_bounced_at",
  "auto_replied_at",
] as const;
export type FeedbackColumn = (typeof FEEDBACK_COLUMNS)[number];

/**
 * The leads that end. `lead`: this one; `person`: the person's, in campaigns that end
 * on a reply; `company`: besides, those of the address's domain in this campaign;
 * `address`: the address's everywhere.
 */
export type EndScope = "lead" | "person" | "company" | "address";

export interface FeedbackEffects {
  /** The first time counts. */
  fact: FeedbackColumn | null;
  end: (LeadEnd & { scope: EndScope }) | null;
  /** The next step of every lead of the address waits at least until then. */
  pushUntil: Date | null;
  suppress: {
    id: string;
    valueHash: string;
    reason: "hard_bounce" | "complaint" | "unsubscribe";
    /** Null for good. */
    until: Date | null;
  } | null;
  notice: { id: string; kind: LeadNotice; dedupKey: string; why: string | null } | null;
  now: Date;
}

/** Whether the fact is new: a repeated report changes nothing that was decided after the first. */
export interface FeedbackResult {
  isNew: boolean;
  /** Campaigns in which leads ended by the feedback. */
  endedIn: string[];
}

/** Everything that follows from one piece of feedback, in one transaction. */
export async function writeFeedback(
  db: Db,
  send: FeedbackSend,
  effects: FeedbackEffects,
): Promise<FeedbackResult> {
  const { fact, end, pushUntil, suppress, notice, now } = effects;
  const at = instantParam(now);
  const always = [
    lockSuppressionsStatement(db, send.workspaceId),
    fact === null
      ? db.execute(sql`select true as is_new`)
      : db.execute(sql`
          with before as (select ${sql.raw(fact)} is null as is_new from sends where id = ${send.id} for update),
          noted as (update sends set ${sql.raw(fact)} = coalesce(${sql.raw(fact)}, ${at}), updated_at = ${at} where id = ${send.id})
          select is_new from before`),
    end === null
      ? db.execute<{ campaign_id: string }>(sql`select null::uuid as campaign_id where false`)
      : endLeadsStatement(
          db,
          end,
          now,
          sql`l.workspace_id = ${send.workspaceId} and ${scopeOf(send, end.scope)}`,
        ),
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
  ] as const;
  const others: Statement[] = [];
  if (suppress !== null)
    others.push(
      suppressStatement(
        db,
        { id: suppress.id, workspaceId: send.workspaceId, userId: send.ownerUserId, now },
        {
          value: send.emailKey,
          valueHash: suppress.valueHash,
          kind: "email",
          reason: suppress.reason,
          expiresAt: suppress.until,
          sourceCampaignId: send.campaignId,
        },
      ),
    );
  if (notice !== null) {
    const { why, ...effect } = notice;
    const { workspaceId, campaignId, campaignLeadId, id } = send;
    const about = { campaign_id: campaignId, campaign_lead_id: campaignLeadId, send_id: id };
    const payload = { ...about, ...(why !== null && { why }) };
    others.push(
      outboxStatement(db, { ...effect, workspaceId, payload, emailKey: send.emailKey, now }),
    );
  }
  const [, noted, ended] = await commit(db, [...always, ...others]);
  return {
    isNew: noted.rows[0]?.["is_new"] === true,
    endedIn: ended.rows.map((row) => row.campaign_id),
  };
}

/** A reply ends the person wherever a reply is to end them, on a network too; bounces, complaints and unsubscriptions end the address everywhere. */
function scopeOf(send: FeedbackSend, scope: EndScope) {
  const lead = sql`l.id = ${send.campaignLeadId}`;
  const leads = { leadIds: sql`array[${send.campaignLeadId}::uuid]`, emailKey: send.emailKey };
  const person = sql`(l.id = any(${samePerson(send.workspaceId, leads)}) and c.stop_on_reply)`;
  switch (scope) {
    case "lead":
      return lead;
    case "address":
      return sql`l.email_key = ${send.emailKey}`;
    case "person":
      return person;
    case "company":
      return sql`(${person}
        or (l.campaign_id = ${send.campaignId} and ${domainOfKey(sql`l.email_key`)} = ${domainOfKey(sql`${send.emailKey}::text`)}))`;
  }
}

/** Whether a campaign's message has come back for now before. */
export async function cameBack(db: Db, sendId: string): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select 1 from sends where id = ${sendId} and soft_bounced_at is not null`,
  );
  return rows.length > 0;
}

/** Whether the last three messages to a lead all came back as temporary failures. */
export async function bouncesInARow(db: Db, campaignLeadId: string): Promise<number> {
  const { rows } = await db.execute<{ bounced: number }>(sql`
    select count(soft_bounced_at)::int as bounced from (
      select soft_bounced_at from sends
      where campaign_lead_id = ${campaignLeadId} and state in ('accepted', 'assumed_sent') order by step desc limit 3
    ) last`);
  return rows[0]!.bounced;
}
