import { and, eq, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { clearDefaultStatement, lockDefaultMark } from "../senders/default-mark.ts";
import {
  areConnections,
  type DaySpan,
  laneUseIn,
  sizeLanes,
  wakeLanesForAll,
} from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { ownedBy } from "../base/owned.ts";
import { connectedAccounts } from "../schema/index.ts";
import type { AccountRow, LaneSize } from "./accounts.ts";

export type LimitsChange = Partial<
  Pick<AccountRow, "dailyConnectionLimit" | "dailyMessageLimit" | "warmupDays">
>;

/** How many connection requests an account has made in some time; what was given back does not count. */
export async function connectionsIn(
  db: Db,
  { id, workspaceId }: Pick<AccountRow, "id" | "workspaceId">,
  span: DaySpan,
): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select ${laneUseIn(workspaceId, sql`${id}::uuid`, span, areConnections)} as count`,
  );
  return Number(rows[0]!.count);
}

/**
 * Changes what an account may do, or makes it the workspace's default, if it is still as it was read. Its lane goes by
 * that at once, and looks for work. False when the account is gone or changed meanwhile.
 */
export async function changeLimits(
  db: Db,
  read: Pick<AccountRow, "id" | "workspaceId" | "updatedAt">,
  change: LimitsChange & { isDefault?: true },
  size: LaneSize,
  now: Date,
): Promise<boolean> {
  const { id, workspaceId, updatedAt } = read;
  const at = instantParam(now);
  const isAsRead = sql`exists (
    select 1 from connected_accounts a where a.id = ${id} and a.workspace_id = ${workspaceId}
      and a.updated_at = ${instantParam(updatedAt)})`;
  const newDefault = change.isDefault === true ? id : null;
  const lanes = {
    from: sql`connected_accounts a`,
    where: sql`lane.id = ${id} and a.id = lane.id and a.updated_at = ${at}`,
  };
  const [, , , rows] = await commit(db, [
    lockDefaultMark(db, workspaceId),
    db.execute(sql`select lane.id from sender_lanes lane where lane.id = ${id} for update`),
    clearDefaultStatement(db, connectedAccounts, workspaceId, newDefault, now, isAsRead),
    db
      .update(connectedAccounts)
      .set({ ...change, updatedAt: now })
      .where(
        and(
          ownedBy(connectedAccounts, workspaceId, id),
          eq(connectedAccounts.updatedAt, updatedAt),
        ),
      )
      .returning({ id: connectedAccounts.id }),
    db.execute(sizeLanes(lanes, size, at)),
    db.execute(wakeLanesForAll(lanes, at)),
  ]);
  return rows.length > 0;
}
