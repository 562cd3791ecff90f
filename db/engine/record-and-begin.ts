import { sql } from "drizzle-orm";
import { addressLocks, beginStatement } from "./begin.ts";
import type { EngineFunction } from "./function-call.ts";
import { outcomesStatement } from "./outcomes.ts";

/**
 * Records how sends ended and begins the next ones, in one round trip. The locks
 * come first, in the order that all keep: addresses (who writes a suppression
 * holds one of them and then wants rows), lanes, then what each statement takes.
 */
export const recordAndBeginFunction: EngineFunction = {
  name: "engine_record_and_begin_5",
  parameters: "p_now timestamptz, p_worker uuid, p_outcomes jsonb, p_begin jsonb",
  returns: "table (id uuid, refusal text)",
  declare: "v_count bigint;",
  body: () => sql`
  if p_begin <> '[]' then
    ${addressLocks()};
  end if;
  perform 1 from (
    select lane.id from sender_lanes lane where lane.id = any(array(
      select s.lane_id from sends s
      where s.id = any(array(select (named ->> 'id')::uuid from jsonb_array_elements(p_outcomes || p_begin) named))))
    order by lane.id for update) lanes;
  if p_outcomes <> '[]' then
    ${outcomesStatement()};
  end if;
  if p_begin <> '[]' then
    return query ${beginStatement()};
  end if;`,
};
