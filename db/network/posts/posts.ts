import { and, count, desc, eq, inArray, isNull, ne, not, type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "#db/base/client.ts";
import { instantParam } from "#db/base/instants.ts";
import { isFree, type JobQueue, WORK_ROW } from "#db/base/job-queue.ts";
import { accountsStatement } from "../account-lookup.ts";
import type { AccountRow } from "../accounts.ts";
import { ownedBy } from "#db/base/owned.ts";
import { socialPostImages, socialPosts } from "#db/schema/index.ts";

export type PostRow = typeof socialPosts.$inferSelect;
export type { PostStatus } from "#db/schema/index.ts";
export type NewPost = typeof socialPosts.$inferInsert;

/** Kept apart from the post, so that no list reads it. */
export interface StoredImage {
  contentType: string;
  /** In base64. */
  content: string;
}

/** Posts that are to be published, of all workspaces; `due_at` stays when it was to be. */
export const POSTS: JobQueue<typeof socialPosts> = {
  table: socialPosts,
  fields: { ...WORK_ROW, claimToken: "workerToken", lease: "leaseUntil" },
  isOpen: inArray(socialPosts.status, ["scheduled", "publishing"]),
  begun: (now) => ({ status: "publishing", updatedAt: now }),
};

const isThere = ne(socialPosts.status, "deleted");

/** Keeps a post together with its picture. */
export async function insertPost(
  db: Db,
  post: NewPost,
  image: StoredImage | null,
): Promise<PostRow> {
  const insert = db.insert(socialPosts).values(post).returning();
  if (image === null) return (await insert)[0]!;
  const withImage = db.insert(socialPostImages).values({ postId: post.id, ...image });
  return (await commit(db, [insert, withImage]))[0][0]!;
}

export async function getPost(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<PostRow | undefined> {
  const [row] = await db
    .select()
    .from(socialPosts)
    .where(and(ownedBy(socialPosts, workspaceId, id), isThere));
  return row;
}

/** A place in the order of the list. */
export interface PostPlace {
  createdAt: Date;
  id: string;
}

export interface PostPage {
  /** One more than asked for, newest first. */
  posts: PostRow[];
  total: number;
  accounts: AccountRow[];
}

/** A page of the list with what it says besides, read at one moment. */
export async function listPosts(
  db: Db,
  workspaceId: string,
  accountId: string | undefined,
  page: { after: PostPlace | undefined; limit: number },
): Promise<PostPage> {
  const isListed = and(
    eq(socialPosts.workspaceId, workspaceId),
    isThere,
    accountId === undefined ? undefined : eq(socialPosts.connectedAccountId, accountId),
  );
  const [posts, [counted], accounts] = await commit(db, [
    db
      .select()
      .from(socialPosts)
      .where(and(isListed, isBehind(page.after)))
      .orderBy(desc(socialPosts.createdAt), desc(socialPosts.id))
      .limit(page.limit + 1),
    db.select({ total: count() }).from(socialPosts).where(isListed),
    accountsStatement(db, workspaceId),
  ]);
  return { posts, total: counted!.total, accounts };
}

const isBehind = (after: PostPlace | undefined): SQL | undefined =>
  after &&
  sql`(${socialPosts.createdAt}, ${socialPosts.id}) < (${instantParam(after.createdAt)}, ${after.id}::uuid)`;

const PICTURELESS = ["published", "failed", "deleted"] as const;

/** Runs in the transaction that ends a post, after that: its picture is no longer needed. */
export const dropImageStatement = (db: Db, id: string) =>
  db
    .delete(socialPostImages)
    .where(
      and(
        eq(socialPostImages.postId, id),
        sql`exists (select 1 from ${socialPosts} where ${socialPosts.id} = ${id} and ${inArray(socialPosts.status, [...PICTURELESS])})`,
      ),
    );

/** Changes one that is still scheduled and that no worker is about to publish; undefined where it is not. */
export async function changePost(
  db: Db,
  { workspaceId, id }: Pick<PostRow, "workspaceId" | "id">,
  set: Partial<Pick<PostRow, "text" | "status" | "scheduledAt" | "dueAt">>,
  now: Date,
): Promise<PostRow | undefined> {
  const isScheduled = and(eq(socialPosts.status, "scheduled"), isFree(POSTS, now));
  const [row] = await db
    .update(socialPosts)
    .set({ ...set, updatedAt: now })
    .where(and(ownedBy(socialPosts, workspaceId, id), isScheduled))
    .returning();
  return row;
}

/**
 * Deletes the service's record of a post, with text and picture; not while the post is being handed over, when only the
 * network knows its fate. False when there was none to delete.
 */
export async function deletePost(
  db: Db,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const isHandedOver = and(eq(socialPosts.status, "publishing"), not(isNull(socialPosts.begunAt)));
  const [rows] = await commit(db, [
    db
      .update(socialPosts)
      .set({
        status: "deleted",
        text: null,
        attachments: [],
        dueAt: null,
        leaseUntil: null,
        workerToken: null,
        updatedAt: now,
      })
      .where(and(ownedBy(socialPosts, workspaceId, id), isThere, not(isHandedOver!)))
      .returning({ id: socialPosts.id }),
    dropImageStatement(db, id),
  ]);
  return rows.length > 0;
}
