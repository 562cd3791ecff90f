import * as z from "zod";
import { findAccountOrDefault } from "#db/network/account-lookup.ts";
import type { AccountRow } from "#db/network/accounts.ts";
import { markSyncDue } from "#db/network/sync.ts";
import { keepFacts } from "#db/network/posts/counting.ts";
import { claimJob } from "#db/base/job-queue.ts";
import { type PostRow, POSTS } from "#db/network/posts/posts.ts";
import {
  beginPost,
  endPost,
  getPostImage,
  overduePosts,
  type PostEnd,
} from "#db/network/posts/publishing.ts";
import type { Deps } from "#src/deps.ts";
import { define, newClaim, oneByOne } from "#src/domain/job.ts";
import { fromBase64 } from "#src/platform/encoding.ts";
import type { Network, PostImage } from "#src/providers/network/index.ts";
import { factsOf } from "./facts.ts";
import { findPublished } from "./find-published.ts";
import {
  afterLookUp,
  afterPublishing,
  failed,
  whileNotConfigured,
  whileNotConnected,
  whileTwinIsBegun,
} from "./outcome.ts";
import { PUBLISH_POST, enqueueCounts, enqueuePost } from "./queue.ts";

export type PublishRun = PostEnd["kind"] | "not_due" | "over" | "overtaken";

/** More than the upload of a picture takes: a worker that holds a claim for longer is dead. */
const LEASE_MS = 3 * 60_000;

/**
 * Publishes one post. Safe to repeat, to run beside itself and to interrupt anywhere: the network is
 * called once, and a call without an answer is looked up before it is repeated.
 */
export async function publishPost(deps: Deps, id: string): Promise<PublishRun> {
  const claim = newClaim(deps, LEASE_MS);
  const { token } = claim;
  const claimed = await claimJob(deps.db, POSTS, id, claim);
  if (claimed.kind === "over") return "over";
  const { job: post } = claimed;
  if (claimed.kind === "waits") return comeLater(deps, post);
  const account = await findAccountOrDefault(deps.db, post.workspaceId, post.connectedAccountId);
  const end = await endOf(deps, post, account, token);
  const isOurs = await endPost(deps.db, { id, token }, end, deps.clock.now());
  if (!isOurs) return "overtaken";
  if (end.kind === "waits") await enqueuePost(deps, { id, dueAt: end.dueAt });
  if (end.kind === "published") {
    await enqueueCounts(deps, end.dueAt);
    if (account !== undefined)
      await learnMore(deps, account, post, end.facts.providerPostId ?? null, end.at);
  }
  return end.kind;
}

/** The post is not due yet, or another worker holds it, which may die. */
async function comeLater(deps: Deps, { id, dueAt, leaseUntil }: PostRow): Promise<PublishRun> {
  const at = Math.max(dueAt?.getTime() ?? 0, leaseUntil?.getTime() ?? 0);
  await enqueuePost(deps, { id, dueAt: new Date(at) }, "-later");
  return "not_due";
}

async function endOf(
  deps: Deps,
  post: PostRow,
  account: AccountRow | undefined,
  token: string,
): Promise<PostEnd> {
  const { network, clock } = deps;
  if (account === undefined) return failed(wordsWithoutAccount(post));
  if (network === null) return whileNotConfigured(post, clock.now());
  if (post.begunAt === null) return handOver(deps, network, post, account, token);
  const answer = await findPublished(deps, network, account, post, post.begunAt);
  return afterLookUp(answer, post, post.begunAt, clock.now());
}

const wordsWithoutAccount = ({ begunAt }: PostRow) =>
  begunAt === null
    ? "The connected account is gone."
    : "The connected account is gone; whether the network has the post is not known.";

async function handOver(
  deps: Deps,
  network: Network,
  post: PostRow,
  account: AccountRow,
  token: string,
): Promise<PostEnd> {
  const { db, clock } = deps;
  const held = whileNotConnected(post, account, clock.now());
  if (held !== null) return held;
  const image = await loadImage(deps, post);
  const begunAt = clock.now();
  if (!(await beginPost(db, post, token, begunAt))) return whileTwinIsBegun(post, clock.now());
  const answer = await network.posts.publish(account.providerAccountId, post.text ?? "", image);
  if (!answer.ok && answer.failure.kind === "account")
    await markSyncDue(db, account.id, clock.now());
  return afterPublishing(answer, post, begunAt, clock.now());
}

async function loadImage({ db }: Deps, { id }: PostRow): Promise<PostImage | null> {
  const stored = await getPostImage(db, id);
  const bytes = stored && fromBase64(stored.content);
  if (bytes === null) return null;
  const { contentType } = stored!;
  return { bytes, contentType, filename: `image.${contentType.split("/")[1]}` };
}

/** Its address and author at once where the network says them; the first count comes all the same. */
async function learnMore(
  deps: Deps,
  account: AccountRow,
  post: PostRow,
  providerPostId: string | null,
  from: Date,
): Promise<void> {
  const { network, db, clock } = deps;
  if (network === null) return;
  const answer =
    providerPostId === null
      ? await findPublished(deps, network, account, post, from)
      : await network.posts.get(account.providerAccountId, providerPostId);
  if (answer.ok && answer.value !== null)
    await keepFacts(db, post.id, factsOf(answer.value, clock.now()), clock.now());
}

export const publishingPost = define(PUBLISH_POST, {
  payload: z.object({ post_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { post_id }) => publishPost(deps, post_id),
  lost: {
    afterMs: 2 * 60_000,
    find: ({ db, clock }, since) => overduePosts(db, { since, now: clock.now() }, 200),
    requeue: oneByOne((deps, { id }: PostRow) =>
      enqueuePost(deps, { id, dueAt: deps.clock.now() }, "-again"),
    ),
  },
});
