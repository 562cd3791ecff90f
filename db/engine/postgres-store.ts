import { sql, type SQL } from "drizzle-orm";
import { commit, type Db, type Statement } from "../base/client.ts";
import { beginRecord } from "./begin.ts";
import { claimCall, isOnlyParked, readClaimed } from "./claim.ts";
import { completeStatement, readFinish } from "./complete.ts";
import { forgetQuotasStatement, lockQuotasOfLanes } from "./domain-quotas.ts";
import { instantParam } from "../base/instants.ts";
import { nextLeft, wakeForLeft } from "./wake-few.ts";
import {
  bool,
  from,
  instant,
  integer,
  nested,
  orNull,
  type Row,
  rowReader,
  text,
  typed,
} from "../base/rows.ts";
import { uuidArray } from "../base/text-array.ts";
import {
  closeOrphansStatement,
  dueCampaignRollovers,
  dueLaneRollovers,
  readCampaignRollover,
  readLaneRollover,
  rollOverCampaignsStatement,
  rollOverLanesStatement,
} from "./rollover.ts";
import {
  dueZoneRollovers,
  forgetZonesStatement,
  readZoneRollover,
  rollOverZonesStatement,
} from "./zones.ts";
import { call } from "./function-call.ts";
import { kindArray } from "./lanes.ts";
import { operatorOfKey } from "./operator-rates.ts";
import { outcomeRecord } from "./outcome-record.ts";
import { recordAndBeginFunction } from "./record-and-begin.ts";
import { CHANNELS, type LaneKind, type SendState } from "../schema/index.ts";
import { restStatement } from "./rests.ts";
import { stepPlanColumns } from "./step-plan.ts";
import type { BegunSend, Finish, OvertakenPlan, RefusalReason, SendStore } from "./store.ts";
import {
  endHoldsStatement,
  overdueUnknownStatement,
  sweepStatement,
  unknownOfStatement,
  unknownSince,
} from "./sweep.ts";

/** So often a claim passes on from lanes without work to those behind them. */
const CLAIM_ROUNDS = 20;

/** So often a campaign is looked at that changes while it is to be completed. */
const COMPLETE_LOOKS = 5;

/** The engine's store on Postgres; it claims for lanes of these kinds. */
export function createPostgresStore(db: Db, kinds: readonly LaneKind[] = CHANNELS): SendStore {
  const rowsOf = async <R extends Row>(statement: SQL) => (await db.execute<R>(statement)).rows;
  const rowsOfAll = async (first: SQL, ...more: SQL[]): Promise<Row[][]> => {
    const statements: [Statement, ...Statement[]] = [
      db.execute(first),
      ...more.map((statement) => db.execute(statement)),
    ];
    return (await commit(db, statements)).map((result) => result.rows);
  };
  return {
    async dueRollovers(now, until) {
      const [lanes, campaigns, zones] = await rowsOfAll(
        dueLaneRollovers(now, until),
        dueCampaignRollovers(now),
        dueZoneRollovers(now),
        closeOrphansStatement(now, until),
        forgetZonesStatement(now),
      );
      return {
        lanes: lanes!.map(readLaneRollover),
        campaigns: campaigns!.map(readCampaignRollover),
        zones: zones!.map(readZoneRollover),
      };
    },
    async rollOver(now, lanes, campaigns, zones) {
      const laneIds = uuidArray(lanes.map(({ id }) => id));
      const rollLanes =
        lanes.length === 0
          ? []
          : [rollOverLanesStatement(now, lanes), forgetQuotasStatement(now, laneIds)];
      await rowsOfAll(
        lockQuotasOfLanes(laneIds),
        ...(zones.length === 0 ? [] : [rollOverZonesStatement(zones)]),
        ...rollLanes,
        rollOverCampaignsStatement(campaigns),
      );
    },
    async sweep(now) {
      const [rows] = await rowsOfAll(sweepStatement(now), endHoldsStatement(now), wakeForLeft(now));
      return rows!.map(readSwept);
    },
    async overdueUnknown(before) {
      return (await rowsOf(overdueUnknownStatement(before))).map(readUnknown);
    },
    async unknownOf(kinds, limit) {
      return (await rowsOf(unknownOfStatement(kinds, limit))).map(readLost);
    },
    async claim(order) {
      for (let round = 0; round < CLAIM_ROUNDS; round++) {
        const rows = await rowsOf(claimCall(order, kinds));
        if (!isOnlyParked(rows)) return rows.map(readClaimed);
      }
      return [];
    },
    async isolate(workerToken, sendId) {
      const rows = await rowsOf(sql`
        update sends set alone = coalesce(alone, 0) + 1
        where id = ${sendId} and worker_token = ${workerToken}::uuid and state = 'claimed' returning id`);
      return rows.length > 0;
    },
    async rest(now, lanes, reason) {
      if (lanes.length > 0) await rowsOf(restStatement(now, lanes, reason));
    },
    async recordAndBegin(now, workerToken, outcomes, begin) {
      if (outcomes.length === 0 && begin.length === 0) return [];
      const rows = await rowsOf(
        call(
          recordAndBeginFunction,
          instantParam(now),
          sql`${workerToken}::uuid`,
          sql`${JSON.stringify(outcomes.map(outcomeRecord))}::jsonb`,
          sql`${JSON.stringify(begin.map(beginRecord))}::jsonb`,
        ),
      );
      return rows.map(readBegun);
    },
    async historyOf(sendId) {
      return readHistory((await rowsOf(historyStatement(sendId)))[0] ?? NO_HISTORY);
    },
    async statesOf(workerToken, sendIds) {
      const rows = await rowsOf(sql`
        select id, state from sends where id = any(${uuidArray(sendIds)}) and worker_token = ${workerToken}::uuid`);
      return new Map(rows.map(readHeld).map(({ id, state }) => [id, state]));
    },
    async complete(now, campaignIds) {
      const finish: Finish = { completed: [], drained: [] };
      let ids = campaignIds;
      for (let look = 0; look < COMPLETE_LOOKS && ids.length > 0; look++) {
        const rows = (await rowsOf(completeStatement(now, uuidArray(ids)))).map(readFinish);
        const idsOf = (what: (typeof rows)[number]["became"]) =>
          rows.filter(({ became }) => became === what).map(({ id }) => id);
        finish.completed.push(...idsOf("completed"));
        finish.drained.push(...idsOf("drained"));
        ids = idsOf("changed");
      }
      return finish;
    },
    async nextWakeAt(assumeAfterMs) {
      const [row] = await rowsOf(sql`
        select least(
          (select min(next_slot_at) from sender_lanes where open and kind = any(${kindArray(kinds)}) and next_slot_at is not null),
          (select min(lease_until) from sends where state in ('claimed', 'transmitting')),
          (select min(hold_until) from campaign_leads where hold_until is not null),
          (${nextLeft}),
          (select min(${unknownSince}) from sends s where s.state = 'unknown')
            + make_interval(secs => ${assumeAfterMs / 1000})) as at`);
      return readWake(row!).at;
    },
    async lastTickAt() {
      const [row] = await rowsOf(sql`select last_tick_at from engine_state where id = 1`);
      return row === undefined ? null : readState(row).lastTickAt;
    },
    async recordTick(now, sendsPerSecond) {
      await rowsOf(sql`
        insert into engine_state (id, last_tick_at, sends_per_second) values (1, ${instantParam(now)}, ${sendsPerSecond}::real)
        on conflict (id) do update set last_tick_at = greatest(engine_state.last_tick_at, excluded.last_tick_at),
          sends_per_second = coalesce((excluded.sends_per_second + 2 * engine_state.sends_per_second) / 3, excluded.sends_per_second, engine_state.sends_per_second)
        returning id`);
    },
  };
}

const readSwept = rowReader({
  id: text,
  campaignId: text,
  to: from("state", typed<SendState>()),
});
const readUnknown = rowReader({
  id: text,
  campaignId: text,
  step: integer,
  transmittingAt: instant,
  ...stepPlanColumns,
});
const readLost = rowReader({
  id: text,
  campaignId: text,
  kind: typed<LaneKind>(),
  transmittingAt: instant,
});
const readHeld = rowReader({ id: text, state: typed<SendState>() });
const readWake = rowReader({ at: orNull(instant) });
const readState = rowReader({ lastTickAt: orNull(instant) });
const readVerdict = rowReader({
  id: text,
  refusal: orNull(typed<RefusalReason>()),
  plan: orNull(nested(rowReader(stepPlanColumns))),
});

function readBegun(row: Row): BegunSend | OvertakenPlan {
  const { id, refusal, plan } = readVerdict(row);
  if (plan !== null) return { id, begun: false, reason: "plan_overtaken", plan };
  return refusal === null ? { id, begun: true } : { id, begun: false, reason: refusal };
}

/** Of its sender's sends the last so many are looked at: a run of refusals that matters is among them. */
const LOOKED_AT = 50;

/**
 * What else its sender's receivers said of late, for a send that was refused. One walk back along the index of sends
 * by lane and slot; an acceptance never asks.
 */
const historyStatement = (sendId: string): SQL => sql`
  with mine as (
    select lane_id, refusals, refused_since, ${operatorOfKey(sql`email_key`)} as operator from sends where id = ${sendId}
  ), recent as materialized (
    select last.* from mine cross join lateral (
      select s.state, s.accepted_at, s.transmitting_at, s.refused_since, ${operatorOfKey(sql`s.email_key`)} as operator
      from sends s where s.lane_id = mine.lane_id order by s.slot_at desc limit ${sql.raw(String(LOOKED_AT))}
    ) last
  ), accepted as (
    select max(accepted_at) as at from recent where state = 'accepted'
  )
  select mine.refusals, coalesce(accepted.at > mine.refused_since, false) as accepted_since, (
      select count(distinct recent.operator)::int + 1 from recent
      where recent.refused_since is not null and recent.operator <> mine.operator
        and (accepted.at is null or recent.transmitting_at > accepted.at)
    ) as refused_operators
  from mine cross join accepted`;

const readHistory = rowReader({
  refusals: integer,
  refusedOperators: integer,
  acceptedSince: bool,
});

/** Of a send that is gone. */
const NO_HISTORY = { refusals: 0, refused_operators: 1, accepted_since: false };
