import { and, asc, eq, getTableColumns, isNotNull, isNull, lte, or } from "drizzle-orm";
import type { Db } from "#db/base/client.ts";
import type { JobClaim } from "#db/base/job-queue.ts";
import { socialPosts } from "#db/schema/index.ts";
import type { PostRow } from "./posts.ts";
import { isDue, type PostFacts } from "./publishing.ts";

/** Claims published posts whose counters are due, the longest due first, until the lease ends. */
export function claimCounts(
  db: Db,
  { token, now, until }: JobClaim,
  limit: number,
): Promise<PostRow[]> {
  const due = db.$with("due").as(
    db
      .select({ id: socialPosts.id })
      .from(socialPosts)
      .where(and(eq(socialPosts.status, "published"), isDue(now)))
      .orderBy(asc(socialPosts.dueAt))
      .limit(limit)
      .for("update", { skipLocked: true }),
  );
  return db
    .with(due)
    .update(socialPosts)
    .set({ workerToken: token, leaseUntil: until })
    .from(due)
    .where(eq(socialPosts.id, due.id))
    .returning(getTableColumns(socialPosts));
}

export interface CountEnd {
  facts: PostFacts;
  /** When it is counted next; null for never again. */
  dueAt: Date | null;
  /** Why it is not counted any more; null leaves what was said. */
  error: string | null;
}

/** Keeps what the network says of a post; what it does not say stays as it was. */
export const endCountStatement = (
  db: Db,
  id: string,
  { token, now }: Omit<JobClaim, "until">,
  { facts, dueAt, error }: CountEnd,
) =>
  db
    .update(socialPosts)
    .set({
      ...facts,
      dueAt,
      ...(error === null ? {} : { lastError: error }),
      leaseUntil: null,
      workerToken: null,
      updatedAt: now,
    })
    .where(
      and(
        eq(socialPosts.id, id),
        eq(socialPosts.workerToken, token),
        eq(socialPosts.status, "published"),
      ),
    )
    .returning({ id: socialPosts.id });

/** Saves the facts read right after publishing, before the first count. */
export async function keepFacts(db: Db, id: string, facts: PostFacts, now: Date): Promise<void> {
  await db
    .update(socialPosts)
    .set({ ...facts, updatedAt: now })
    .where(and(eq(socialPosts.id, id), eq(socialPosts.status, "published")));
}

/** When the next post that no worker holds is to be counted; null where there is none. */
export async function nextCountDue(db: Db, now: Date): Promise<Date | null> {
  const isFree = or(isNull(socialPosts.leaseUntil), lte(socialPosts.leaseUntil, now));
  const [row] = await db
    .select({ dueAt: socialPosts.dueAt })
    .from(socialPosts)
    .where(and(eq(socialPosts.status, "published"), isNotNull(socialPosts.dueAt), isFree))
    .orderBy(asc(socialPosts.dueAt))
    .limit(1);
  return row?.dueAt ?? null;
}
