import { and, eq, type SQL, sql } from "drizzle-orm";
import {
  type Campaign,
  campaignColumns,
  type CampaignRow,
  type CampaignSet,
  ownedBy,
} from "./campaigns.ts";
import { commit, type Db, type Statement } from "../client.ts";
import { lockCampaignStatement, wakeLanesStatement } from "../engine.ts";
import { campaignLeads, campaigns, type CampaignStatus } from "../schema/index.ts";

export interface Move {
  campaign: Pick<CampaignRow, "id" | "workspaceId" | "status">;
  to: CampaignStatus;
  set: CampaignSet;
  /** Columns that must still have these values, besides the status. */
  expect?: Partial<CampaignRow>;
  now: Date;
}

/**
 * Changes the status if it is still the one that was read (and `expect` holds);
 * undefined when it is not. Two callers at once: exactly one gets the row.
 */
export async function moveCampaign(
  db: Db,
  move: Move,
  also: Statement[] = [],
): Promise<Campaign | undefined> {
  const [rows] = await commit(db, [moveStatement(db, move), ...also]);
  return rows[0];
}

function moveStatement(db: Db, { campaign, to, set, expect = {}, now }: Move) {
  const columns = Object.entries(expect) as [keyof CampaignRow, never][];
  return db
    .update(campaigns)
    .set({ ...set, status: to, updatedAt: now })
    .where(
      and(
        ownedBy(campaign.workspaceId, campaign.id),
        eq(campaigns.status, campaign.status),
        ...columns.map(([column, value]) => eq(campaigns[column], value)),
      ),
    )
    .returning(campaignColumns);
}

/** Starts the launch over: rows skipped by an earlier attempt are judged anew. Their ids come back the same. */
export async function moveToLaunch(
  db: Db,
  move: Move & { to: "launching" | "scheduled"; set: { launchJobId: string } },
): Promise<Campaign | undefined> {
  const forget = db
    .delete(campaignLeads)
    .where(
      and(
        eq(campaignLeads.campaignId, move.campaign.id),
        eq(campaignLeads.status, "skipped"),
        eq(campaignLeads.currentStep, 0),
        moved(move.campaign.id, sql`c.launch_job_id = ${move.set.launchJobId}`),
      ),
    );
  return moveCampaign(db, move, [forget]);
}

/** Lets a campaign run (again): its senders look for work at once. */
export async function moveToRunning(
  db: Db,
  move: Move & { to: "active" | "draining" },
): Promise<Campaign | undefined> {
  const { campaign, now } = move;
  const [, rows] = await commit(db, [
    lockCampaignStatement(db, campaign.id),
    moveStatement(db, move),
    wakeLanesStatement(db, { campaignId: campaign.id, now }),
  ]);
  return rows[0];
}

export interface Notice {
  /** Names the effect; the deliverer knows what to write. */
  kind: "campaign_launch_held" | "campaign_launch_cancelled" | "campaign_paused";
  id: string;
  reason: string;
}

/** A move that the user is told of: the notice is written in the transaction of the move, once per schedule. */
export async function moveWithNotice(
  db: Db,
  move: Move & { set: { scheduleGeneration: number } },
  notice: Notice,
): Promise<Campaign | undefined> {
  const { campaign, set, now } = move;
  const dedupKey = `campaign:${campaign.id}:schedule:${set.scheduleGeneration}`;
  const insert = db.execute(sql`
    insert into outbox (id, workspace_id, kind, dedup_key, payload, created_at, attempts)
    select ${notice.id}::uuid, c.workspace_id, ${notice.kind}, ${dedupKey},
           jsonb_build_object('campaign_id', c.id, 'campaign_name', c.name, 'reason', ${notice.reason}::text),
           ${now.toISOString()}::timestamptz, 0
    from campaigns c
    where c.id = ${campaign.id} and c.status = ${move.to} and c.schedule_generation = ${set.scheduleGeneration}
    on conflict (dedup_key) do nothing`);
  return moveCampaign(db, move, [insert]);
}

/** For statements that follow a move in its transaction: whether the move took place. */
function moved(campaignId: string, condition: SQL): SQL {
  return sql`exists (select 1 from campaigns c where c.id = ${campaignId} and ${condition})`;
}
