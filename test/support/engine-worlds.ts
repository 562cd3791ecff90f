import type pg from "pg";
import type { Db } from "#db/base/client.ts";
import { createPostgresStore, type SendStore } from "#db/engine/index.ts";
import { createModel, type Model, type ModelData } from "#src/domain/engine/memory/index.ts";
import { type CampaignStatus, type LaneKind, STEP_HOLDS } from "#db/schema/index.ts";
import { createHash } from "node:crypto";
import { type Actions, createActions } from "../simulation/actions.ts";
import type { EngineView } from "../simulation/end-invariants.ts";
import { type SimulatedStep, stepsOfState, stepsOnPostgres } from "../simulation/steps.ts";
import { fullAt } from "#src/domain/engine/memory/operator-rates.ts";
import { takeCopy } from "../simulation/restore.ts";
import { readView, viewOfState } from "../simulation/view.ts";
import { type Acts, peopleOnPostgres } from "./engine-people.ts";
import { emptyTables } from "./empty-tables.ts";
import { ENGINE_TABLES, insertEngineRows, type Owner } from "./engine-rows.ts";

/** An engine's store with what people do beside it; in memory, or on Postgres. */
export interface World {
  store: SendStore;
  /** What a channel of the simulation knows of claimed sends. */
  load(kind: LaneKind, sendIds: string[]): Promise<SimulatedStep[]>;
  actions: Acts;
  /** Every row that the engine's verbs read or write, in one form for both. */
  rows(): Promise<EngineRows>;
  /** What the simulation's checks look at. */
  view(): Promise<EngineView>;
  statusOf(campaignId: string): Promise<CampaignStatus>;
  /** Puts the store back to how it is now; of the model alone. */
  copy?(): () => void;
  /** Leads that have not ended. */
  openLeads(): Promise<number>;
  /** Leads that are held for good, unless somebody releases them: by a person, or as suspects. */
  heldForGood(): Promise<string[]>;
}

type Fields = Record<string, string | number | boolean | null>;
export interface EngineRows {
  lanes: Record<string, Fields>;
  campaigns: Record<string, Fields>;
  /** By campaign and zone. */
  zones: Record<string, Fields>;
  leads: Record<string, Fields>;
  /** What was dealt of domains' limits, by domain, day and lane. */
  shares: Record<string, Fields>;
  /** By campaign lead and step. */
  sends: Record<string, Fields>;
  /** Of pairs that are, or were, slow, by domain and operator. */
  rates: Record<string, Fields>;
}

const IS_STEP_HOLD = `hold_reason in (${STEP_HOLDS.map((hold) => `'${hold}'`).join(", ")})`;

const isOpen = (status: string): boolean => status === "pending" || status === "active";

const iso = (at: number | Date | null): string | null =>
  at === null ? null : new Date(at).toISOString();

export const memoryWorld = (data: ModelData): World => worldOf(peopled(createModel(data)));

/** A model with people who act on it. */
export type PeopledModel = Model & { actions: Actions };
export const peopled = (model: Model): PeopledModel => ({
  ...model,
  actions: createActions(model.state),
});

/** A model, or one that was tampered with. */
export function worldOf({ store, actions, state }: PeopledModel): World {
  const promised = Object.fromEntries(
    Object.entries(actions).map(([verb, act]) => [
      verb,
      async (...args: never[]) => (act as (...args: never[]) => unknown)(...args),
    ]),
  ) as Acts;
  return {
    store,
    load: stepsOfState(state),
    actions: promised,
    view: async () => viewOfState(state),
    statusOf: async (id) => state.campaigns.get(id)!.status,
    copy: () => takeCopy(state),
    openLeads: async () =>
      [...state.campaigns.values()].reduce(
        (sum, { pendingCount, activeCount }) => sum + pendingCount + activeCount,
        0,
      ),
    heldForGood: async () =>
      [...state.leads.values()]
        .filter(
          ({ status, hold }) => isOpen(status) && hold?.waitsFor === null && hold.until === null,
        )
        .map(({ id }) => id)
        .toSorted(),
    async rows() {
      const rows: EngineRows = {
        lanes: {},
        campaigns: {},
        zones: {},
        leads: {},
        shares: {},
        sends: {},
        rates: {},
      };
      for (const lane of state.lanes.values())
        rows.lanes[lane.id] = {
          open: lane.open,
          next_slot_at: iso(lane.nextSlotAt),
          last_slot_at: iso(lane.lastSlotAt),
          last_begun_at: iso(lane.lastBegunAt),
          slot_no: lane.slotNo,
          used: lane.used,
          day_cap: lane.dayCap,
          connections_used: lane.connectionsUsed,
          connection_cap: lane.connectionCap,
          day_from: iso(lane.dayFrom),
          day_until: iso(lane.dayUntil),
          closed_until: iso(lane.closedUntil),
          closed_since: iso(lane.closedSince),
          min_interval_seconds: lane.minIntervalSeconds,
          daily_limit: lane.account === null ? lane.dailyLimit : null,
          failures: lane.failures,
          alias: lane.aliasStatus,
          last_error: lane.lastError,
          last_error_kind: lane.lastErrorKind,
        };
      for (const campaign of state.campaigns.values())
        rows.campaigns[campaign.id] = {
          status: campaign.status,
          used: campaign.used,
          used_new: campaign.usedNew,
          open_from: iso(campaign.openFrom),
          open_until: iso(campaign.openUntil),
          open_day: campaign.openDay,
        };
      for (const { campaign, zone, openFrom, openUntil } of state.zones)
        rows.zones[`${campaign.id} ${zone}`] = {
          open_from: iso(openFrom),
          open_until: iso(openUntil),
        };
      for (const lead of state.leads.values())
        rows.leads[lead.id] = {
          status: lead.status,
          current_step: lead.currentStep,
          next_step: lead.nextStep,
          next_action_at: iso(lead.nextActionAt),
          lane_id: lead.laneId,
          next_channel: lead.nextChannel,
          next_budget: lead.nextBudget,
          zone: lead.zone,
          held: lead.hold !== null,
          waits_for: lead.hold?.waitsFor ?? null,
          connected_at: iso(lead.connectedAt),
          stop_reason: lead.stopReason,
          last_error: lead.lastError,
        };
      for (const domain of state.domains.values())
        for (const [dayFrom, shares] of domain.shares)
          for (const [laneId, dealt] of shares)
            rows.shares[`${domain.id} ${iso(dayFrom)} ${laneId}`] = { dealt };
      for (const [domainId, rates] of state.rates)
        for (const [operator, rate] of rates)
          rows.rates[`${domainId} ${operator}`] = {
            per_hour: rate.perHour,
            changed_at: iso(rate.changedAt),
            next_at: iso(rate.nextAt),
            full_at: iso(fullAt(rate)),
          };
      for (const send of state.sends.values())
        rows.sends[`${send.lead.id}/${send.step}`] = {
          state: send.state,
          lane_id: send.lane.id,
          slot_at: iso(send.slotAt),
          campaign_day: send.campaignDay,
          budget: send.budget,
          is_new: send.isNew,
          lease_until: iso(send.leaseUntil),
          claims: send.claims,
          attempts: send.attempts,
          refusals: send.refusals,
          refused_since: iso(send.refusedSince),
          transmitting_at: iso(send.transmittingAt),
          accepted_at: iso(send.acceptedAt),
          message_id: send.messageId,
          reason: send.reason,
        };
      return rows;
    },
  };
}

/** The same over an empty database; what was in its engine's tables is gone. */
export async function postgresWorld(
  { db, sql, owner }: { db: Db; sql: pg.Pool; owner: Owner },
  data: ModelData,
  now: Date,
): Promise<World> {
  await emptyTables(sql, ENGINE_TABLES);
  await insertEngineRows(sql, owner, data, now);
  return {
    store: createPostgresStore(db),
    load: stepsOnPostgres(db, sql),
    actions: peopleOnPostgres({ db, sql, owner }),
    rows: () => readRows(sql),
    view: () => readView(sql),
    statusOf: async (id) =>
      (await sql.query("select status from campaigns where id = $1", [id])).rows[0].status,
    openLeads: async () =>
      (
        await sql.query(
          "select count(*)::int as n from campaign_leads where status in ('pending', 'active')",
        )
      ).rows[0].n,
    heldForGood: async () =>
      (
        await sql.query(
          `select id from campaign_leads where status in ('pending', 'active') and hold_reason is not null and hold_until is null and not ${IS_STEP_HOLD} order by id`,
        )
      ).rows.map(({ id }) => id),
  };
}

async function readRows(sql: pg.Pool): Promise<EngineRows> {
  const byId = async (statement: string): Promise<Record<string, Fields>> => {
    const { rows } = await sql.query(statement);
    return Object.fromEntries(
      rows.map(({ key, ...fields }) => [
        key as string,
        Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [
            name,
            value instanceof Date ? value.toISOString() : value,
          ]),
        ) as Fields,
      ]),
    );
  };
  return {
    lanes: await byId(
      `select lane.id as key, open, next_slot_at, last_slot_at, last_begun_at, slot_no::int, used, day_cap, connections_used, connection_cap, day_from, day_until, closed_until, closed_since, lane.min_interval_seconds, a.daily_limit, failures,
         coalesce(a.status, 'active') as alias, a.last_error, a.last_error_kind from sender_lanes lane left join mail_aliases a on a.id = lane.id`,
    ),
    campaigns: await byId(
      "select id as key, status, used, used_new, open_from, open_until, open_day::text from campaigns",
    ),
    zones: await byId(
      "select campaign_id || ' ' || zone as key, open_from, open_until from campaign_zones",
    ),
    leads: await byId(
      `select id as key, zone, status, current_step, next_step, next_action_at, alias_id as lane_id, next_channel, next_budget, hold_reason is not null as held, case when ${IS_STEP_HOLD} then hold_reason end as waits_for, connected_at, stop_reason, last_error from campaign_leads`,
    ),
    shares: await byId(
      `select domain_id || to_char(day_from at time zone 'UTC', ' YYYY-MM-DD"T"HH24:MI:SS.MS"Z" ') || lane_id as key, dealt from domain_shares`,
    ),
    sends: await byId(
      `select campaign_lead_id || '/' || step as key, state, lane_id, slot_at, campaign_day::text, budget, is_new, lease_until, claims, attempts, refusals, refused_since, transmitting_at, accepted_at, message_id, reason from sends`,
    ),
    rates: await byId(
      `select domain_id || ' ' || operator as key, per_hour, changed_at, next_at, full_at from operator_rates`,
    ),
  };
}

/** The id that the service gives to a lead within a campaign (see campaignLeadId in db/campaigns/launch.ts). */
export function campaignLeadIdOf(campaignId: string, leadId: string): string {
  const hex = createHash("md5")
    .update(campaignId + leadId)
    .digest("hex")
    .split("");
  hex[12] = "4";
  hex[16] = "8";
  return hex.join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
