import type pg from "pg";
import type { Db } from "#db/client.ts";
import { changeCampaign } from "#db/campaigns/change.ts";
import { addCampaignLeads } from "#db/campaigns/leads.ts";
import { moveCampaign, moveToRunning } from "#db/campaigns/state.ts";
import { createPostgresStore, type SendStore, wakeLanesStatement } from "#db/engine.ts";
import { createSuppression } from "#db/suppressions.ts";
import { createModel, type Model, type ModelData } from "#src/domain/engine/memory/index.ts";
import { windowColumns } from "#src/domain/engine/window-columns.ts";
import type { CampaignStatus } from "#db/schema/index.ts";
import { createHash, randomUUID } from "node:crypto";
import { type Actions, createActions } from "../simulation/actions.ts";
import type { EngineView } from "../simulation/end-invariants.ts";
import { readView, viewOfState } from "../simulation/view.ts";
import { clearEngineRows, insertEngineRows, insertLeadRows, type Owner } from "./engine-rows.ts";

/** An engine's store with what people do beside it; in memory, or on Postgres. */
export interface World {
  store: SendStore;
  actions: { [verb in keyof Actions]: (...args: Parameters<Actions[verb]>) => Promise<void> };
  /** Every row that the engine's verbs read or write, in one form for both. */
  rows(): Promise<EngineRows>;
  /** What the simulation's checks look at. */
  view(): Promise<EngineView>;
  statusOf(campaignId: string): Promise<CampaignStatus>;
  /** Leads that have not ended. */
  openLeads(): Promise<number>;
}

type Fields = Record<string, string | number | boolean | null>;
export interface EngineRows {
  lanes: Record<string, Fields>;
  campaigns: Record<string, Fields>;
  leads: Record<string, Fields>;
  /** What was dealt of domains' limits, by domain, day and lane. */
  shares: Record<string, Fields>;
  /** By campaign lead and step. */
  sends: Record<string, Fields>;
}

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
      async (...args: never[]) => (act as (...args: never[]) => void)(...args),
    ]),
  ) as World["actions"];
  return {
    store,
    actions: promised,
    view: async () => viewOfState(state),
    statusOf: async (id) => state.campaigns.get(id)!.status,
    openLeads: async () =>
      [...state.campaigns.values()].reduce(
        (sum, { pendingCount, activeCount }) => sum + pendingCount + activeCount,
        0,
      ),
    async rows() {
      const rows: EngineRows = { lanes: {}, campaigns: {}, leads: {}, shares: {}, sends: {} };
      for (const lane of state.lanes.values())
        rows.lanes[lane.id] = {
          open: lane.open,
          next_slot_at: iso(lane.nextSlotAt),
          last_slot_at: iso(lane.lastSlotAt),
          last_begun_at: iso(lane.lastBegunAt),
          slot_no: lane.slotNo,
          used: lane.used,
          day_cap: lane.dayCap,
          day_from: iso(lane.dayFrom),
          day_until: iso(lane.dayUntil),
          closed_until: iso(lane.closedUntil),
          failures: lane.failures,
          alias: lane.aliasStatus,
          last_error: lane.lastError,
        };
      for (const campaign of state.campaigns.values())
        rows.campaigns[campaign.id] = {
          status: campaign.status,
          used: campaign.used,
          used_new: campaign.usedNew,
          open_from: iso(campaign.openFrom),
          open_until: iso(campaign.openUntil),
        };
      for (const lead of state.leads.values())
        rows.leads[lead.id] = {
          status: lead.status,
          current_step: lead.currentStep,
          next_step: lead.nextStep,
          next_action_at: iso(lead.nextActionAt),
          lane_id: lead.laneId,
          held: lead.hold !== null,
          stop_reason: lead.stopReason,
          last_error: lead.lastError,
        };
      for (const domain of state.domains.values())
        for (const [dayFrom, shares] of domain.shares)
          for (const [laneId, dealt] of shares)
            rows.shares[`${domain.id} ${iso(dayFrom)} ${laneId}`] = { dealt };
      for (const send of state.sends.values())
        rows.sends[`${send.lead.id}/${send.step}`] = {
          state: send.state,
          lane_id: send.lane.id,
          slot_at: iso(send.slotAt),
          campaign_day: send.campaignDay,
          is_new: send.isNew,
          lease_until: iso(send.leaseUntil),
          claims: send.claims,
          attempts: send.attempts,
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
  const { workspaceId } = owner;
  await clearEngineRows(sql);
  await insertEngineRows(sql, owner, data, now);
  const campaignOf = async (id: string) =>
    (await db.query.campaigns.findFirst({ where: (row, { eq }) => eq(row.id, id) }))!;
  const endLeads = (condition: string, status: string, value: string) =>
    sql.query(
      `update campaign_leads set status = $1, stop_reason = $1, next_step = null, next_action_at = null
       where ${condition} = $2 and workspace_id = $3 and status in ('pending', 'active')`,
      [status, value, workspaceId],
    );
  let lastNow = now;
  return {
    store: createPostgresStore(db),
    actions: {
      async pause(id) {
        const campaign = await campaignOf(id);
        if (campaign.status !== "active" && campaign.status !== "draining") return;
        const set = { pausedReason: "user_requested" as const, pausedFrom: campaign.status };
        await moveCampaign(db, { campaign, trigger: "pause", set, now: lastNow });
      },
      async resume(id, at) {
        lastNow = at;
        const campaign = await campaignOf(id);
        const { status, pausedFrom } = campaign;
        if (status !== "paused" && status !== "draining") return;
        const isDraining = status === "paused" && pausedFrom === "draining";
        const trigger = isDraining ? "resume_draining" : "resume";
        const set = { pausedReason: null, pausedFrom: null, ...windowColumns(campaign, at) };
        await moveToRunning(db, { campaign, trigger, set, now: at });
      },
      async drain(id) {
        await sql.query(
          "update campaigns set status = 'draining' where id = $1 and status = 'active'",
          [id],
        );
      },
      async endLead(id, status) {
        await endLeads("id::text", status, id);
      },
      async suppress(emailKey, reason) {
        const ownedBy = { ...owner, id: randomUUID(), now: lastNow };
        const valueHash = createHash("sha256").update(emailKey).digest("hex");
        const content = { value: emailKey, valueHash, kind: "email" as const, reason };
        await createSuppression(db, ownedBy, { ...content, expiresAt: null });
        await endLeads("email_key", ENDED_BY[reason], emailKey);
      },
      async hold(id, until) {
        await sql.query(
          "update campaign_leads set hold_reason = 'user', hold_until = $2 where id = $1",
          [id, until],
        );
      },
      async release(id, at) {
        const { rows } = await sql.query(
          "update campaign_leads set hold_reason = null, hold_until = null where id = $1 returning campaign_id",
          [id],
        );
        await wakeLanesStatement(db, { campaignId: rows[0].campaign_id, now: at });
      },
      async addLeads(id, at, piece, leads) {
        await insertLeadRows(sql, owner, leads, at);
        await addCampaignLeads(db, {
          campaign: { id, workspaceId },
          leadIds: leads.map(({ leadId }) => leadId),
          firstActionAt: leads[0]?.nextActionAt ?? at,
          window: piece,
          now: at,
        });
      },
      async edit(id, at, change) {
        const before = await campaignOf(id);
        await changeCampaign(db, { before, set: change, unsentSteps: [], now: at });
      },
      async setSenderOpen(id, at, open) {
        await sql.query("update mail_aliases set status = $2 where id = $1", [
          id,
          open ? "active" : "paused",
        ]);
        await sql.query(
          open
            ? `update sender_lanes set open = true, closed_since = null, closed_until = null, failures = 0,
                 next_slot_at = least(next_slot_at, greatest($2, last_slot_at + make_interval(secs => coalesce(min_interval_seconds, 60) + greatest(1, coalesce(min_interval_seconds, 60) * lane_jitter(id, slot_no))))) where id = $1`
            : "update sender_lanes set open = false, next_slot_at = null, closed_since = coalesce(closed_since, $2) where id = $1",
          [id, at],
        );
      },
    },
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
  };
}

const ENDED_BY = {
  unsubscribe: "unsubscribed",
  complaint: "complained",
  hard_bounce: "bounced",
  manual: "stopped",
};

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
      `select lane.id as key, open, next_slot_at, last_slot_at, last_begun_at, slot_no::int, used, day_cap, day_from, day_until, closed_until, failures,
         a.status as alias, a.last_error from sender_lanes lane join mail_aliases a on a.id = lane.id`,
    ),
    campaigns: await byId(
      "select id as key, status, used, used_new, open_from, open_until from campaigns",
    ),
    leads: await byId(
      "select id as key, status, current_step, next_step, next_action_at, alias_id as lane_id, hold_reason is not null as held, stop_reason, last_error from campaign_leads",
    ),
    shares: await byId(
      `select domain_id || to_char(day_from at time zone 'UTC', ' YYYY-MM-DD"T"HH24:MI:SS.MS"Z" ') || lane_id as key, dealt from domain_shares`,
    ),
    sends: await byId(
      `select campaign_lead_id || '/' || step as key, state, lane_id, slot_at, campaign_day::text, is_new, lease_until, claims, attempts, transmitting_at, accepted_at, message_id, reason from sends`,
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
