import { campaignClickStats, findSentAt, recordEvent, recordUnsubscribe } from "#db/tracking.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { notFound } from "#src/errors.ts";
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

/** Ends mail to the address of that send, in every campaign of the workspace. True also when it had ended before. */
export async function unsubscribe(deps: Deps, sendId: string): Promise<boolean> {
  const { ids, clock } = deps;
  const order = { eventId: ids.uuid(), suppressionId: ids.uuid(), sendId, now: clock.now() };
  return (await recordUnsubscribe(deps.db, order)) !== undefined;
}

export async function readClickStats(deps: Deps, { workspaceId }: Principal, campaignId: string) {
  const stats = await campaignClickStats(deps.db, workspaceId, campaignId);
  if (stats === undefined) throw notFound("Campaign");
  const rate = (count: number) =>
    stats.totalSent === 0 ? 0 : Math.round((10_000 * count) / stats.totalSent) / 100;
  return { ...stats, clickRate: rate(stats.clickedCount), openRate: rate(stats.openedCount) };
}
