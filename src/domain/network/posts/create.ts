import { changePost as updatePost, insertPost, type PostRow } from "#db/network/posts/posts.ts";
import { newRow } from "#db/base/owned.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireConnectedAccount } from "#src/domain/network/choose-account.ts";
import { requireNetwork } from "#src/domain/network/require-network.ts";
import { newOwned } from "#src/domain/owned.ts";
import { conflict, unprocessable } from "#src/errors.ts";
import { toBase64 } from "#src/platform/encoding.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import type { Image } from "./image/read-image.ts";
import { enqueuePost } from "./queue.ts";
import { requirePost } from "./read.ts";

/** A post planned further ahead than a year is a slip. */
const FURTHEST_MS = 366 * DAY_MS;

export interface PostInput {
  text: string;
  /** Absent: the default account. */
  accountId: string | undefined;
  /** Null or past: at once. */
  scheduledAt: Date | null;
  image: Image | null;
}

/** Keeps a post and asks the queue to publish it; never publishes inline. */
export async function createPost(
  deps: Deps,
  principal: Principal,
  { text, accountId, scheduledAt, image }: PostInput,
): Promise<PostRow> {
  requireNetwork(deps);
  const owner = newOwned(deps, principal);
  const { now } = owner;
  requireWithinYear(scheduledAt, now);
  const account = await requireConnectedAccount(deps, principal, accountId);
  const isLater = scheduledAt !== null && scheduledAt > now;
  const post = await insertPost(
    deps.db,
    {
      ...newRow(owner),
      connectedAccountId: account.id,
      status: isLater ? "scheduled" : "publishing",
      text,
      attachments: image === null ? [] : [attachmentOf(image)],
      isRepost: false,
      scheduledAt: isLater ? scheduledAt : null,
      retryCount: 0,
      impressions: 0,
      reactions: 0,
      comments: 0,
      reposts: 0,
      dueAt: isLater ? scheduledAt : now,
    },
    image && { contentType: image.contentType, content: toBase64(image.bytes) },
  );
  await enqueuePost(deps, { id: post.id, dueAt: post.dueAt! });
  return post;
}

/** Until the network names its own. */
const attachmentOf = ({ contentType, bytes }: Image) => ({
  type: "img",
  mimetype: contentType,
  file_size: bytes.length,
});

export interface PostChange {
  text?: string | undefined;
  /** Past: at once. */
  scheduledAt?: Date | undefined;
}

/** Changes text and time of a post that is still scheduled; 409 for any other. */
export async function changePost(
  deps: Deps,
  principal: Principal,
  id: string,
  { text, scheduledAt }: PostChange,
): Promise<PostRow> {
  const now = deps.clock.now();
  requireWithinYear(scheduledAt ?? null, now);
  const before = await requirePost(deps, principal, id);
  const changed = await updatePost(
    deps.db,
    before,
    { ...(text === undefined ? {} : { text }), ...(scheduledAt && whenOf(scheduledAt, now)) },
    now,
  );
  if (changed === undefined)
    throw conflict(
      "INVALID_STATE_TRANSITION",
      "Only a post that is still scheduled can be changed.",
      { detail: { status: (await requirePost(deps, principal, id)).status } },
    );
  // The call that was asked for before finds the post not due yet, or gone.
  if (scheduledAt !== undefined)
    await enqueuePost(deps, { id, dueAt: changed.dueAt! }, `-${now.getTime()}`);
  return changed;
}

const whenOf = (at: Date, now: Date): Pick<PostRow, "status" | "scheduledAt" | "dueAt"> =>
  at > now
    ? { status: "scheduled", scheduledAt: at, dueAt: at }
    : { status: "publishing", scheduledAt: null, dueAt: now };

function requireWithinYear(scheduledAt: Date | null, now: Date): void {
  if (scheduledAt !== null && scheduledAt.getTime() - now.getTime() > FURTHEST_MS)
    throw unprocessable("VALIDATION_ERROR", "scheduled_at is more than a year ahead.");
}
