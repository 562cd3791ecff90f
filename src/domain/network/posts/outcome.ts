import type { PostRow } from "#db/network/posts/posts.ts";
import type { PostEnd } from "#db/network/posts/publishing.ts";
import type { Answer, NetworkFailure, PublishedPost } from "#src/providers/network/index.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#src/platform/durations.ts";
import { nextCountAt } from "./count-times.ts";
import { factsOf } from "./facts.ts";

/** A post's next state after the network was called, or could not be. Pure. */

/** Waits between the tries; after the last of them it has failed. */
const RETRY_MS = [5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS];
/** How often it is looked whether what is in the way has gone. */
const LOOK_AGAIN_MS = 15 * MINUTE_MS;
/** A limit of actions lasts mostly until tomorrow, one of calls for moments. */
const LIMIT_MS = { action: 3 * HOUR_MS, notes: 3 * HOUR_MS, calls: 5 * MINUTE_MS };
/** So long a post waits for its account, for the deployment's key, and for the lookup of a lost answer. */
const PATIENCE_MS = DAY_MS;
/** And so long for limits: what is published later than that is no news. */
const LIMIT_PATIENCE_MS = 7 * DAY_MS;
/** A network shows a new post to its author within minutes: one that is not listed by then is not there. */
const SETTLED_MS = 10 * MINUTE_MS;
const FIRST_LOOK_MS = MINUTE_MS;
const NEXT_LOOK_MS = 3 * MINUTE_MS;

export type OpenPost = Pick<PostRow, "scheduledAt" | "createdAt" | "retryCount">;

/** When it was meant to be published. */
const wantedAt = ({ scheduledAt, createdAt }: OpenPost) => scheduledAt ?? createdAt;

const after = (now: Date, ms: number) => new Date(now.getTime() + ms);
const since = (at: Date, now: Date) => now.getTime() - at.getTime();

export const failed = (error: string): PostEnd => ({ kind: "failed", error });

/** The post's end while its account's session cannot publish; null when it can. */
export function whileNotConnected(
  post: OpenPost,
  account: { status: string; statusSince: Date },
  now: Date,
): PostEnd | null {
  if (account.status === "connected") return null;
  const from = new Date(Math.max(wantedAt(post).getTime(), account.statusSince.getTime()));
  const why = `The account is not connected (${account.status})`;
  return since(from, now) >= PATIENCE_MS
    ? failed(`${why}, and was not for a day.`)
    : waits(post, after(now, LOOK_AGAIN_MS), `${why}; the post waits for it.`);
}

const NO_ACCESS = "The service has no access to the network at the moment.";

/** One that was begun is still to be looked up. */
export const whileNotConfigured = (post: OpenPost & Pick<PostRow, "begunAt">, now: Date): PostEnd =>
  post.begunAt === null
    ? patiently(post, NO_ACCESS, now)
    : whileNotKnown(post, post.begunAt, NO_ACCESS, now);

export const whileTwinIsBegun = (post: OpenPost, now: Date): PostEnd =>
  waits(
    post,
    after(now, NEXT_LOOK_MS),
    "A post with the same words is being published by this account; this one comes after it.",
  );

const waits = (
  post: OpenPost,
  dueAt: Date,
  error: string,
  begunAt: Date | null = null,
): PostEnd => ({
  kind: "waits",
  dueAt,
  error,
  retryCount: post.retryCount,
  begunAt,
});

function patiently(post: OpenPost, error: string, now: Date): PostEnd {
  return since(wantedAt(post), now) >= PATIENCE_MS
    ? failed(`${error} It was tried for a day.`)
    : waits(post, after(now, LOOK_AGAIN_MS), error);
}

/** Nothing of it is at the network: it is tried again later, three times. */
function retried(post: OpenPost, error: string, now: Date, leastMs = 0): PostEnd {
  const wait = RETRY_MS[post.retryCount];
  if (wait === undefined) return failed(error);
  return {
    kind: "waits",
    dueAt: after(now, Math.min(DAY_MS, Math.max(wait, leastMs))),
    error,
    retryCount: post.retryCount + 1,
    begunAt: null,
  };
}

/** After it was handed over, which began at `begunAt`. */
export function afterPublishing(
  answer: Answer<{ postId: string | null }>,
  post: OpenPost,
  begunAt: Date,
  now: Date,
): PostEnd {
  if (!answer.ok) return afterFailure(answer.failure, post, begunAt, now);
  const { postId } = answer.value;
  const facts = postId === null ? {} : { providerPostId: postId };
  return { kind: "published", at: now, facts, dueAt: nextCountAt(now, now)! };
}

function afterFailure(failure: NetworkFailure, post: OpenPost, begunAt: Date, now: Date): PostEnd {
  const { detail } = failure;
  switch (failure.kind) {
    case "limited": {
      const wait = (failure.retryAfterSeconds ?? 0) * 1000 || LIMIT_MS[failure.scope];
      return since(wantedAt(post), now) >= LIMIT_PATIENCE_MS
        ? failed(`The network's limit did not end within a week: ${detail}.`)
        : waits(post, after(now, Math.min(DAY_MS, wait)), `${detail}; the post waits for it.`);
    }
    case "account":
      return patiently(post, `${detail}.`, now);
    case "configuration":
      return patiently(post, NO_ACCESS, now);
    case "down":
      return retried(post, `${detail}.`, now, (failure.retryAfterSeconds ?? 0) * 1000);
    case "unknown":
      return waits(
        post,
        after(now, FIRST_LOOK_MS),
        `${detail}; it is being looked up whether the network has the post.`,
        begunAt,
      );
    case "person":
    case "refused_login":
    case "request":
      return failed(`${detail}.`);
  }
}

/** It was begun, and the network cannot be asked what became of it. */
function whileNotKnown(post: OpenPost, begunAt: Date, detail: string, now: Date): PostEnd {
  const why = `It is not known whether the network has the post: ${detail}`;
  return since(begunAt, now) >= PATIENCE_MS
    ? failed(why)
    : waits(post, after(now, LOOK_AGAIN_MS), why, begunAt);
}

/** After the account's posts were looked through for one whose answer was lost. */
export function afterLookUp(
  answer: Answer<PublishedPost | null>,
  post: OpenPost,
  begunAt: Date,
  now: Date,
): PostEnd {
  if (!answer.ok) return whileNotKnown(post, begunAt, `${answer.failure.detail}.`, now);
  const found = answer.value;
  if (found !== null) {
    const at = found.publishedAt ?? begunAt;
    // One that is older than a month by the network's word is counted once all the same.
    const dueAt = nextCountAt(at, now) ?? now;
    return { kind: "published", at, facts: factsOf(found, now), dueAt };
  }
  if (since(begunAt, now) >= SETTLED_MS)
    return retried(post, "The network's answer was lost, and it does not have the post.", now);
  return waits(
    post,
    after(now, NEXT_LOOK_MS),
    "The answer was lost; it is being looked up whether the network has the post.",
    begunAt,
  );
}
