import { sql, type SQL } from "drizzle-orm";
import { commit, type Db, type Statement } from "../client.ts";
import { addressLockStatement, beginStatement, uuidArray } from "./begin.ts";
import { claimSends } from "./claim.ts";
import { loadContexts } from "./context.ts";
import { forgetSharesStatement, lockDealingOfLanes } from "./domain-shares.ts";
import { instantParam } from "../instants.ts";
import { from, instant, integer, orNull, type Row, rowReader, text, typed } from "../rows.ts";
import {
  closeOrphansStatement,
  readStaleCampaign,
  readStaleLane,
  rollCampaignsStatement,
  rollLanesStatement,
  staleCampaignsStatement,
  staleLanesStatement,
} from "./rollover.ts";
import { outcomesStatement } from "./outcomes.ts";
import type { SendState } from "../schema/index.ts";
import type { BegunSend, RefusalReason, SendStore } from "./store.ts";
import {
  completeStatement,
  endHoldsStatement,
  overdueUnknownStatement,
  sweepStatement,
} from "./sweep.ts";

/** The engine's store on Postgres. */
export function createPostgresStore(db: Db): SendStore {
  const rowsOf = async <R extends Row>(statement: SQL) => (await db.execute<R>(statement)).rows;
  const rowsOfAll = async (first: SQL, ...more: SQL[]): Promise<Row[][]> => {
    const statements: [Statement, ...Statement[]] = [
      db.execute(first),
      ...more.map((statement) => db.execute(statement)),
    ];
    return (await commit(db, statements)).map((result) => result.rows);
  };
  return {
    async stale(now, until) {
      const [lanes, campaigns] = await rowsOfAll(
        staleLanesStatement(now, until),
        staleCampaignsStatement(now),
        closeOrphansStatement(now, until),
      );
      return { lanes: lanes!.map(readStaleLane), campaigns: campaigns!.map(readStaleCampaign) };
    },
    async roll(now, lanes, campaigns) {
      const laneIds = uuidArray(lanes.map(({ id }) => id));
      const rollLanes =
        lanes.length === 0
          ? []
          : [rollLanesStatement(now, lanes), forgetSharesStatement(now, laneIds)];
      await rowsOfAll(lockDealingOfLanes(laneIds), rollCampaignsStatement(campaigns), ...rollLanes);
    },
    async sweep(now) {
      const [rows] = await rowsOfAll(sweepStatement(now), endHoldsStatement(now));
      return rows!.map(readSwept);
    },
    async overdueUnknown(before) {
      return (await rowsOf(overdueUnknownStatement(before))).map(readUnknown);
    },
    claim: (order) => claimSends(db, order),
    load: (sendIds) => loadContexts(db, sendIds),
    async settle(now, workerToken, outcomes, begin) {
      const statements: SQL[] = [];
      // The locks come before any row: who writes a suppression holds one of them and then wants rows.
      if (begin.length > 0) statements.push(addressLockStatement(begin.map(({ id }) => id)));
      if (outcomes.length > 0) statements.push(outcomesStatement(now, workerToken, outcomes));
      if (begin.length > 0) statements.push(beginStatement(now, workerToken, begin));
      const [first, ...more] = statements;
      if (first === undefined) return [];
      const results = await rowsOfAll(first, ...more);
      return begin.length === 0 ? [] : results.at(-1)!.map(readBegun);
    },
    async complete(now, campaignIds) {
      if (campaignIds.length === 0) return [];
      const rows = await rowsOf<{ id: string }>(completeStatement(now, uuidArray(campaignIds)));
      return rows.map(({ id }) => id);
    },
    async nextWakeAt(assumeAfterMs) {
      const [row] = await rowsOf(sql`
        select least(
          (select min(next_slot_at) from sender_lanes where open and kind = 'email' and next_slot_at is not null),
          (select min(lease_until) from sends where state in ('claimed', 'transmitting')),
          (select min(hold_until) from campaign_leads where hold_until is not null),
          (select min(transmitting_at) from sends where state = 'unknown')
            + make_interval(secs => ${assumeAfterMs / 1000})) as at`);
      return readWake(row!).at;
    },
    async lastTickAt() {
      const [row] = await rowsOf(sql`select last_tick_at from engine_state where id = 1`);
      return row === undefined ? null : readState(row).lastTickAt;
    },
    async noteTick(now) {
      await rowsOf(sql`
        insert into engine_state (id, last_tick_at) values (1, ${instantParam(now)})
        on conflict (id) do update set last_tick_at = greatest(engine_state.last_tick_at, excluded.last_tick_at)
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
  timezone: text,
  nextDelayDays: orNull(integer),
});
const readWake = rowReader({ at: orNull(instant) });
const readState = rowReader({ lastTickAt: orNull(instant) });
const readVerdict = rowReader({ id: text, refusal: orNull(typed<RefusalReason>()) });

function readBegun(row: Row): BegunSend {
  const { id, refusal } = readVerdict(row);
  return refusal === null ? { id, begun: true } : { id, begun: false, reason: refusal };
}
