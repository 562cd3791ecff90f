import { and, eq, type SQL, sql } from "drizzle-orm";
import { spreadOverAliases } from "./change.ts";
import type { CampaignLead } from "./leads.ts";
import { stepHoldFor } from "./draft-holds.ts";
import { commit, type Db, type Statement } from "../base/client.ts";
import { lastSenderOn } from "../engine/last-sender.ts";
import { isAcceptanceHold } from "../engine/step-hold.ts";
import { instantParam } from "../base/instants.ts";
import { instant, integer, rowReader, typed } from "../base/rows.ts";
import { lockCampaignLanes, wakeLanesStatement } from "../engine/index.ts";
import {
  campaignLeads,
  type CampaignLeadStatus,
  type CampaignStatus,
  type Channel,
  type SendState,
} from "../schema/index.ts";

export type LeadSet = Partial<
  Pick<
    CampaignLead,
    | "status"
    | "stopReason"
    | "holdReason"
    | "holdUntil"
    | "nextStep"
    | "nextBudget"
    | "nextActionAt"
    | "aliasId"
    | "lastError"
  >
>;

/** In such a campaign no lead goes on. */
export const OVER: readonly CampaignStatus[] = ["completed", "failed"];

export interface LeadChange {
  workspaceId: string;
  campaignId: string;
  /** Of the campaign; each by itself is changed or not. */
  ids: readonly string[];
  set: LeadSet;
  /** Statuses that a lead must still have. */
  from: readonly CampaignLeadStatus[];
  /** The ledger row of this step may be claimed again: it was given up, not sent. */
  reopenStep?: number;
  /** The ledger that the change of one lead was planned from: nothing changes if a send moved on since. */
  ledger?: readonly LedgerLine[];
  /** The campaign's, by which the next step was planned: nothing changes if that has changed since, or the campaign is over. */
  configVersion?: number;
  /** The lead goes on: it is held until its next step has the text or connection that it needs. */
  waitsForStep?: boolean;
  /** The channel of the lead's next step: of the lead's sender, or the sender of its last step there, or any of the channel. */
  channel?: Channel;
  /** What its answered sends say of a reply; absent: nothing changes. */
  replied?: boolean;
  now: Date;
}

/**
 * Changes those of the campaign's leads whose status is still one of `from` (and the ledger as
 * it was), lets the campaign's lanes look, and answers those that it changed. A send that is on its way is
 * not touched: its begin and its settling look at the lead themselves.
 */
export async function changeCampaignLeads(db: Db, change: LeadChange): Promise<CampaignLead[]> {
  const { workspaceId, campaignId, set, from, now, reopenStep, replied, ledger, configVersion } =
    change;
  const at = instantParam(now);
  const ids = sql`${sql.param([...change.ids])}::uuid[]`;
  // Waits for a settling that is being committed; the next statement sees what it did.
  const lockSends = db.execute(
    sql`select 1 from sends where campaign_lead_id = any(${ids}) order by id for update`,
  );
  const update = db
    .update(campaignLeads)
    .set({
      ...set,
      ...(change.channel === undefined ? {} : handTo(change.channel)),
      ...(change.waitsForStep ? { ...ofAccountNow, holdReason: waitFor(set) } : {}),
      ...(isRelease(set) ? { connectedAt: takenAsConnected(now) } : {}),
      updatedAt: now,
    })
    .where(
      and(
        eq(campaignLeads.workspaceId, workspaceId),
        eq(campaignLeads.campaignId, campaignId),
        sql`${campaignLeads.id} = any(${ids})`,
        sql`${campaignLeads.status} = any(${sql.param([...from])}::text[])`,
        configVersion === undefined
          ? undefined
          : sql`(select c.config_version from campaigns c
              where c.id = ${campaignId} and c.status <> all(${sql.param([...OVER])}::text[])) = ${configVersion}`,
        ledger &&
          sql`(select coalesce(string_agg(s.step || ' ' || s.state, ',' order by s.step), '') from sends s
            where s.campaign_lead_id = campaign_leads.id) = ${ledger.map(({ step, state }) => `${step} ${state}`).join(",")}`,
      ),
    )
    .returning();
  const changed = sql`s.campaign_lead_id = any(${ids}) and exists (select 1 from campaign_leads l where l.id = s.campaign_lead_id and l.updated_at = ${at})`;
  const reopen = db.execute(sql`
    update sends s set state = 'released', attempts = 0, claims = 0, updated_at = ${at}
    where step = ${reopenStep ?? 0} and state in ('canceled', 'failed', 'rejected', 'retry_wait') and ${changed}`);
  const answer = db.execute(sql`
    update sends s set replied_at = case when ${replied === true} then coalesce(s.replied_at, ${at}) end, updated_at = ${at}
    where ${replied !== undefined} and ${changed}
      and s.step = (select max(last.step) from sends last
        where last.campaign_lead_id = s.campaign_lead_id and last.state in ('accepted', 'assumed_sent', 'unknown'))`);
  // A user has looked at a suspect send: its claims count anew.
  const acquit = db.execute(sql`
    update sends s set claims = 0, alone = null
    where ${isRelease(set)} and state = 'released' and ${changed}`);
  const statements = [update, reopen, answer, acquit] as const;
  // A change of the campaign's steps holds its lanes.
  const lock =
    makesDue(set) || configVersion !== undefined
      ? lockCampaignLanes(db, campaignId)
      : db.execute(sql`select 1`);
  const lockCampaign =
    configVersion === undefined
      ? db.execute(sql`select 1`)
      : touchCampaignStatement(db, campaignId);
  const wake = makesDue(set) ? [wakeLanesStatement(db, { campaignId, now })] : [];
  const [, , , rows] = await commit(db, [lock, lockCampaign, lockSends, ...statements, ...wake]);
  return rows;
}

/**
 * Locks the campaign's row, and makes a new version of it that says the same: a completion that has seen the campaign
 * without a lead to act on finds it changed (`completeStatement`).
 */
const touchCampaignStatement = (db: Db, campaignId: string): Statement =>
  db.execute(sql`update campaigns set updated_at = updated_at where id = ${campaignId}`);

/**
 * As the engine hands a lead over when a step of its ends (`lastSenderOn`), but to no sender that
 * was taken off the campaign meanwhile: then to any of the channel, and of an email campaign to one by a hash of the lead.
 */
function handTo(channel: Channel): { aliasId: SQL; nextChannel: SQL } {
  const sender = sql`coalesce(
    (select lane.id from sender_lanes lane
     join campaign_senders cs on cs.campaign_id = campaign_leads.campaign_id and cs.lane_id = lane.id
     where lane.id = campaign_leads.alias_id and lane.kind = ${channel}),
    (${lastSenderOn(sql`${channel}::text`, sql`campaign_leads.id`)}),
    (select ${spreadOverAliases(sql`campaign_leads.id`)} from campaigns campaign
     where campaign.id = campaign_leads.campaign_id and campaign.type = 'email'))`;
  return {
    aliasId: sender,
    nextChannel: sql`case when ${sender} is null then ${channel} end`,
  };
}

/** The campaign's account may be another one by now, with which the lead is not connected yet. */
const accountNow = sql`(
  select own.connected_account_id from campaigns own where own.id = campaign_leads.campaign_id and own.type <> 'email')`;
const connectedNow = sql`
  case when coalesce(campaign_leads.connected_account_id, ${accountNow}) is not distinct from ${accountNow} then campaign_leads.connected_at end`;
const ofAccountNow = { connectedAccountId: accountNow, connectedAt: connectedNow };

/** Nothing, while a send of the lead is open. */
const waitFor = ({ nextStep, nextActionAt }: LeadSet): SQL =>
  nextStep == null || nextActionAt == null
    ? sql`campaign_leads.hold_reason`
    : sql`coalesce(campaign_leads.hold_reason, (
        select ${stepHoldFor(sql`${nextStep}::int`)} from campaigns c cross join (select campaign_leads.id, campaign_leads.metadata, ${connectedNow} as connected_at) l
        where c.id = campaign_leads.campaign_id))`;

/** A user who releases a lead from its invitation states that it is connected; the network is asked when its message goes out. */
const takenAsConnected = (now: Date): SQL => sql`
  case when ${isAcceptanceHold(sql`campaign_leads.hold_reason`)} then coalesce(campaign_leads.connected_at, ${instantParam(now)}) else campaign_leads.connected_at end`;

const isRelease = ({ status, holdReason }: LeadSet): boolean =>
  status === undefined && holdReason === null;

/** Only then there is something to wake for, and lanes to lock before the lead. */
const makesDue = (set: LeadSet): boolean => set.nextActionAt != null || isRelease(set);

export type LedgerLine = ReturnType<typeof readLedgerLine>;
const readLedgerLine = rowReader({ step: integer, state: typed<SendState>(), slotAt: instant });

/** The ledgers of these leads, each by step. */
export async function ledgersOf(
  db: Db,
  campaignLeadIds: readonly string[],
): Promise<Map<string, LedgerLine[]>> {
  const { rows } = await db.execute(sql`
    select campaign_lead_id, step, state, slot_at from sends
    where campaign_lead_id = any(${sql.param([...campaignLeadIds])}::uuid[]) order by campaign_lead_id, step`);
  const ledgers = new Map(campaignLeadIds.map((id) => [id, [] as LedgerLine[]]));
  for (const row of rows) ledgers.get(row["campaign_lead_id"] as string)!.push(readLedgerLine(row));
  return ledgers;
}
