import { type AccountOption, findPostingAccount } from "#db/posts/accounts.ts";
import { claimCounts, type CountEnd, endCountStatement, hasCountsDue } from "#db/posts/counting.ts";
import type { PostRow } from "#db/posts/posts.ts";
import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";
import type { Answer, Network, PublishedPost } from "#src/providers/network/index.ts";
import { nextCountAt } from "./count-times.ts";
import { factsOf } from "./facts.ts";
import { findPublished } from "./find-published.ts";

export const COUNT_POSTS = "count-posts";

const HOUR_MS = 3_600_000;
/** A run begins no further batch after so long, nor after so many: each post is a call, and so is what is kept of it. */
const RUN_MS = 45_000;
const MOST_BATCHES = 5;
const BATCH = 20;
/** More than a batch takes with a network that is slow. */
const LEASE_MS = 10 * 60_000;
/** A new post may not be readable at once. */
const YOUNG_MS = HOUR_MS;
/** One whose id nobody told and that is not listed either by then is not looked for any more. */
const NAMELESS_MS = 24 * HOUR_MS;

/** The queue's callback: reads again what the network says of posts that are due. Safe to repeat and to overlap. */
export async function countPosts(deps: Deps): Promise<{ counted: number }> {
  const { network, clock } = deps;
  if (network === null) return { counted: 0 };
  const end = clock.now().getTime() + RUN_MS;
  let counted = 0;
  for (let batch = 0; batch < MOST_BATCHES && clock.now().getTime() < end; batch++) {
    const posts = await countBatch(deps, network);
    counted += posts;
    if (posts < BATCH) return { counted };
  }
  await askForCounts(deps);
  return { counted };
}

async function countBatch(deps: Deps, network: Network): Promise<number> {
  const now = deps.clock.now();
  const token = deps.ids.uuid();
  const until = new Date(now.getTime() + LEASE_MS);
  const posts = await claimCounts(deps.db, { token, now, until }, BATCH);
  const byAccount = Map.groupBy(posts, ({ connectedAccountId }) => connectedAccountId);
  await Promise.all(
    [...byAccount.values()].map((ofAccount) => countOfAccount(deps, network, ofAccount, token)),
  );
  return posts.length;
}

/** One after another; where one cannot be read for a reason that is not its own, the others of the account wait too. */
async function countOfAccount(
  deps: Deps,
  network: Network,
  posts: PostRow[],
  token: string,
): Promise<void> {
  const { workspaceId, connectedAccountId } = posts[0]!;
  const account = await findPostingAccount(deps.db, workspaceId, connectedAccountId);
  let isShut = account !== undefined && account.status !== "connected";
  for (const post of posts) {
    const answer =
      account === undefined ? null : isShut ? LATER : await read(deps, network, account, post);
    isShut ||= answer !== null && !answer.ok && answer.failure.kind !== "request";
    const now = deps.clock.now();
    const end = answer === null ? ACCOUNT_GONE : afterReading(answer, post, now);
    await endCountStatement(deps.db, post.id, { token, now }, end);
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
  account: AccountOption,
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

/** Part of the regular full check: asks for the counting where something is due. */
export async function askForCounts(deps: Deps): Promise<void> {
  const { clock, db, queue, log } = deps;
  const now = clock.now();
  if (deps.network === null || !(await hasCountsDue(db, now))) return;
  await queue
    .publish({
      callback: COUNT_POSTS,
      payload: { version: 1 },
      deduplicationId: `count-posts-${now.getTime()}`,
      // Whoever is left out here is due at the next full check.
      retries: 0,
    })
    .catch((error: unknown) => log.error("counting_not_queued", describeError(error)));
}
