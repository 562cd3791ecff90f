import { findSentById } from "#db/inbound.ts";
import { campaignClickStats, findSentAt, recordEvent, recordUnsubscribe } from "#db/tracking.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { notFound } from "#src/errors.ts";
import { proveArrived, tellAbout } from "../feedback.ts";
import { classifyHit } from "./classify.ts";

export interface TrackedHit {
  sendId: string;
  kind: "open" | "click";
  linkIndex: number;
  url: string | null;
  userAgent: string | null;
  prefetch: boolean;
}

/** Notes an open or click; meant to run after the answer was sent. A message that is not ours is ignored. */
export async function noteHit(deps: Deps, hit: TrackedHit, at: Date): Promise<void> {
  const sent = await findSentAt(deps.db, hit.sendId);
  if (sent === undefined) return;
  if (sent.isUnknown) {
    const message = await findSentById(deps.db, hit.sendId);
    if (message !== undefined) await proveArrived(deps, message);
  }
  const verdict = classifyHit({
    at,
    acceptedAt: sent.acceptedAt,
    userAgent: hit.userAgent,
    prefetch: hit.prefetch,
  });
  const { sendId, kind, linkIndex, url } = hit;
  const userAgent = hit.userAgent?.slice(0, 500) ?? null;
  await recordEvent(deps.db, {
    id: deps.ids.uuid(),
    at,
    sendId,
    kind,
    linkIndex,
    url,
    userAgent,
    ...verdict,
  });
}

/** Ends mail to the address of that message, in every campaign of the workspace. True also when it had ended before; false when there is no such message. */
export async function unsubscribe(deps: Deps, messageId: string): Promise<boolean> {
  const sent = await findSentById(deps.db, messageId);
  if (sent === undefined) return false;
  await tellAbout(deps, sent, "unsubscribe");
  await recordUnsubscribe(deps.db, sent, deps.ids.uuid(), deps.clock.now());
  return true;
}

export async function readClickStats(deps: Deps, { workspaceId }: Principal, campaignId: string) {
  const stats = await campaignClickStats(deps.db, workspaceId, campaignId);
  if (stats === undefined) throw notFound("Campaign");
  const rate = (count: number) =>
    stats.totalSent === 0 ? 0 : Math.round((10_000 * count) / stats.totalSent) / 100;
  return { ...stats, clickRate: rate(stats.clickedCount), openRate: rate(stats.openedCount) };
}
