import type pg from "pg";
import type { Model } from "#src/domain/engine/memory/index.ts";
import type { EngineView } from "./end-invariants.ts";

export function viewOfState(state: Model["state"]): EngineView {
  const campaigns = [...state.campaigns.values()];
  return {
    lanes: [...state.lanes.values()],
    campaigns: campaigns.map((campaign) => ({
      ...campaign,
      laneIds: campaign.senders.map(({ lane }) => lane.id),
    })),
    leads: state.leads.values(),
    sends: sendsOf(state),
    holdUntil: state.holds[0]?.key ?? null,
    waiting: campaigns.flatMap(({ id, fresh, followUps }) => [
      ...(fresh[0] === undefined ? [] : [{ campaignId: id, laneId: null, dueAt: fresh[0].key }]),
      ...[...followUps].flatMap(([laneId, leads]) =>
        leads[0] === undefined ? [] : [{ campaignId: id, laneId, dueAt: leads[0].key }],
      ),
    ]),
  };
}

function* sendsOf(
  state: Model["state"],
): Iterable<EngineView["sends"] extends Iterable<infer S> ? S : never> {
  for (const { lead, campaignId, step, state: of, campaignDay } of state.sends.values())
    yield { leadId: lead.id, campaignId, step, state: of, campaignDay };
}

export async function readView(sql: pg.Pool): Promise<EngineView> {
  const rowsOf = async (statement: string) => (await sql.query(statement)).rows;
  const ms = (name: string, as: string) =>
    `(extract(epoch from ${name}) * 1000)::float8 as "${as}"`;
  return {
    lanes: await rowsOf(
      `select lane.id, open, ${ms("next_slot_at", "nextSlotAt")}, ${ms("last_slot_at", "lastSlotAt")}, ${ms("day_until", "dayUntil")},
         ${ms("closed_until", "closedUntil")}, lane.min_interval_seconds as "minIntervalSeconds", used, day_cap as "dayCap", ${ms("day_from", "dayFrom")}, a.status as "aliasStatus"
       from sender_lanes lane join mail_aliases a on a.id = lane.id`,
    ),
    campaigns: await rowsOf(
      `select id, status, used, daily_limit as "dailyLimit", used_new as "usedNew", max_new_leads_per_day as "maxNewLeadsPerDay", open_day::text as "openDay", ${ms("open_from", "openFrom")}, ${ms("open_until", "openUntil")},
         min_interval_seconds as "minIntervalSeconds",
         array(select lane_id::text from campaign_senders cs where cs.campaign_id = c.id) as "laneIds" from campaigns c`,
    ),
    leads: await rowsOf("select id, status from campaign_leads"),
    sends: await rowsOf(
      `select campaign_lead_id as "leadId", campaign_id as "campaignId", step, state, campaign_day::text as "campaignDay" from sends`,
    ),
    holdUntil: (
      await rowsOf(
        `select ${ms("min(hold_until)", "at")} from campaign_leads where hold_until is not null`,
      )
    )[0].at,
    waiting: await rowsOf(
      `select campaign_id as "campaignId", case when status = 'active' then alias_id end as "laneId", ${ms("min(next_action_at)", "dueAt")}
       from campaign_leads where status in ('pending', 'active') and next_action_at is not null and hold_reason is null group by 1, 2`,
    ),
  };
}
