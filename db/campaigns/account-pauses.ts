import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { campaigns, type PausedReason } from "../schema/index.ts";
import { type Campaign, campaignColumns } from "./campaigns.ts";
import { pauseWithNotice } from "./pause.ts";

const REASON: PausedReason = "connected_account_unavailable";

/** Pauses running campaigns with steps on a network whose account has not been connected since before then, or is gone. Answers which. */
export async function pauseWithoutAccount(db: Db, before: Date, now: Date): Promise<string[]> {
  const hasLost = sql`c.type <> 'email' and not exists (
    select 1 from connected_accounts a
    where a.id = c.connected_account_id and a.workspace_id = c.workspace_id
      and (a.status = 'connected' or a.status_since > ${instantParam(before)}))`;
  const { rows } = await db.execute(sql`
    with ${pauseWithNotice(sql`${REASON}::text`, hasLost, now)}`);
  return rows.map((row) => row["id"] as string);
}

/**
 * Campaigns that were paused for want of an account that is connected by now; of one account, or of all. The messages
 * that it got meanwhile are read first, unless it was connected before `unheard` and they could not be read since.
 */
export async function waitingForAccount(
  db: Db,
  accountId: string | null,
  { unheard, limit }: { unheard: Date; limit: number },
): Promise<Campaign[]> {
  return db
    .select(campaignColumns)
    .from(campaigns)
    .where(
      and(
        eq(campaigns.status, "paused"),
        eq(campaigns.pausedReason, REASON),
        isNull(campaigns.deletedAt),
        accountId === null ? undefined : eq(campaigns.connectedAccountId, accountId),
        sql`exists (select 1 from connected_accounts a where a.id = ${campaigns.connectedAccountId}
          and a.workspace_id = ${campaigns.workspaceId} and a.status = 'connected'
          and (a.heard_until >= a.status_since or a.status_since < ${instantParam(unheard)}))`,
      ),
    )
    .orderBy(asc(campaigns.id))
    .limit(limit);
}
