import { and, asc, eq, lt, or, isNull, sql } from "drizzle-orm";
import type { Db } from "../client.ts";
import { connectedAccounts } from "../schema/index.ts";

/** What posts want to know of an account. */
const columns = {
  id: connectedAccounts.id,
  providerAccountId: connectedAccounts.providerAccountId,
  personId: connectedAccounts.personId,
  displayName: connectedAccounts.displayName,
  profileUrl: connectedAccounts.profileUrl,
  status: connectedAccounts.status,
  statusSince: connectedAccounts.statusSince,
  rateLimitedUntil: connectedAccounts.rateLimitedUntil,
  isDefault: connectedAccounts.isDefault,
};

export const accountOptionsStatement = (db: Db, workspaceId: string) =>
  db
    .select(columns)
    .from(connectedAccounts)
    .where(eq(connectedAccounts.workspaceId, workspaceId))
    .orderBy(asc(connectedAccounts.createdAt), asc(connectedAccounts.id));

export type AccountOption = Awaited<ReturnType<typeof accountOptionsStatement>>[number];

/** The account of that id, or without one the workspace's default. */
export async function findPostingAccount(
  db: Db,
  workspaceId: string,
  id: string | null,
): Promise<AccountOption | undefined> {
  const isMeant = id === null ? connectedAccounts.isDefault : eq(connectedAccounts.id, id);
  const [row] = await db
    .select(columns)
    .from(connectedAccounts)
    .where(and(eq(connectedAccounts.workspaceId, workspaceId), isMeant));
  return row;
}

/** The provider has said something about it: it is looked at again by the next full check. */
export async function askForSync(db: Db, id: string, now: Date): Promise<void> {
  const isLater = or(
    isNull(connectedAccounts.nextSyncAt),
    lt(sql`${now.toISOString()}::timestamptz`, connectedAccounts.nextSyncAt),
  );
  await db
    .update(connectedAccounts)
    .set({ nextSyncAt: now })
    .where(and(eq(connectedAccounts.id, id), isLater));
}
