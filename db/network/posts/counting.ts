import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { Db } from "#db/base/client.ts";
import {
  type Claimant,
  claimDueStatement,
  endJobStatement,
  isFree,
  type JobClaim,
  type JobQueue,
} from "#db/base/job-queue.ts";
import { socialPosts } from "#db/schema/index.ts";
import { POSTS } from "./posts.ts";
import type { PostFacts } from "./publishing.ts";

/** Published posts, whose `due_at` is when they are counted next. */
const COUNTS: JobQueue<typeof socialPosts> = {
  table: socialPosts,
  fields: POSTS.fields,
  isOpen: eq(socialPosts.status, "published"),
};

/** Claims posts whose counters are due, the longest due first, until the lease ends. */
export const claimCounts = (db: Db, claim: JobClaim, limit: number) =>
  claimDueStatement(db, COUNTS, claim, { limit });

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
  who: Claimant,
  { facts, dueAt, error }: CountEnd,
  now: Date,
) =>
  endJobStatement(db, COUNTS, who, {
    ...facts,
    dueAt,
    ...(error === null ? {} : { lastError: error }),
    updatedAt: now,
  });

/** Saves the facts read right after publishing, before the first count. */
export async function keepFacts(db: Db, id: string, facts: PostFacts, now: Date): Promise<void> {
  await db
    .update(socialPosts)
    .set({ ...facts, updatedAt: now })
    .where(and(eq(socialPosts.id, id), COUNTS.isOpen));
}

/** When the next post that no worker holds is to be counted; null where there is none. */
export async function nextCountDue(db: Db, now: Date): Promise<Date | null> {
  const [row] = await db
    .select({ dueAt: socialPosts.dueAt })
    .from(socialPosts)
    .where(and(COUNTS.isOpen, isNotNull(socialPosts.dueAt), isFree(COUNTS, now)))
    .orderBy(asc(socialPosts.dueAt))
    .limit(1);
  return row?.dueAt ?? null;
}
