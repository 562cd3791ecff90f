import { and, eq, type SQL, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { accountCheckpoints } from "../schema/index.ts";

export type CheckpointRow = typeof accountCheckpoints.$inferSelect;

/** Enough to type a code right; more would allow guessing. */
export const CHECKPOINT_TRIES = 5;

/** Whether the answer to checkpoint `k` can still be given. */
export const openCheckpoint = (now: Date): SQL =>
  sql`(k.expires_at > ${instantParam(now)} and k.tries < ${CHECKPOINT_TRIES})`;

/** A new challenge of an account, for a transaction: it ends earlier ones. No change where the account is deleted. */
export const putCheckpointStatements = (
  db: Db,
  checkpoint: Omit<CheckpointRow, "tries">,
): [Statement, Statement] => [
  endCheckpointsStatement(db, checkpoint.accountId, checkpoint.createdAt),
  db.execute(sql`
    insert into account_checkpoints (id, workspace_id, account_id, token_hash, provider_account_id, type, tries, expires_at, created_at)
    select ${checkpoint.id}, a.workspace_id, a.id, ${checkpoint.tokenHash}, ${checkpoint.providerAccountId}, ${checkpoint.type}, 0,
      ${instantParam(checkpoint.expiresAt)}, ${instantParam(checkpoint.createdAt)}
    from connected_accounts a where a.id = ${checkpoint.accountId} and a.workspace_id = ${checkpoint.workspaceId}`),
];

/** Ends an account's challenges: their tokens are kept, and refused as ended. */
export const endCheckpointsStatement = (db: Db, accountId: string, now: Date): Statement =>
  db.execute(sql`
    update account_checkpoints k set expires_at = ${instantParam(now)}
    where k.account_id = ${accountId} and ${openCheckpoint(now)}`);

/** Puts an account that was there before to a challenge; false when it is gone, or connected by now. */
export async function challengeAccount(
  db: Db,
  checkpoint: Omit<CheckpointRow, "tries">,
): Promise<boolean> {
  const { accountId, workspaceId, createdAt: now, expiresAt } = checkpoint;
  const isIt = sql`id = ${accountId} and workspace_id = ${workspaceId}`;
  const [{ rows }] = await commit(db, [
    db.execute(sql`
      update connected_accounts
      set status = 'disconnected', checkpoint_pending = true, next_sync_at = ${instantParam(expiresAt)}, updated_at = ${instantParam(now)}
      where ${isIt} and status <> 'connected' returning id`),
    ...putCheckpointStatements(db, checkpoint),
  ]);
  return rows.length > 0;
}

/**
 * Takes a try, or with `counts` false only looks: undefined when the token is unknown to the workspace, `open` false
 * when it is too late or one too many. However many come at once, no more than its tries get through.
 */
export async function takeTry(
  db: Db,
  workspaceId: string,
  tokenHash: string,
  { counts, now }: { counts: boolean; now: Date },
): Promise<{ checkpoint: CheckpointRow; open: boolean } | undefined> {
  const isIt = and(
    eq(accountCheckpoints.workspaceId, workspaceId),
    eq(accountCheckpoints.tokenHash, tokenHash),
  );
  const [taken] = await db
    .update(accountCheckpoints)
    .set({
      tries: counts ? sql`${accountCheckpoints.tries} + 1` : sql`${accountCheckpoints.tries}`,
    })
    .where(
      and(
        isIt,
        sql`${accountCheckpoints.expiresAt} > ${instantParam(now)}`,
        sql`${accountCheckpoints.tries} < ${CHECKPOINT_TRIES}`,
      ),
    )
    .returning();
  if (taken !== undefined) return { checkpoint: taken, open: true };
  const [known] = await db.select().from(accountCheckpoints).where(isIt);
  return known && { checkpoint: known, open: false };
}

/** Gives back a try that never reached the provider. */
export async function giveTryBack(db: Db, id: string): Promise<void> {
  await db
    .update(accountCheckpoints)
    .set({ tries: sql`greatest(0, ${accountCheckpoints.tries} - 1)` })
    .where(eq(accountCheckpoints.id, id));
}

/** Ends the account's challenge. */
export async function endChallenge(db: Db, accountId: string, now: Date): Promise<void> {
  await commit(db, [
    endCheckpointsStatement(db, accountId, now),
    db.execute(sql`
      update connected_accounts set checkpoint_pending = false, updated_at = ${instantParam(now)}
      where id = ${accountId} and checkpoint_pending`),
  ]);
}
