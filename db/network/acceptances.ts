import { sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "../base/client.ts";
import { wakeLanesFor } from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { instant, integer, orNull, rowReader, text } from "../base/rows.ts";
import { ACCEPTANCE_HOLD } from "../schema/index.ts";

const awaiting = sql.raw(`'${ACCEPTANCE_HOLD}'`);

/** A person who is connected with an account now. */
export interface AcceptedPerson {
  personId: string;
  publicIdentifier: string | null;
  at: Date;
}

/** Leads that learnt it, and how many of them had waited for it. */
export type Acceptance = ReturnType<typeof readAcceptance>;
const readAcceptance = rowReader({ connected: integer, freed: integer });

/**
 * Marks the account's leads that are connected now, of campaigns that it is a sender of, and ends their hold: their next
 * step is due, and its senders are woken. The mark stands in the lead's row, so that a step recorded after it is not
 * held. Safe to repeat; the first time counts.
 */
export async function connectLeads(
  db: Db,
  accountId: string,
  accepted: readonly AcceptedPerson[],
  now: Date,
): Promise<Acceptance> {
  const at = instantParam(now);
  const people = accepted.map((person) => ({
    person_id: person.personId,
    slug: person.publicIdentifier?.toLowerCase() ?? null,
    at: person.at,
  }));
  const [, { rows }] = await commit(db, [
    lockLaneStatement(db, accountId),
    db.execute(sql`
      with accepted as (
        select * from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as a(person_id text, slug text, at timestamptz)
      ), known as (
        select l.id, a.at from accepted a join sender_lanes own on own.id = ${accountId}
        join campaign_leads l on l.workspace_id = own.workspace_id and l.person_id = a.person_id
        join campaign_senders cs on cs.campaign_id = l.campaign_id and cs.lane_id = own.id
        union all
        select l.id, a.at from campaign_leads l
        join accepted a on right(lower(rtrim(l.profile_url, '/')), length(a.slug) + 1) = '/' || a.slug
        where l.alias_id = ${accountId} and l.hold_reason = ${awaiting}
      ), lead as materialized (
        select l.id, l.hold_reason, known.at from campaign_leads l
        join (select id, min(at) as at from known group by id) known on known.id = l.id
        where l.connected_at is null order by l.id for update of l
      ), connected as (
        update campaign_leads l
        set connected_at = lead.at, updated_at = ${at},
            hold_reason = nullif(l.hold_reason, ${awaiting}),
            hold_until = case when l.hold_reason = ${awaiting} then null else l.hold_until end
        from lead where l.id = lead.id
        returning l.campaign_id, l.alias_id, lead.hold_reason
      ), freed as (
        select campaign_id, alias_id from connected where hold_reason = ${awaiting}
      ), woken as (${wakeLanesFor(sql`freed`, at)})
      select (select count(*) from connected) as connected, (select count(*) from freed) as freed`),
  ]);
  return readAcceptance(rows[0]!);
}

/** Lanes come first in the order of locks. */
const lockLaneStatement = (db: Db, laneId: string): Statement =>
  db.execute(sql`select lane.id from sender_lanes lane where lane.id = ${laneId} for update`);

export type WaitingPerson = ReturnType<typeof readWaiting>;
const readWaiting = rowReader({
  personId: orNull(text),
  publicIdentifier: orNull(text),
  askedAt: instant,
});

/** People with an open invitation of the account, for whose leads a step waits. */
export async function waitingPeople(db: Db, accountId: string): Promise<WaitingPerson[]> {
  const { rows } = await db.execute(sql`
    select l.person_id, lower(substring(rtrim(l.profile_url, '/') from '[^/]+$')) as public_identifier,
           coalesce(min(s.transmitting_at), l.updated_at) as asked_at
    from campaign_leads l left join sends s on s.campaign_lead_id = l.id and s.lane_id = l.alias_id
    where l.alias_id = ${accountId} and l.hold_reason = ${awaiting} and l.connected_at is null
    group by l.id`);
  return rows.map(readWaiting);
}
