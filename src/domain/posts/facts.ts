import type { PostFacts } from "#db/posts/publishing.ts";
import type { Json } from "#db/schema/columns.ts";
import type { PublishedPost } from "#src/providers/network/index.ts";

const MAX_TEXT = 2_000;
const MAX_ATTACHMENTS = 20;
const MAX_DEPTH = 6;
const MAX_COUNT = 2 ** 31 - 1;

/**
 * What we keep of what the network says about a post of ours. What it leaves out is left out here as well, so that
 * what is kept stays.
 */
export function factsOf(post: PublishedPost, now: Date): PostFacts {
  const attachments = post.attachments.slice(0, MAX_ATTACHMENTS).map((each) => storable(each));
  return {
    providerPostId: cleanText(post.id),
    ...withoutNulls({
      socialId: textOrNull(post.socialId),
      shareUrl: textOrNull(post.shareUrl),
      authorName: textOrNull(post.author.name),
      authorId: textOrNull(post.author.id),
      impressions: countOrNull(post.impressions),
      reactions: countOrNull(post.reactions),
      comments: countOrNull(post.comments),
      reposts: countOrNull(post.reposts),
    }),
    ...(attachments.length === 0 ? {} : { attachments: attachments as Record<string, Json>[] }),
    isRepost: post.isRepost,
    metricsUpdatedAt: now,
  };
}

type WithoutNulls<T> = { [K in keyof T]?: NonNullable<T[K]> };

const withoutNulls = <T extends object>(fields: T): WithoutNulls<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null),
  ) as WithoutNulls<T>;

/** Postgres takes neither a NUL nor half of a surrogate pair. */
const cleanText = (text: string): string =>
  text.replaceAll("\u0000", "").slice(0, MAX_TEXT).toWellFormed();

const textOrNull = (text: string | null): string | null =>
  text === null || text === "" ? null : cleanText(text);

const countOrNull = (count: number | null): number | null =>
  count === null || !Number.isFinite(count)
    ? null
    : Math.min(MAX_COUNT, Math.max(0, Math.trunc(count)));

/** Any value as JSON that can be stored, as deep and as long as is sensible. */
function storable(value: unknown, depth = 0): Json {
  if (typeof value === "string") return cleanText(value);
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null || depth === MAX_DEPTH) return null;
  if (Array.isArray(value))
    return value.slice(0, MAX_ATTACHMENTS).map((each) => storable(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 50)
      .map(([name, each]) => [cleanText(name), storable(each, depth + 1)]),
  );
}
