import { and, desc, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { ownedBy } from "../base/owned.ts";
import {
  inboxes,
  mailAliases,
  type PlacementLetter,
  placementMails,
  placementTests,
} from "../schema/index.ts";

export type PlacementTest = typeof placementTests.$inferSelect;
export type NewPlacementTest = typeof placementTests.$inferInsert;
export type PlacementMail = typeof placementMails.$inferSelect;
export type NewPlacementMail = typeof placementMails.$inferInsert;

/** Keeps a test with its mails, or nothing (`isFenced`) where the workspace has begun `limit` since `since` already. */
export async function insertPlacementTest(
  db: Db,
  test: NewPlacementTest,
  mails: readonly NewPlacementMail[],
  { limit, since }: { limit: number; since: Date },
): Promise<void> {
  await commit(db, [
    db.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${test.workspaceId}::uuid::text || ':placement', 0))`,
    ),
    db.execute(sql`
      select 1 / (count(*) < ${limit})::int from placement_tests
      where workspace_id = ${test.workspaceId} and created_at > ${instantParam(since)}`),
    db.insert(placementTests).values(test),
    db.insert(placementMails).values([...mails]),
  ]);
}

/** When the oldest of the tests since then was begun. */
export async function oldestTestSince(
  db: Db,
  workspaceId: string,
  since: Date,
): Promise<Date | undefined> {
  const [row] = await db
    .select({ createdAt: placementTests.createdAt })
    .from(placementTests)
    .where(
      and(
        eq(placementTests.workspaceId, workspaceId),
        sql`${placementTests.createdAt} > ${instantParam(since)}`,
      ),
    )
    .orderBy(placementTests.createdAt)
    .limit(1);
  return row?.createdAt;
}

const isThere = isNull(placementTests.deletedAt);

export async function getPlacementTest(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<PlacementTest | undefined> {
  const [row] = await db
    .select()
    .from(placementTests)
    .where(and(ownedBy(placementTests, workspaceId, id), isThere));
  return row;
}

/** One more than `limit`, newest first. */
export const listPlacementTests = (
  db: Db,
  workspaceId: string,
  page: { before: string | undefined; limit: number },
): Promise<PlacementTest[]> =>
  db
    .select()
    .from(placementTests)
    .where(
      and(
        eq(placementTests.workspaceId, workspaceId),
        isThere,
        page.before === undefined ? undefined : lt(placementTests.id, page.before),
      ),
    )
    .orderBy(desc(placementTests.id))
    .limit(page.limit + 1);

/** The mails of these tests, by sender and seed. */
export const listPlacementMails = async (
  db: Db,
  testIds: readonly string[],
): Promise<PlacementMail[]> =>
  testIds.length === 0
    ? []
    : db
        .select()
        .from(placementMails)
        .where(inArray(placementMails.testId, [...testIds]))
        .orderBy(
          placementMails.testId,
          placementMails.fromEmail,
          placementMails.toEmail,
          placementMails.id,
        );

/** Forgets a test and what it saw. Its row stays, empty, because it counts in the tests of its day. */
export async function deletePlacementTest(
  db: Db,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const [gone] = await commit(db, [
    db
      .update(placementTests)
      .set({ deletedAt: now, letter: null, subject: "", emailKey: null, updatedAt: now })
      .where(and(ownedBy(placementTests, workspaceId, id), isThere))
      .returning({ id: placementTests.id }),
    // What took a place in its alias's day goes on to be counted.
    db.execute(sql`
      delete from placement_mails m using placement_tests t
      where t.id = ${id} and t.workspace_id = ${workspaceId} and m.test_id = t.id
        and (m.counted_at is null or m.counted_at < ${instantParam(now)} - interval '2 days')`),
    db.execute(sql`
      update placement_mails m set state = case when m.state in ('queued', 'transmitting', 'looking') then 'unknown' else m.state end,
        ended_at = coalesce(m.ended_at, ${instantParam(now)}), to_email = '', email_key = '', from_email = '', folder = null, auth_by = null, note = null
      from placement_tests t where t.id = ${id} and t.workspace_id = ${workspaceId} and m.test_id = t.id`),
  ]);
  return gone.length > 0;
}

/** What a test's mails say; null once nothing of it is to be sent. */
export async function findPlacementLetter(db: Db, testId: string): Promise<PlacementLetter | null> {
  const [row] = await db
    .select({ letter: placementTests.letter })
    .from(placementTests)
    .where(eq(placementTests.id, testId));
  return row?.letter ?? null;
}

/** Whether the test's mails are to be deleted from their seeds once they were seen. */
export async function deletesAfter(db: Db, testId: string): Promise<boolean> {
  const [row] = await db
    .select({ deleteAfter: placementTests.deleteAfter })
    .from(placementTests)
    .where(eq(placementTests.id, testId));
  return row?.deleteAfter === true;
}

export async function noteRemoved(db: Db, mailId: string): Promise<void> {
  await db.update(placementMails).set({ removed: true }).where(eq(placementMails.id, mailId));
}

/** An alias that may be a seed: by its id or address, with the inbox that is read, if it has one. */
export const findSeeds = (
  db: Db,
  workspaceId: string,
  { ids, emails }: { ids: readonly string[]; emails: readonly string[] },
) =>
  db
    .select({
      id: mailAliases.id,
      email: mailAliases.email,
      hasInbox: sql<boolean>`${inboxes.aliasId} is not null`,
    })
    .from(mailAliases)
    .leftJoin(inboxes, eq(inboxes.aliasId, mailAliases.id))
    .where(
      and(
        eq(mailAliases.workspaceId, workspaceId),
        or(
          inArray(mailAliases.id, [...ids]),
          sql`lower(${mailAliases.email}) = any(${sql.param([...emails])}::text[])`,
        ),
      ),
    );
