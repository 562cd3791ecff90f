import { type SQL, sql } from "drizzle-orm";
import { canTake } from "../base/fragments/transitions.ts";
import { instantParam } from "../base/instants.ts";
import { instant, integer, type Row, rowReader, text, typed } from "../base/rows.ts";
import { call, type EngineFunction } from "./function-call.ts";
import type { LaneKind } from "../schema/index.ts";
import type { ClaimOrder } from "./store.ts";
import { choice } from "./claim-choice.ts";
import { mailChoice } from "./claim-mail.ts";
import { parkStatement } from "./claim-park.ts";
import { takeAndNote } from "./claim-writes.ts";
import { kindArray } from "./lanes.ts";

/**
 * The claim. Its cost depends on the number of lanes it takes, never on the
 * number of leads. A function in the database (functions.ts), because each of its
 * statements sees what was committed before it began: first the locks, in one
 * order, then the choice. So a claim that waited for another chooses by what that
 * one committed. Lanes that got a row advance; the rest are parked until they can
 * have work, or idle lanes at the head of the index would starve all lanes behind.
 */
export const claimFunction: EngineFunction = {
  name: "engine_claim_4",
  parameters:
    "p_now timestamptz, p_until timestamptz, p_limit int, p_lease_seconds int, p_worker uuid, p_kinds text[]",
  returns:
    "table (id uuid, campaign_id uuid, campaign_lead_id uuid, lane_id uuid, step int, slot_at timestamptz, begins_at timestamptz, claims int, kind text)",
  declare:
    "v_lanes uuid[]; v_slots timestamptz[]; v_campaigns uuid[]; v_is_mail boolean; v_claimed int;",
  // Lanes once and campaigns once, each in its order: two claims never wait for each other.
  body: () => sql`
  select array_agg(l.id), array_agg(l.next_slot_at), bool_and(l.kind = 'email') into v_lanes, v_slots, v_is_mail from (${dueLanes()}) l;
  if v_lanes is null then
    return;
  end if;
  select array_agg(c.id), v_is_mail and not coalesce(bool_or(c.type = 'mixed' or c.use_lead_timezone), false) into v_campaigns, v_is_mail from (${theirCampaigns()}) c;
  if v_is_mail then
    return query with ${mailChoice}, ${takeAndNote};
  else
    return query with ${choice}, ${takeAndNote};
  end if;
  get diagnostics v_claimed = row_count;
  if v_claimed < cardinality(v_lanes) then
    ${parkStatement()};
  end if;
  if v_claimed = 0 then
    return query select null::uuid, null::uuid, null::uuid, null::uuid, null::int, null::timestamptz, null::timestamptz, null::int, null::text;
  end if;`,
};

export const claimCall = (order: ClaimOrder, kinds: readonly LaneKind[]): SQL =>
  call(
    claimFunction,
    instantParam(order.now),
    instantParam(order.until),
    sql`${order.limit}::int`,
    sql`${order.leaseSeconds}::int`,
    sql`${order.workerToken}::uuid`,
    kindArray(kinds),
  );

/** At most `p_limit` due lanes, earliest slot first; a lane that another transaction holds is busy and is passed over. */
function dueLanes(): SQL {
  // oxlint-disable-next-line claims/locked-limit -- it stands alone in its FROM, so it is run once
  return sql`
    select lane.id, lane.next_slot_at, lane.kind from sender_lanes lane
    where lane.open and lane.kind = any(p_kinds) and lane.next_slot_at <= p_until
    order by lane.next_slot_at limit p_limit for update skip locked`;
}

/** Row locks that wait (no skip): what a campaign has left of its day is exact, and no lane is passed over because another claim holds its campaign. */
function theirCampaigns(): SQL {
  return sql`
    select c.id, c.type, c.use_lead_timezone from campaigns c
    where c.id in (select cs.campaign_id from campaign_senders cs where cs.lane_id = any(v_lanes)) and c.${canTake("complete")} and c.deleted_at is null
    order by c.id for update`;
}

/** A single row without an id: the claim parked all lanes that it looked at, and the lanes behind them are still to be claimed. */
export const isOnlyParked = ([first]: Row[]): boolean => first?.["id"] === null;

export const readClaimed = rowReader({
  id: text,
  campaignId: text,
  campaignLeadId: text,
  laneId: text,
  step: integer,
  slotAt: instant,
  beginsAt: instant,
  claims: integer,
  kind: typed<LaneKind>(),
});
