import { and, eq, gt, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { connectedAccounts, NOTES_HOLD, sendBodies } from "../schema/index.ts";

/** The network has refused the note of a send in these words: none of its account is tried until then, and this one was never said. */
export async function closeNotes(
  db: Db,
  { accountId, sendId }: { accountId: string; sendId: string },
  { until, words, now }: { until: Date; words: string; now: Date },
): Promise<void> {
  await commit(db, [
    db
      .update(connectedAccounts)
      .set({ notesClosedUntil: until, notesRefusal: words, updatedAt: now })
      .where(eq(connectedAccounts.id, accountId)),
    db.delete(sendBodies).where(eq(sendBodies.sendId, sendId)),
  ]);
}

/** Lets leads that wait for notes wait until their account's are tried again; without an account, no longer. */
export async function dateNoteHolds(db: Db, now: Date): Promise<void> {
  const at = instantParam(now);
  await db.execute(sql`
    update campaign_leads l set hold_until = coalesce(a.notes_closed_until, ${at}), updated_at = ${at}
    from campaigns c left join connected_accounts a on a.id = c.connected_account_id
    where c.id = l.campaign_id and l.hold_reason = ${sql.raw(`'${NOTES_HOLD}'`)} and l.hold_until is null`);
}

/** The workspace's accounts of which no note is tried now, and until when. */
export async function closedNotes(
  db: Db,
  workspaceId: string,
  now: Date,
): Promise<Map<string, Date>> {
  const rows = await db
    .select({ id: connectedAccounts.id, until: connectedAccounts.notesClosedUntil })
    .from(connectedAccounts)
    .where(
      and(
        eq(connectedAccounts.workspaceId, workspaceId),
        gt(connectedAccounts.notesClosedUntil, now),
      ),
    );
  return new Map(rows.map(({ id, until }) => [id, until!]));
}
