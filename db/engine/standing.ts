import { type SQL, sql } from "drizzle-orm";
import { bool, integer, rowReader } from "../base/rows.ts";
import { domainOfKey } from "../schema/index.ts";

/** Of its sender's sends the last so many are looked at: a run of refusals that matters is among them. */
const LOOKED_AT = 50;

/**
 * What else its sender's receivers said of late, for a send that was refused. One walk back along the index of sends
 * by lane and slot; an acceptance never asks.
 */
export const standingStatement = (sendId: string): SQL => sql`
  with mine as (
    select lane_id, refusals, refused_since, ${domainOfKey(sql`email_key`)} as domain from sends where id = ${sendId}
  ), recent as materialized (
    select last.* from mine cross join lateral (
      select s.state, s.accepted_at, s.transmitting_at, s.refused_since, ${domainOfKey(sql`s.email_key`)} as domain
      from sends s where s.lane_id = mine.lane_id order by s.slot_at desc limit ${sql.raw(String(LOOKED_AT))}
    ) last
  ), accepted as (
    select max(accepted_at) as at from recent where state = 'accepted'
  )
  select mine.refusals, coalesce(accepted.at > mine.refused_since, false) as accepted_since, (
      select count(distinct recent.domain)::int + 1 from recent
      where recent.refused_since is not null and recent.domain <> mine.domain
        and (accepted.at is null or recent.transmitting_at > accepted.at)
    ) as refused_domains
  from mine cross join accepted`;

export const readStanding = rowReader({
  refusals: integer,
  refusedDomains: integer,
  acceptedSince: bool,
});

/** Of a send that is gone. */
export const NO_STANDING = { refusals: 0, refused_domains: 1, accepted_since: false };
