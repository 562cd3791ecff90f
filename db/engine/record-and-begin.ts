import { sql } from "drizzle-orm";
import { addressLocks, beginStatement, plainBeginStatement } from "./begin.ts";
import type { EngineFunction } from "./function-call.ts";
import { outcomesStatement } from "./outcomes.ts";
import { plainOutcomesStatement } from "./plain-outcomes.ts";

/**
 * Records how sends ended and begins the next ones, in one round trip. The locks
 * come first, in the order of all transactions: addresses (a transaction that writes a
 * suppression locks its address and then rows), lanes, then those of each statement.
 * Of outcomes and begins the common case is tried first; it does all that it is given or nothing.
 */
export const recordAndBeginFunction: EngineFunction = {
  name: "engine_record_and_begin_6",
  parameters: "p_now timestamptz, p_worker uuid, p_outcomes jsonb, p_begin jsonb",
  returns: "table (id uuid, refusal text)",
  declare: `v_ended uuid[] := array(select (named ->> 'id')::uuid from jsonb_array_elements(p_outcomes) named);
  v_begin uuid[] := array(select (named ->> 'id')::uuid from jsonb_array_elements(p_begin) named);
  v_count bigint;`,
  body: () => sql`
  if v_begin <> '{}' then
    ${addressLocks()};
  end if;
  perform 1 from (
    select lane.id from sender_lanes lane
    where lane.id = any(array(select s.lane_id from sends s where s.id = any(v_ended || v_begin)))
    order by lane.id for update) lanes;
  if v_ended <> '{}' then
    ${plainOutcomesStatement()};
    if v_count = 0 then
      ${outcomesStatement()};
    end if;
  end if;
  if v_begin <> '{}' then
    ${plainBeginStatement()};
    if v_count = 0 then
      return query ${beginStatement()};
    else
      return query select named, null::text from unnest(v_begin) named;
    end if;
  end if;`,
};
