import { and, eq, inArray, lt, or } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { type AccountState, connectedAccounts } from "../schema/index.ts";
import type { AccountRow } from "./accounts.ts";

/** Marks an account as being connected anew; undefined where it is connected, or another request reconnects it. */
export async function beginReconnect(
  db: Db,
  { id, workspaceId }: Pick<AccountRow, "id" | "workspaceId">,
  { staleBefore, now, nextSyncAt }: { staleBefore: Date; now: Date; nextSyncAt: Date },
): Promise<AccountRow | undefined> {
  const { status, updatedAt } = connectedAccounts;
  const [row] = await db
    .update(connectedAccounts)
    .set({ status: "reconnecting", updatedAt: now, nextSyncAt })
    .where(
      and(
        eq(connectedAccounts.id, id),
        eq(connectedAccounts.workspaceId, workspaceId),
        or(
          inArray(status, ["disconnected", "error"]),
          and(eq(status, "reconnecting"), lt(updatedAt, staleBefore)),
        ),
      ),
    )
    .returning();
  return row;
}

/** Changes nothing where another request has changed the account meanwhile. */
export async function endReconnect(
  db: Db,
  begun: Pick<AccountRow, "id" | "updatedAt">,
  { now, ...set }: { status: AccountState; lastError: string | null; now: Date },
): Promise<void> {
  await db
    .update(connectedAccounts)
    .set({ ...set, updatedAt: now })
    .where(
      and(
        eq(connectedAccounts.id, begun.id),
        eq(connectedAccounts.status, "reconnecting"),
        eq(connectedAccounts.updatedAt, begun.updatedAt),
      ),
    );
}
