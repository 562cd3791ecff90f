import { EVENT_TYPES, type EventType } from "#db/workspace/events/types.ts";
import {
  type EventActor,
  type EventPlace,
  FIRST,
  presentPlace,
  readEvents,
  type StoredEvent,
} from "#db/workspace/events/feed.ts";
import { EVENT_DAYS } from "#db/base/retention.ts";
import type { Deps } from "#src/deps.ts";
import { gone, unprocessable } from "#src/errors.ts";
import { DAY_MS } from "#src/platform/durations.ts";

export { EVENT_TYPES, EVENTS, type EventType } from "#db/workspace/events/types.ts";

const KEPT_MS = EVENT_DAYS * DAY_MS;

/** A place in the feed, and when it was given out. */
export interface Cursor extends EventPlace {
  at: Date;
}

export interface EventQuery {
  /** Absent: from the oldest event on. */
  after?: Cursor | "now" | undefined;
  /** Instead of `after`: what lies in front of it, the newest first. */
  before?: Cursor | "now" | undefined;
  actor?: EventActor | undefined;
  /** Types, or all of a kind: `email.*`. */
  types?: readonly string[] | undefined;
  campaignId?: string | undefined;
  limit: number;
}

/** An event as it is told, by the feed and by webhooks alike. */
export interface ToldEvent {
  id: string;
  type: EventType;
  timestamp: Date;
  actor: { type: "system" | "key" | "user"; id: string | null; name: string | null };
  data: Record<string, unknown>;
}

export interface EventsPage {
  events: { event: ToldEvent; cursor: Cursor }[];
  next: Cursor;
  hasMore: boolean;
}

/** Every type, and all of a kind: `email.*`. */
export const TYPE_NAMES: readonly string[] = [
  ...new Set(EVENT_TYPES.map((type) => `${type.split(".")[0]}.*`)),
  ...EVENT_TYPES,
];

/** The types that the words name; null for all. */
export const typesOf = (words: readonly string[] | undefined): EventType[] | null =>
  words === undefined
    ? null
    : EVENT_TYPES.filter((type) =>
        words.some(
          (word) => word === type || (word.endsWith(".*") && type.startsWith(word.slice(0, -1))),
        ),
      );

/** Throws 410 for a place that is older than what is kept: something between may be gone. */
export async function listEvents(
  { db, clock }: Deps,
  workspaceId: string,
  { after, before, types, campaignId, actor, limit }: EventQuery,
): Promise<EventsPage> {
  const now = clock.now();
  const isBackward = before !== undefined;
  if (isBackward && after !== undefined)
    throw unprocessable(
      "ONE_DIRECTION",
      "Give `after` to read on, or `before` to read back; both at once have no order.",
    );
  if (after === "now")
    return { events: [], next: { ...(await presentPlace(db)), at: now }, hasMore: false };
  if (after !== undefined && now.getTime() - after.at.getTime() > KEPT_MS)
    throw gone(
      "CURSOR_EXPIRED",
      "Events are kept for 30 days, and this cursor is older: begin anew without `after`, and read what you missed from the resources.",
    );
  const page = await readEvents(db, {
    workspaceId,
    after: isBackward ? (before === "now" ? await presentPlace(db) : before) : (after ?? FIRST),
    isBackward,
    types: typesOf(types),
    campaignId: campaignId ?? null,
    actor,
    limit,
  });
  const place = after ?? (before === "now" ? undefined : before);
  if (place !== undefined && page.arrivedAt !== null && place.at <= page.arrivedAt)
    throw gone(
      "CURSOR_EXPIRED",
      "This workspace has moved to other servers since, or its database was restored, and its events are numbered anew: begin anew without `after`; each event keeps its id.",
    );
  return {
    events: page.events.map((row) => ({
      event: toldEvent(row),
      // Its own time may lie in the past, as that of a mail does which was read late; the place is given out now.
      cursor: { tx: row.tx, seq: row.seq, at: now },
    })),
    next: { ...page.reached, at: now },
    hasMore: page.hasMore,
  };
}

export function toldEvent(row: StoredEvent): ToldEvent {
  const [type, id] = row.actor?.split(":") ?? [];
  return {
    id: row.id,
    type: row.type,
    timestamp: row.at,
    actor: {
      type: type === "key" || type === "user" ? type : "system",
      id: id ?? null,
      name: row.actorName,
    },
    data: {
      ...(row.campaignId !== null && { campaign_id: row.campaignId }),
      ...row.data,
      ...(row.email !== null && { email: row.email }),
      url: urlOf(row),
    },
  };
}

/** Where more is told: the most special of the records that the event is about. */
function urlOf({ data, campaignId }: StoredEvent): string {
  const of = (name: string): string | undefined => data[name] as string | undefined;
  const under = (path: string, id: string | undefined | null) =>
    id === undefined || id === null ? undefined : `${path}/${id}`;
  const path =
    under("conversations", of("conversation_id")) ??
    under("mailer/emails", of("email_id")) ??
    under(`campaigns/${campaignId}/leads`, of("campaign_lead_id")) ??
    under("campaigns", campaignId) ??
    under("datasets", of("dataset_id")) ??
    under("connected-accounts", of("account_id")) ??
    under("socialnet/posts", of("post_id")) ??
    under("mailer/domains", of("domain_id")) ??
    under("mailer/aliases", of("alias_id")) ??
    (of("key_id") === undefined ? undefined : "api-keys") ??
    (of("available") === undefined && of("credits") === undefined ? undefined : "payments/balance");
  return `/api/v2/${path ?? "workspace"}`;
}
