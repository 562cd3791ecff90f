import { and, asc, eq, inArray } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { findOwned } from "../base/owned.ts";
import { connectedAccounts } from "../schema/index.ts";
import type { AccountRow } from "./accounts.ts";

/** The workspace's account of that id, or its default one where none is named. */
export async function findAccountOrDefault(
  db: Db,
  workspaceId: string,
  id: string | null,
): Promise<AccountRow | undefined> {
  if (id !== null) return findOwned(db, connectedAccounts, workspaceId, id);
  const [row] = await db
    .select()
    .from(connectedAccounts)
    .where(
      and(eq(connectedAccounts.workspaceId, workspaceId), eq(connectedAccounts.isDefault, true)),
    );
  return row;
}

/** The workspace's accounts, the oldest first. */
export const accountsStatement = (db: Db, workspaceId: string) =>
  db
    .select()
    .from(connectedAccounts)
    .where(eq(connectedAccounts.workspaceId, workspaceId))
    .orderBy(asc(connectedAccounts.id));

/** Accounts by the provider's own ids: what comes by webhook knows no workspace. */
export const findProviderAccounts = (db: Db, ids: readonly string[]): Promise<AccountRow[]> =>
  db
    .select()
    .from(connectedAccounts)
    .where(
      and(
        eq(connectedAccounts.provider, "socialnet"),
        inArray(connectedAccounts.providerAccountId, [...ids]),
      ),
    );
