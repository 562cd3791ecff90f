import * as z from "zod";
import { findAccountOrDefault } from "#db/network/account-lookup.ts";
import type { AccountRow } from "#db/network/accounts.ts";
import {
  claimCounts,
  type CountEnd,
  endCountStatement,
  nextCountDue,
} from "#db/network/posts/counting.ts";
import type { PostRow } from "#db/network/posts/posts.ts";
import type { Deps } from "#src/deps.ts";
import { define, newClaim } from "#src/domain/job.ts";
import type { Answer, Network, PublishedPost } from "#src/providers/network/index.ts";
import { HOUR_MS } from "#src/platform/durations.ts";
import { nextCountAt } from "./count-times.ts";
import { factsOf } from "./facts.ts";
import { findPublished } from "./find-published.ts";
import { COUNT_POSTS, enqueueCounts, enqueueCountsNow } from "./queue.ts";

/** A run begins no further batch after so long, nor after so many posts. */
const RUN_MS = 45_000;
const MOST_POSTS = 100;
/** The subrequests that a post takes of an invocation's limit: to the network, to the database, and a share of the rest. */
const CALLS_A_POST = 4;
const BATCH = 20;
/** More than a batch takes with a network that is slow. */
const LEASE_MS = 10 * 60_000;
/** A new post may not be readable at once. */
const YOUNG_MS = HOUR_MS;
/** A post without an id from the provider that is not listed either by then is not looked for any more. */
const NAMELESS_MS = 24 * HOUR_MS;

/**
 * Reads again what the network says of posts that are due, and asks to be called when the next
 * one is. Safe to repeat and to overlap.
 */
export async function countPosts(deps: Deps): Promise<{ counted: number }> {
  const { network, clock, settings } = deps;
  if (network === null) return { counted: 0 };
  const end = clock.now().getTime() + RUN_MS;
  const most = Math.min(MOST_POSTS, Math.floor(settings.tick.limits.calls / CALLS_A_POST));
  let counted = 0;
  while (counted < most && clock.now().getTime() < end) {
    const limit = Math.min(BATCH, most - counted);
    const posts = await countBatch(deps, network, limit);
    counted += posts;
    if (posts === limit) continue;
    const nextAt = await nextCountDue(deps.db, clock.now());
    if (nextAt !== null) await enqueueCounts(deps, nextAt);
    return { counted };
  }
  await enqueueCountsNow(deps);
  return { counted };
}

async function countBatch(deps: Deps, network: Network, limit: number): Promise<number> {
  const claim = newClaim(deps, LEASE_MS);
  const posts = await claimCounts(deps.db, claim, limit);
  const byAccount = Map.groupBy(posts, ({ connectedAccountId }) => connectedAccountId);
  await Promise.all(
    [...byAccount.values()].map((ofAccount) =>
      countOfAccount(deps, network, ofAccount, claim.token),
    ),
  );
  return posts.length;
}

/** Counts an account's posts one after another; a failure that is not the post's own postpones the account's remaining posts. */
async function countOfAccount(
  deps: Deps,
  network: Network,
  posts: PostRow[],
  token: string,
): Promise<void> {
  const { workspaceId, connectedAccountId } = posts[0]!;
  const account = await findAccountOrDefault(deps.db, workspaceId, connectedAccountId);
  let isShut = account !== undefined && account.status !== "connected";
  for (const post of posts) {
    const answer =
      account === undefined ? null : isShut ? LATER : await read(deps, network, account, post);
    isShut ||= answer !== null && !answer.ok && answer.failure.kind !== "request";
    const now = deps.clock.now();
    const end = answer === null ? ACCOUNT_GONE : afterReading(answer, post, now);
    await endCountStatement(deps.db, { id: post.id, token }, end, now);
  }
}

const ACCOUNT_GONE: CountEnd = {
  facts: {},
  dueAt: null,
  error: "The connected account is gone; the post is not counted any more.",
};

const LATER: Answer<never> = {
  ok: false,
  failure: { kind: "down", code: "later", detail: "Not asked for." },
};

const read = (
  deps: Deps,
  network: Network,
  account: AccountRow,
  post: PostRow,
): Promise<Answer<PublishedPost | null>> =>
  post.providerPostId === null
    ? findPublished(deps, network, account, post, post.publishedAt!)
    : network.posts.get(account.providerAccountId, post.socialId ?? post.providerPostId);

/** Pure. */
export function afterReading(
  answer: Answer<PublishedPost | null>,
  { publishedAt, providerPostId }: Pick<PostRow, "publishedAt" | "providerPostId">,
  now: Date,
): CountEnd {
  const dueAt = nextCountAt(publishedAt!, now);
  if (!answer.ok) return { facts: {}, dueAt, error: null };
  if (answer.value !== null) return { facts: factsOf(answer.value, now), dueAt, error: null };
  const patience = providerPostId === null ? NAMELESS_MS : YOUNG_MS;
  if (now.getTime() - publishedAt!.getTime() < patience) return { facts: {}, dueAt, error: null };
  return { facts: {}, dueAt: null, error: GONE };
}

const GONE = "The network does not show the post any more; it is not counted further.";

export const countingPosts = define(COUNT_POSTS, {
  payload: z.object({ version: z.literal(1) }),
  run: (deps) => countPosts(deps),
  lost: {
    afterMs: 10 * 60_000,
    find: async ({ db, clock, network }, before) => {
      const nextAt = network === null ? null : await nextCountDue(db, clock.now());
      return nextAt !== null && nextAt < before ? [nextAt] : [];
    },
    requeue: enqueueCountsNow,
  },
});
