import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { instant, orNull, rowReader, text, typed } from "../base/rows.ts";
import { uuidArray } from "../base/text-array.ts";
import type { TransportKind, TransportSettings } from "../schema/index.ts";

/** When a message was handed to a relay, and when that had answered; null while it has not. */
export interface MailAttempt {
  laneId: string;
  workspaceId: string;
  transportKind: TransportKind;
  transportSettings: TransportSettings[TransportKind];
  begunAt: Date;
  endedAt: Date | null;
}

/** Of the sends of a lane the last so many are looked at: an accepted one is among them, or it says nothing of now. */
const LOOKED_AT = 5;

/** Messages whose answer is awaited began within so long, by their lease: a claim's lease is shorter. */
const AWAITED = { after: "330 seconds", until: "11 minutes" };
const MOST_AWAITED = 200;

/**
 * How long relays took of late: for the last accepted message of each of these sends' senders, and for what any
 * worker waits for now.
 */
export async function findLastAttempts(
  db: Db,
  sendIds: string[],
  now: Date,
): Promise<MailAttempt[]> {
  const { rows } = await db.execute(lastAttemptsStatement(sendIds, now));
  return rows.map(readAttempt);
}

/** By the indexes of sends by lane and slot, and of open sends by their lease. */
export function lastAttemptsStatement(sendIds: string[], now: Date): SQL {
  const at = instantParam(now);
  return sql`
    with lane as materialized (
      select distinct s.lane_id from sends s where s.id = any(${uuidArray(sendIds)})
    ), attempt as (
      select lane.lane_id, last.transmitting_at, last.accepted_at from lane cross join lateral (
        select of_late.transmitting_at, of_late.accepted_at from (
          select s.state, s.transmitting_at, s.accepted_at from sends s where s.lane_id = lane.lane_id
          order by s.slot_at desc limit ${sql.raw(String(LOOKED_AT))}
        ) of_late
        -- One that a sign alone shows to have arrived counts as accepted when it began.
        where of_late.state = 'accepted' and of_late.accepted_at > of_late.transmitting_at
        order by of_late.transmitting_at desc limit 1
      ) last
      union all
      select * from (
        select s.lane_id, s.transmitting_at, null::timestamptz from sends s
        where s.state = 'transmitting' and s.lease_until > ${at} + interval '${sql.raw(AWAITED.after)}' and s.lease_until <= ${at} + interval '${sql.raw(AWAITED.until)}'
        order by s.lease_until limit ${sql.raw(String(MOST_AWAITED))}
      ) awaited
    )
    select attempt.lane_id, a.workspace_id, a.transport_kind, a.transport_settings, attempt.transmitting_at as begun_at, attempt.accepted_at as ended_at
    from attempt join mail_aliases a on a.id = attempt.lane_id`;
}

const readAttempt = rowReader({
  laneId: text,
  workspaceId: text,
  transportKind: typed<TransportKind>(),
  transportSettings: typed<TransportSettings[TransportKind]>(),
  begunAt: instant,
  endedAt: orNull(instant),
});
