import { knownPosts } from "#db/network/posts/publishing.ts";
import type { AccountRow } from "#db/network/accounts.ts";
import type { PostRow } from "#db/network/posts/posts.ts";
import type { Deps } from "#src/deps.ts";
import type { Answer, Network, PublishedPost } from "#src/providers/network/index.ts";
import { saysTheSame } from "#src/domain/network/same-text.ts";

/** Clocks of two companies. */
const SKEW_MS = 5 * 60_000;
const MOST_PAGES = 3;

export type LostPost = Pick<PostRow, "text" | "workspaceId" | "connectedAccountId">;

/**
 * The account's latest post with this text that appeared after `from` and is not stored yet; null when the network has
 * none. So a post whose answer was lost is found, and one whose answer had no id.
 */
export async function findPublished(
  { db }: Deps,
  network: Network,
  account: AccountRow,
  post: LostPost,
  from: Date,
): Promise<Answer<PublishedPost | null>> {
  const owner = await ownerOf(network, account);
  if (!owner.ok) return owner;
  const since = from.getTime() - SKEW_MS;
  const isNew = ({ publishedAt }: PublishedPost) =>
    publishedAt === null || publishedAt.getTime() >= since;
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer: Awaited<ReturnType<Network["posts"]["list"]>> = await network.posts.list(
      account.providerAccountId,
      owner.value,
      cursor,
    );
    if (!answer.ok) return answer;
    const { items, nextCursor } = answer.value;
    const alike = items.filter(
      (each) => isNew(each) && !each.isRepost && saysTheSame(each.text, post.text ?? ""),
    );
    const known = await knownPosts(db, post, alike.flatMap(idsOf));
    const found = alike.find((each) => !idsOf(each).some((id) => known.has(id)));
    if (found !== undefined) return { ok: true, value: found };
    if (nextCursor === null || !items.some(isNew)) break;
    cursor = nextCursor;
  }
  return { ok: true, value: null };
}

/** A provider may answer with one kind and list the other. */
const idsOf = ({ id, socialId }: PublishedPost) => (socialId === null ? [id] : [id, socialId]);

/** Whose posts are listed: the account's owner, by the network's id. */
async function ownerOf(network: Network, account: AccountRow): Promise<Answer<string>> {
  if (account.personId !== null) return { ok: true, value: account.personId };
  const answer = await network.accounts.get(account.providerAccountId);
  if (!answer.ok) return answer;
  const personId = answer.value?.personId ?? null;
  if (personId !== null) return { ok: true, value: personId };
  const detail = "The account's owner is not known, so its posts cannot be listed";
  return { ok: false, failure: { kind: "account", code: "owner_unknown", detail } };
}
