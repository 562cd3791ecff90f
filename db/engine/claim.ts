import { type SQL, sql } from "drizzle-orm";
import { instantParam } from "../base/instants.ts";
import { instant, integer, type Row, rowReader, text, typed } from "../base/rows.ts";
import { call, type EngineFunction } from "./function-call.ts";
import type { LaneKind } from "../schema/index.ts";
import type { ClaimOrder } from "./store.ts";
import { choice } from "./claim-choice.ts";
import { mailChoice } from "./claim-mail.ts";
import { parkStatement } from "./claim-park.ts";
import { firstTurns, LOOKED_AT, turns } from "./claim-turns.ts";
import { takeAndNote } from "./claim-writes.ts";
import { kindArray } from "./lanes.ts";
import { anySlow, barsOfLanes } from "./operator-rates.ts";

/**
 * The claim. Its cost depends on what it takes, never on the number of leads or of campaigns. A function in the
 * database (functions.ts), because each of its statements sees what was committed before it began. In rounds: whose
 * turn it is, the locks of those campaigns, the choice once more under them. So no claim chooses by what was true before
 * it had the lock, and what was lost to another lane or claim is dealt again, until no lane got anything.
 * Lanes that got a row advance; the others are parked until they can have work, or idle lanes at the head of the
 * index would starve those behind them.
 *
 * A campaign that another transaction holds is passed over, and its lanes stay due: a claim that waited while it holds
 * others would let all claims of those wait with it. Only one that has nothing else, and holds no campaign, waits.
 */
export const claimFunction: EngineFunction = {
  name: "engine_claim_7",
  parameters:
    "p_now timestamptz, p_until timestamptz, p_limit int, p_lease_seconds int, p_worker uuid, p_kinds text[]",
  returns:
    "table (id uuid, campaign_id uuid, campaign_lead_id uuid, lane_id uuid, step int, slot_at timestamptz, begins_at timestamptz, claims int, kind text)",
  declare: `v_lanes uuid[]; v_slots timestamptz[]; v_left uuid[]; v_depth int := 1; v_turn record; v_asking uuid[]; v_turn_lanes uuid[]; v_turn_campaigns uuid[];
  v_campaigns uuid[]; v_busy uuid[] := '{}'; v_is_other boolean; v_holds boolean := false; v_count int; v_claimed int := 0;
  v_bar_lanes uuid[] := '{}'; v_bar_operators text[] := '{}'; v_bar_until timestamptz[] := '{}';`,
  body: () => sql`
  select array_agg(l.id), array_agg(l.next_slot_at) into v_lanes, v_slots from (${dueLanes()}) l;
  if v_lanes is null then
    return;
  end if;
  if ${anySlow(sql`p_now`)} then
    ${barsOfLanes(sql`p_now`)};
  end if;
  v_left := v_lanes;
  for v_round in 1..p_limit + 2 loop
    v_asking := '{}'; v_turn_lanes := '{}'; v_turn_campaigns := '{}'; v_is_other := false;
    if v_round = 1 then
      select coalesce(array_agg(t.lane_id) filter (where t.campaign_id is not null), '{}'), coalesce(array_agg(t.campaign_id) filter (where t.campaign_id is not null), '{}'),
             coalesce(array_agg(t.lane_id) filter (where t.is_left), '{}'), coalesce(bool_or(t.is_other) filter (where t.campaign_id is not null), false)
      into v_turn_lanes, v_turn_campaigns, v_left, v_is_other from (${firstTurns}) t;
      v_asking := v_turn_lanes;
    end if;
    if v_left <> '{}' then
      for v_turn in ${turns} loop
        if v_turn.place = 1 then
          v_asking := v_asking || v_turn.lane_id;
        end if;
        continue when v_turn.lane_id = any(v_turn_lanes) or cardinality(array_positions(v_turn_campaigns, v_turn.campaign_id)) >= v_turn.room;
        v_turn_lanes := v_turn_lanes || v_turn.lane_id;
        v_turn_campaigns := v_turn_campaigns || v_turn.campaign_id;
        v_is_other := v_is_other or v_turn.is_other;
      end loop;
    end if;
    exit when v_turn_lanes = '{}';
    v_campaigns := array(${theirCampaigns()});
    if v_campaigns = '{}' and not v_holds then
      perform from campaigns c where c.id = v_turn_campaigns[1] for update;
      v_holds := true;
      v_left := v_asking;
      continue;
    end if;
    v_holds := true;
    v_busy := v_busy || array(select turn.lane_id from unnest(v_turn_lanes, v_turn_campaigns) turn(lane_id, campaign_id) where turn.campaign_id <> all(v_campaigns));
    if v_is_other then
      return query with ${choice}, ${takeAndNote};
    else
      return query with ${mailChoice}, ${takeAndNote};
    end if;
    get diagnostics v_count = row_count;
    v_claimed := v_claimed + v_count;
    exit when v_count = cardinality(v_asking);
    v_left := array(
      select lane.id from unnest(v_lanes, v_slots) locked(lane_id, slot) join sender_lanes lane on lane.id = locked.lane_id and lane.next_slot_at = locked.slot
      where locked.lane_id = any(v_asking) and locked.lane_id <> all(v_busy));
    exit when v_left = '{}';
    v_depth := least(cardinality(v_left), ${sql.raw(String(LOOKED_AT))});
  end loop;
  if v_claimed + cardinality(v_busy) < cardinality(v_lanes) then
    ${parkStatement()};
  end if;
  if v_claimed = 0 then
    return query select null::uuid, null::uuid, null::uuid, null::uuid, null::int, null::timestamptz, null::timestamptz, null::int, null::text;
  end if;`,
};

/** What comes first begins first, whichever round brought it. */
export const claimCall = (order: ClaimOrder, kinds: readonly LaneKind[]): SQL =>
  sql`${call(
    claimFunction,
    instantParam(order.now),
    instantParam(order.until),
    sql`${order.limit}::int`,
    sql`${order.leaseSeconds}::int`,
    sql`${order.workerToken}::uuid`,
    kindArray(kinds),
  )} order by begins_at, slot_at, lane_id`;

/**
 * At most `p_limit` due lanes, earliest slot first; a lane that another transaction holds is busy and is passed over, and
 * so is one that is not on its day: it waits for its rollover (rollover.ts).
 */
function dueLanes(): SQL {
  // oxlint-disable-next-line claims/locked-limit -- it stands alone in its FROM, so it is run once
  return sql`
    select lane.id, lane.next_slot_at, lane.kind from sender_lanes lane
    where lane.open and lane.kind = any(p_kinds) and lane.next_slot_at <= p_until
      and lane.day_until > lane.next_slot_at and lane.day_until > p_now
    order by lane.next_slot_at limit p_limit for update skip locked`;
}

/** The campaigns whose turn it is, but those that another transaction holds. Never waits. */
function theirCampaigns(): SQL {
  return sql`
    select c.id from campaigns c where c.id = any(v_turn_campaigns) order by c.id for update skip locked`;
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
