import { and, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "#db/base/client.ts";
import { type Claimant, endJobStatement, isFree, isMine, overdueJobs } from "#db/base/job-queue.ts";
import { connectedAccounts, socialPostImages, socialPosts } from "#db/schema/index.ts";
import { dropImageStatement, type PostRow, POSTS, type StoredImage } from "./posts.ts";

const LINK = String.raw`https?://[^\s\u1680\u2028\u2029\ufeff]+`;
/** Equal wherever `saysTheSame` (src/domain/network/same-text.ts) finds two texts equal, and somewhat more often. */
const coarse = (text: SQL): SQL =>
  sql`regexp_replace(regexp_replace(normalize(coalesce(${text}, ''), NFKC), ${LINK}::text, 'link', 'gi'), '[^[:alnum:]]+', '', 'g')`;

/**
 * Committed before the provider hears of it. False when the post is not the worker's any more, or the same words of
 * the same account, whatever their links, are being handed over just now: what was lost of two such posts could not be told apart.
 */
export async function beginPost(db: Db, post: PostRow, token: string, now: Date): Promise<boolean> {
  const accountId = post.connectedAccountId!;
  const isTwinBegun = sql`exists (
    select 1 from social_posts twin
    where twin.workspace_id = ${post.workspaceId}::uuid and twin.due_at is not null and twin.status = 'publishing' and twin.begun_at is not null
      and twin.connected_account_id = ${accountId}::uuid and ${coarse(sql`twin.text`)} = ${coarse(sql`${post.text}::text`)} and twin.id <> ${post.id}::uuid)`;
  const [, begun] = await commit(db, [
    // Row lock: serialises begins of one account, so that the next statement sees earlier ones.
    db
      .select({ id: connectedAccounts.id })
      .from(connectedAccounts)
      .where(eq(connectedAccounts.id, accountId))
      .for("update"),
    db
      .update(socialPosts)
      .set({ begunAt: now, updatedAt: now })
      .where(and(isMine(POSTS, { id: post.id, token }), sql`not ${isTwinBegun}`))
      .returning({ id: socialPosts.id }),
  ]);
  return begun.length > 0;
}

/** The columns that come from the network. */
export type PostFacts = Partial<
  Pick<
    PostRow,
    | "providerPostId"
    | "socialId"
    | "shareUrl"
    | "attachments"
    | "isRepost"
    | "authorName"
    | "authorId"
    | "impressions"
    | "reactions"
    | "comments"
    | "reposts"
    | "metricsUpdatedAt"
  >
>;

export type PostEnd =
  /** `dueAt`: when it is counted first. */
  | { kind: "published"; at: Date; facts: PostFacts; dueAt: Date }
  /** `begunAt` stays where the network may have it. */
  | { kind: "waits"; dueAt: Date; error: string; retryCount: number; begunAt: Date | null }
  | { kind: "failed"; error: string };

/** Records what became of a claimed post; false when it is another's by now. */
export async function endPost(
  db: Db,
  who: Claimant & { id: string },
  end: PostEnd,
  now: Date,
): Promise<boolean> {
  const [rows] = await commit(db, [
    endJobStatement(db, POSTS, who, { ...columnsOf(end), updatedAt: now }),
    dropImageStatement(db, who.id),
  ]);
  return rows.length > 0;
}

function columnsOf(end: PostEnd) {
  switch (end.kind) {
    case "published":
      return {
        ...end.facts,
        status: "published" as const,
        publishedAt: end.at,
        dueAt: end.dueAt,
        begunAt: null,
        lastError: null,
      };
    case "waits": {
      const { dueAt, error, retryCount, begunAt } = end;
      return { dueAt, retryCount, begunAt, lastError: error };
    }
    case "failed":
      return { status: "failed" as const, dueAt: null, begunAt: null, lastError: end.error };
  }
}

export async function getPostImage(db: Db, id: string): Promise<StoredImage | null> {
  const [row] = await db.select().from(socialPostImages).where(eq(socialPostImages.postId, id));
  return row ?? null;
}

/** Of these ids of the network, of either kind, those that stored posts already have. */
export async function knownPosts(
  db: Db,
  { workspaceId, connectedAccountId }: Pick<PostRow, "workspaceId" | "connectedAccountId">,
  ids: string[],
): Promise<Set<string | null>> {
  if (ids.length === 0) return new Set();
  const { providerPostId, socialId } = socialPosts;
  const rows = await db
    .select({ providerPostId, socialId })
    .from(socialPosts)
    .where(
      and(
        eq(socialPosts.workspaceId, workspaceId),
        eq(socialPosts.connectedAccountId, connectedAccountId!),
        or(inArray(providerPostId, ids), inArray(socialId, ids)),
      ),
    );
  return new Set(rows.flatMap((row) => [row.providerPostId, row.socialId]));
}

/** Posts that were due before `since` and that no worker holds: the queue has lost them. */
export const overduePosts = (db: Db, { since, now }: { since: Date; now: Date }, limit: number) =>
  overdueJobs(db, POSTS, since, limit, isFree(POSTS, now));
