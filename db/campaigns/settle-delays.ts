import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";

/** What falls due so long after each message of a piece of time, or at one instant for all of them. */
export type PieceDue = { afterMs: number; at: null } | { afterMs: null; at: Date };

/** When leads of a zone fall due for a step, by what was to be and by what is, if their last message is of this piece of time. */
export interface DelayPiece {
  step: number;
  /** That leads name, whichever they go by; empty for the campaign's. */
  zone: string;
  /** Null for ever. */
  from: Date | null;
  until: Date | null;
  was: PieceDue;
  due: PieceDue;
}

/** The zones that leads of the campaign name. */
export async function zonesOfLeads(db: Db, campaignId: string): Promise<string[]> {
  const { rows } = await db.execute<{ zone: string }>(sql`
    select distinct coalesce(l.timezone, '') as zone from campaign_leads l where l.campaign_id = ${campaignId}`);
  return rows.map(({ zone }) => zone);
}

/**
 * Leads that wait for their delay alone wait for the new one, longer or less, from their last message; who waits longer
 * than it for another reason, as for an absence, never comes sooner. A lead whose last step was passed over has nothing to
 * count from, and stays. `changed` is about `campaign`.
 */
export function settleDelaysStatement(
  db: Db,
  pieces: readonly DelayPiece[],
  changed: SQL,
  now: Date,
): Statement {
  const dueOf = (name: "was" | "due") => sql`coalesce(
    (p.${sql.raw(name)} ->> 'at')::timestamptz,
    date_trunc('second', s.slot_at) + (p.${sql.raw(name)} ->> 'afterMs')::float8 * interval '1 ms')`;
  const next = sql`case when l.next_action_at in (waiting.was, waiting.was + waiting.late) then waiting.due + (l.next_action_at - waiting.was) else greatest(l.next_action_at, waiting.due) end`;
  return db.execute(sql`
    with piece as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(pieces)}::jsonb)
        as p(step int, zone text, "from" timestamptz, until timestamptz, was jsonb, due jsonb)
    ), waiting as materialized (
      select l.id, ${dueOf("was")} as was, ${dueOf("due")} as due,
        -- Of a message whose acceptance was not heard the next is planned from when it was begun.
        coalesce(date_trunc('second', s.transmitting_at) - date_trunc('second', s.slot_at), interval '0') as late
      from campaigns campaign join campaign_leads l on l.campaign_id = campaign.id
      join sends s on s.campaign_id = campaign.id and s.campaign_lead_id = l.id and s.step = l.next_step - 1 and s.state in ('accepted', 'assumed_sent')
      join piece p on p.step = l.next_step and p.zone = case when l.timezone in (select zone from piece) then l.timezone else '' end
        and s.slot_at >= coalesce(p."from", '-infinity') and s.slot_at < coalesce(p.until, 'infinity')
      where ${changed} and l.status = 'active' and l.next_action_at is not null
    )
    update campaign_leads l set next_action_at = ${next}, updated_at = ${instantParam(now)}
    from waiting
    where l.id = waiting.id and l.next_action_at is not null and l.next_action_at <> ${next}`);
}
