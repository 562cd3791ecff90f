import type { PostFacts } from "#db/network/posts/publishing.ts";
import type { Json } from "#db/schema/columns.ts";
import type { PublishedPost } from "#src/providers/network/index.ts";

const MAX_TEXT = 2_000;
const MAX_ATTACHMENTS = 20;
/** Of an integer of Postgres. */
const MAX_COUNT = 2 ** 31 - 1;

/**
 * The columns of a post from the network's data. Fields that the network leaves out are left out here as well, so that
 * their stored values stay.
 */
export function factsOf(post: PublishedPost, now: Date): PostFacts {
  const attachments = post.attachments.slice(0, MAX_ATTACHMENTS) as Record<string, Json>[];
  return {
    providerPostId: post.id,
    ...withoutNulls({
      socialId: post.socialId,
      shareUrl: shortened(post.shareUrl),
      authorName: shortened(post.author.name),
      authorId: post.author.id,
      impressions: bounded(post.impressions),
      reactions: bounded(post.reactions),
      comments: bounded(post.comments),
      reposts: bounded(post.reposts),
    }),
    ...(attachments.length === 0 ? {} : { attachments }),
    isRepost: post.isRepost,
    metricsUpdatedAt: now,
  };
}

type WithoutNulls<T> = { [K in keyof T]?: NonNullable<T[K]> };

const withoutNulls = <T extends object>(fields: T): WithoutNulls<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null),
  ) as WithoutNulls<T>;

const shortened = (text: string | null) => text && text.slice(0, MAX_TEXT).toWellFormed();

const bounded = (count: number | null) => count && Math.min(count, MAX_COUNT);
