import { sql } from "drizzle-orm";
import type { Db } from "../../base/client.ts";
import { bool, instant, integer, orNull, rowReader, text, typed } from "../../base/rows.ts";
import { textArray } from "../../base/text-array.ts";
import type { Json } from "../../schema/columns.ts";
import type { EventType } from "./types.ts";

/** A place in the feed, behind which a reader goes on. Both are whole numbers of 64 bits, in digits. */
export interface EventPlace {
  tx: string;
  seq: string;
}

export interface EventOrder {
  workspaceId: string;
  /** Events behind it, the oldest first; backwards those in front of it, the newest first. */
  after: EventPlace;
  isBackward?: boolean;
  /** Null: every type. */
  types: readonly EventType[] | null;
  campaignId: string | null;
  /** The actor whose events are wanted; absent: of all. */
  actor?: EventActor | undefined;
  limit: number;
}

/** Who did it: a kind of them, or one by its id. */
export type EventActor = { type: "system" | "user" | "key" } | { id: string };

export type StoredEvent = ReturnType<typeof readEvent>;
const readEvent = rowReader({
  id: text,
  tx: text,
  seq: text,
  type: typed<EventType>(),
  at: instant,
  actor: orNull(text),
  actorName: orNull(text),
  campaignId: orNull(text),
  /** As it is known by now: erasure takes it. */
  email: orNull(text),
  data: typed<Record<string, Json>>(),
});

const readEnd = rowReader({
  isFound: bool,
  horizon: text,
  looked: integer,
  lastTx: orNull(text),
  lastSeq: orNull(text),
  arrivedAt: orNull(instant),
});

export interface EventPage {
  events: StoredEvent[];
  /** Everything up to here has been looked at. */
  reached: EventPlace;
  hasMore: boolean;
  /** When the workspace was frozen to come here from another cell, or its database was restored: places of before mean nothing here; null: it began here. */
  arrivedAt: Date | null;
}

/** What is known by now of event `f`: the address of the person, and the name of who asked. */
const asKnown = sql`
      coalesce(
        (select l.email from campaign_leads l where l.id = (f.data ->> 'campaign_lead_id')::uuid and l.workspace_id = f.workspace_id),
        (select m.to_email from emails m where m.id = (f.data ->> 'email_id')::uuid and m.workspace_id = f.workspace_id)
      ) as email,
      case split_part(f.actor, ':', 1)
        when 'key' then (select k.name from api_keys k where k.id = split_part(f.actor, ':', 2)::uuid)
        when 'user' then (select coalesce(u.name, u.email) from users u where u.id = split_part(f.actor, ':', 2)::uuid)
      end as actor_name`;

/** So many rows are looked at for one answer, however few of them are asked for. */
const LOOKED_AT = 5_000;
const LAST_SEQ = "9223372036854775807";

function actorIs(actor: EventActor | undefined) {
  if (actor === undefined) return null;
  if ("id" in actor) return sql`actor = any(${textArray([`user:${actor.id}`, `key:${actor.id}`])})`;
  return actor.type === "system"
    ? sql`actor is null`
    : sql`starts_with(actor, ${`${actor.type}:`})`;
}

/**
 * Events behind a place, or in front of it, in the order in which their transactions began to write. What is answered has every transaction
 * before it committed or gone, so that nothing can come in front of it later; one that takes long holds up what is behind it.
 * A place of another life of the database, whose numbers were higher, stands before everything written since.
 */
export async function readEvents(db: Db, order: EventOrder): Promise<EventPage> {
  const { workspaceId, after, isBackward = false, types, campaignId, limit } = order;
  const conditions = [
    types === null ? null : sql`type = any(${textArray(types)})`,
    campaignId === null ? null : sql`campaign_id = ${campaignId}`,
    actorIs(order.actor),
  ].filter((each) => each !== null);
  const [beyond, way, back, begin] = isBackward
    ? [sql`<`, sql`desc`, sql`asc`, sql`pg_snapshot_xmax(s)`]
    : [sql`>`, sql`asc`, sql`desc`, sql`'0'::xid8`];
  const { rows } = await db.execute(sql`
    with snapshot as materialized (
      select pg_snapshot_xmin(s) as horizon, case when ${after.tx}::xid8 > pg_snapshot_xmax(s) then ${begin} else ${after.tx}::xid8 end as tx
      from pg_current_snapshot() s
    ), looked as materialized (
      select e.* from events e
      where e.workspace_id = ${workspaceId} and (e.tx, e.seq) ${beyond} ((select tx from snapshot), ${after.seq}::bigint)
        and e.tx < (select horizon from snapshot)
      order by e.tx ${way}, e.seq ${way} limit ${conditions.length === 0 ? limit + 1 : LOOKED_AT}
    ), found as materialized (
      select looked.* from looked
      where ${sql.join([sql`true`, ...conditions], sql` and `)}
      order by tx ${way}, seq ${way} limit ${limit + 1}
    ), last as (select tx, seq from looked order by tx ${back}, seq ${back} limit 1)
    select f.id is not null as is_found, f.id, f.tx::text, f.seq::text, f.type, f.at, f.actor, f.campaign_id, f.data,
      snapshot.horizon::text, (select count(*)::int from looked) as looked, (select tx::text from last) as last_tx, (select seq::text from last) as last_seq,
      (select w.arrived_at from workspaces w where w.id = ${workspaceId}) as arrived_at,
      ${asKnown}
    from snapshot left join found f on true
    order by f.tx ${way}, f.seq ${way}`);
  const { isFound, horizon, looked, lastTx, lastSeq, arrivedAt } = readEnd(rows[0]!);
  const events = isFound ? rows.map(readEvent) : [];
  const page = events.slice(0, limit);
  const last = page.at(-1);
  if (events.length > limit && last !== undefined)
    return { events: page, reached: last, hasMore: true, arrivedAt };
  if (looked === LOOKED_AT)
    return { events: page, reached: { tx: lastTx!, seq: lastSeq! }, hasMore: true, arrivedAt };
  const end = { tx: String(BigInt(horizon) - 1n), seq: LAST_SEQ };
  return { events: page, reached: isBackward ? FIRST : end, hasMore: false, arrivedAt };
}

/** In front of everything. */
export const FIRST: EventPlace = { tx: "0", seq: "0" };

/** Those at these places that are still kept, by id. */
export async function eventsAt(
  db: Db,
  workspaceId: string,
  places: readonly EventPlace[],
): Promise<Map<string, StoredEvent>> {
  const { rows } = await db.execute(sql`
    select f.id, f.tx::text, f.seq::text, f.type, f.at, f.actor, f.campaign_id, f.data, ${asKnown}
    from jsonb_to_recordset(${JSON.stringify(places.map(({ tx, seq }) => ({ tx, seq })))}::jsonb) as p(tx text, seq bigint)
    join events f on f.workspace_id = ${workspaceId} and f.tx = p.tx::xid8 and f.seq = p.seq`);
  return new Map(rows.map(readEvent).map((event) => [event.id, event]));
}

/** The place behind everything that is there by now. */
export async function presentPlace(db: Db): Promise<EventPlace> {
  const { rows } = await db.execute<{ horizon: string }>(
    sql`select pg_snapshot_xmin(pg_current_snapshot())::text as horizon`,
  );
  return { tx: String(BigInt(rows[0]!.horizon) - 1n), seq: LAST_SEQ };
}
