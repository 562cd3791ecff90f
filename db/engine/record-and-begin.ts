import { type SQL, sql } from "drizzle-orm";
import { addressLocks, beginStatement, plainBeginStatement } from "./begin.ts";
import type { EngineFunction } from "./function-call.ts";
import { anySlow, lockPairs, pacedBegins } from "./operator-rates.ts";
import { outcomesStatement } from "./outcomes.ts";
import { plainOutcomesStatement } from "./plain-outcomes.ts";
import { stepPlan } from "./step-plan.ts";

/**
 * Records how sends ended and begins the next ones, in one round trip. The locks
 * come first, in the order of all transactions: addresses (a transaction that writes a
 * suppression locks its address and then rows), lanes, their slow pairs, then those of each statement.
 * Of outcomes and begins the common case is tried first; it does all that it is given or nothing.
 *
 * A next step is planned where time zones are known, ahead of this. A change of a campaign locks the lanes too, so
 * that its version cannot move between this look at it and the commit: what was planned by another one is answered
 * with the plan of now instead of being recorded.
 */
export const recordAndBeginFunction: EngineFunction = {
  name: "engine_record_and_begin_15",
  parameters: "p_now timestamptz, p_worker uuid, p_outcomes jsonb, p_begin jsonb",
  returns: "table (id uuid, refusal text, plan jsonb)",
  declare: `v_ended uuid[] := array(select (named ->> 'id')::uuid from jsonb_array_elements(p_outcomes) named);
  v_begin uuid[] := array(select (named ->> 'id')::uuid from jsonb_array_elements(p_begin) named);
  v_overtaken uuid[] := '{}';
  v_pace_sends uuid[] := '{}'; v_pace_domains uuid[] := '{}'; v_pace_operators text[] := '{}'; v_pace_until timestamptz[] := '{}';
  v_count bigint;`,
  body: () => sql`
  if v_begin <> '{}' then
    ${addressLocks()};
  end if;
  perform 1 from (
    select lane.id from sender_lanes lane
    where lane.id = any(array(select s.lane_id from sends s where s.id = any(v_ended || v_begin)))
    order by lane.id for update) lanes;
  if ${anySlow(sql`p_now`)} then
    ${lockPairs(sql`p_now`)};
  end if;
  if v_ended <> '{}' then
    ${plainOutcomesStatement()};
    if v_count = 0 then
      ${lockEnded};
      v_overtaken := ${overtaken};
      ${outcomesStatement()};
      return query ${plansOfNow};
    end if;
  end if;
  if v_begin <> '{}' then
    if ${anySlow(sql`p_now`)} then
      ${pacedBegins(sql`p_now`)};
    end if;
    v_count := 0;
    if v_pace_sends = '{}' then
      ${plainBeginStatement()};
    end if;
    if v_count = 0 then
      return query ${beginStatement()};
    else
      return query select named, null::text, null::jsonb from unnest(v_begin) named;
    end if;
  end if;`,
};

/** A statement of its own: what follows sees what an erasure committed that one of them had to wait for. */
const lockEnded: SQL = sql`perform 1 from sends s where s.id = any(v_ended) order by s.id for update`;

/** A plan of a lead that is gone is recorded as it is: there is none to plan anew. */
const overtaken: SQL = sql`array(
        select o.id from jsonb_to_recordset(p_outcomes) as o(id uuid, config_version int)
        join sends s on s.id = any(v_ended) and s.id = o.id
        where o.config_version <> (select c.config_version from campaigns c where c.id = s.campaign_id)
          and (select true from campaign_leads l where l.id = s.campaign_lead_id))`;

const ofOvertaken = (id: SQL): SQL =>
  sql`any(array(select ${id} from sends s where s.id = any(v_overtaken)))`;

const plansOfNow: SQL = sql`
        select s.id, 'plan_overtaken', (select to_jsonb(step_after) from (select ${stepPlan(sql`s.step`)}) step_after)
        from sends s
        join campaigns c on c.id = ${ofOvertaken(sql`s.campaign_id`)} and c.id = s.campaign_id
        join campaign_leads l on l.id = ${ofOvertaken(sql`s.campaign_lead_id`)} and l.id = s.campaign_lead_id
        where s.id = any(v_overtaken)`;
