import { sql } from "drizzle-orm";
import { stepHoldFor } from "../campaigns/draft-holds.ts";
import { commit, type Db } from "../base/client.ts";
import { lockCampaignLanes, wakeLanesFor } from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { integer, orNull, rowReader, text, typed } from "../base/rows.ts";
import { ACCEPTANCE_HOLD, type Step } from "../schema/index.ts";
import { leadEnd } from "../base/fragments/lead-end.ts";

const awaiting = sql.raw(`'${ACCEPTANCE_HOLD}'`);

/** A lead whose invitation has been unanswered for too long. */
export type StaleInvitation = ReturnType<typeof readStale>;
const readStale = rowReader({
  campaignLeadId: text,
  campaignId: text,
  /** The step that waits. */
  step: integer,
  personId: orNull(text),
  /** The provider's; null where it did not say one. */
  invitationId: orNull(text),
  steps: typed<Step[]>(),
  /** Of these steps. */
  configVersion: integer,
  timezone: text,
  zone: text,
});

/** Leads of the account that were asked before then, the oldest invitations first. */
export async function staleInvitations(
  db: Db,
  accountId: string,
  before: Date,
  limit: number,
): Promise<StaleInvitation[]> {
  const { rows } = await db.execute(sql`
    select l.id as campaign_lead_id, l.campaign_id, l.next_step as step, l.person_id, asked.message_id as invitation_id,
           c.steps, c.config_version, c.timezone, l.zone
    from campaign_leads l join campaigns c on c.id = l.campaign_id
    left join lateral (
      select s.message_id, s.accepted_at from sends s
      where s.campaign_lead_id = l.id and s.step < l.next_step and s.state in ('accepted', 'assumed_sent')
        and c.steps -> (s.step - 1) @> '{"action_type": "connection_request"}'
      order by s.step desc limit 1
    ) asked on true
    where l.alias_id = ${accountId} and l.hold_reason = ${awaiting} and l.status = 'active' and l.connected_at is null
      and coalesce(asked.accepted_at, l.updated_at) <= ${instantParam(before)}
    order by asked.accepted_at limit ${limit}`);
  return rows.map(readStale);
}

/** The next step of a lead whose invitation was withdrawn, an email; null when no step is left for it. */
export type AfterRefusal = { step: number; dueAt: Date } | null;

/** Ends the wait of a lead that was not accepted. False if it was accepted, or it or its campaign has changed, meanwhile: then it is asked about again. */
export function endWaitInVain(
  db: Db,
  stale: Waiting,
  next: AfterRefusal,
  now: Date,
): Promise<boolean> {
  return next === null ? completeLead(db, stale, now) : goOn(db, stale, next, now);
}

type Waiting = Pick<StaleInvitation, "campaignLeadId" | "campaignId" | "step" | "configVersion">;

/** Under the campaign's lanes, which a change of its steps holds. */
const stillWaiting = ({ campaignLeadId, campaignId, step, configVersion }: Waiting) =>
  sql`l.id = ${campaignLeadId} and l.next_step = ${step} and l.hold_reason = ${awaiting}
    and l.status = 'active' and l.connected_at is null and l.next_action_at is not null
    and (select own.config_version from campaigns own where own.id = ${campaignId}) = ${configVersion}`;

async function completeLead(db: Db, stale: Waiting, now: Date): Promise<boolean> {
  const [, { rows }] = await commit(db, [
    lockCampaignLanes(db, stale.campaignId),
    db.execute(sql`
      update campaign_leads l
      set ${leadEnd({ status: "completed", stopReason: "not_accepted" }, now)}
      where ${stillWaiting(stale)} returning l.id`),
  ]);
  return rows.length > 0;
}

/** The alias that wrote to the lead last writes again; where none has, any alias of the campaign. */
async function goOn(
  db: Db,
  stale: Waiting,
  { step, dueAt }: NonNullable<AfterRefusal>,
  now: Date,
): Promise<boolean> {
  const at = instantParam(now);
  const [, { rows }] = await commit(db, [
    lockCampaignLanes(db, stale.campaignId),
    db.execute(sql`
      with back as (
        update campaign_leads l
        set next_step = ${step}::int, next_action_at = ${instantParam(dueAt)}, next_budget = '', alias_id = writer.lane_id,
            next_channel = case when writer.lane_id is null then 'email' end,
            hold_reason = ${stepHoldFor(sql`${step}::int`)}, hold_until = null, updated_at = ${at}
        from campaigns c left join lateral (
          select s.lane_id from sends s
          join sender_lanes lane on lane.id = s.lane_id and lane.kind = 'email'
          join campaign_senders cs on cs.campaign_id = s.campaign_id and cs.lane_id = s.lane_id
          where s.campaign_lead_id = ${stale.campaignLeadId} order by s.step desc limit 1
        ) writer on true
        where c.id = l.campaign_id and ${stillWaiting(stale)}
        returning l.id, l.campaign_id, l.alias_id
      ), woken as (${wakeLanesFor(sql`back`, at)})
      select id from back`),
  ]);
  return rows.length > 0;
}
