import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Campaign, campaignColumns, type CampaignSet, ownedBy } from "./campaigns.ts";
import { commit, type Db } from "../base/client.ts";
import {
  lockCampaignLanes,
  lockCampaignStatement,
  openZonesStatement,
  wakeLanesStatement,
} from "../engine/index.ts";
import { type CampaignNotice, outboxRows } from "../base/fragments/outbox.ts";
import { campaignLeads, type CampaignRow, campaigns, type PausedReason } from "../schema/index.ts";
import { canTake, statusAfter, type Trigger } from "../base/fragments/transitions.ts";

export interface Move {
  campaign: Pick<CampaignRow, "id" | "workspaceId" | "status">;
  /** Null where the status stays. */
  trigger: Trigger | null;
  set: CampaignSet;
  /** Columns that must still have these values, besides the status. */
  expect?: Partial<CampaignRow>;
  /** What else must hold. */
  where?: SQL;
  now: Date;
}

/**
 * Changes the status if it is still the one that was read (and `expect` holds)
 * and the trigger has an edge from it; undefined when not. Two callers at once:
 * exactly one gets the row.
 */
export async function moveCampaign(db: Db, move: Move): Promise<Campaign | undefined> {
  const [row] = await moveStatement(db, move);
  return row;
}

export function moveStatement(db: Db, { campaign, trigger, set, expect = {}, where, now }: Move) {
  const columns = Object.entries(expect) as [keyof CampaignRow, never][];
  return db
    .update(campaigns)
    .set({ ...set, ...(trigger && { status: statusAfter(trigger) }), updatedAt: now })
    .where(
      and(
        ownedBy(campaign.workspaceId, campaign.id),
        eq(campaigns.status, campaign.status),
        trigger ? canTake(trigger) : undefined,
        ...columns.map(([column, value]) => eq(campaigns[column], value)),
        where,
      ),
    )
    .returning(campaignColumns);
}

/** Starts the launch over: rows skipped by an earlier attempt are judged anew. Their ids come back the same. */
export async function moveToLaunch(
  db: Db,
  move: Move & { set: { launchJobId: string } },
): Promise<Campaign | undefined> {
  const forget = db
    .delete(campaignLeads)
    .where(
      and(
        eq(campaignLeads.campaignId, move.campaign.id),
        eq(campaignLeads.status, "skipped"),
        eq(campaignLeads.currentStep, 0),
        sql`exists (select 1 from campaigns c where c.id = ${move.campaign.id} and c.launch_job_id = ${move.set.launchJobId})`,
      ),
    );
  const [rows] = await commit(db, [moveStatement(db, move), forget]);
  return (rows as Campaign[])[0];
}

/** Lets a campaign run (again): its senders look for work at once. */
export async function moveToRunning(db: Db, move: Move): Promise<Campaign | undefined> {
  const { campaign, now } = move;
  const [, , rows] = await commit(db, [
    lockCampaignLanes(db, campaign.id),
    lockCampaignStatement(db, campaign.id),
    moveStatement(db, move),
    openZonesStatement(db, { campaignId: campaign.id, now }),
    wakeLanesStatement(db, { campaignId: campaign.id, now }),
  ]);
  return rows[0];
}

/** A move that the user is told of, once per schedule; false when it did not take place. */
export async function moveWithNotice(
  db: Db,
  move: Move & { set: { scheduleGeneration: number } },
  kind: CampaignNotice,
  reason: PausedReason,
): Promise<boolean> {
  const dedupKey = sql`${`campaign:${move.campaign.id}:schedule:${move.set.scheduleGeneration}`}`;
  const payload = { campaign_id: sql`id`, campaign_name: sql`name`, reason: sql`${reason}::text` };
  const { rows } = await db.execute(sql`
    with moved as ${moveStatement(db, move)},
    told as (${outboxRows(kind, sql`moved`, dedupKey, payload, move.now)})
    select id from moved`);
  return rows.length > 0;
}
