import type { AccountRow } from "#db/network/accounts.ts";
import {
  deletePost,
  getPost,
  listPosts,
  type PostPlace,
  type PostRow,
} from "#db/network/posts/posts.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requires } from "#src/domain/owned.ts";
import { conflict, notFound } from "#src/errors.ts";

export type { AccountRow } from "#db/network/accounts.ts";
export type { PostPlace, PostRow } from "#db/network/posts/posts.ts";
export { POST_STATUSES } from "#db/schema/network.ts";

export const requirePost = requires("Post", getPost);

/** A page of the workspace's posts, newest first, with the accounts that there are. */
export async function findPosts(
  { db }: Deps,
  { workspaceId }: Principal,
  accountId: string | undefined,
  page: { after: PostPlace | undefined; limit: number },
): Promise<{ posts: PostRow[]; total: number; accounts: AccountRow[] }> {
  const found = await listPosts(db, workspaceId, accountId, page);
  // One that is gone still has its posts.
  const isKnown = accountId === undefined || found.accounts.some(({ id }) => id === accountId);
  if (!isKnown && found.total === 0) throw notFound("Connected account");
  return found;
}

/** Deletes the service's record; a scheduled post is then never published. 409 while the post is being handed over. */
export async function removePost(deps: Deps, principal: Principal, id: string): Promise<void> {
  const { workspaceId } = principal;
  if (await deletePost(deps.db, workspaceId, id, deps.clock.now())) return;
  await requirePost(deps, principal, id);
  throw conflict(
    "INVALID_STATE_TRANSITION",
    "The post is publishing and has begun to leave, so it may appear at the network; delete it once it is published or failed.",
  );
}
