import type pg from "pg";
import type { Model } from "#src/domain/engine/memory/index.ts";
import { CHANNELS } from "#db/schema/index.ts";
import type { Campaign, LeadQueues } from "#src/domain/engine/memory/rows.ts";
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
    sends: { [Symbol.iterator]: () => sendsOf(state) },
    holdUntil: state.holds[0]?.key ?? null,
    waiting: campaigns.flatMap((campaign) => {
      const { steps, fresh, followUps, pools } = campaign;
      return [
        ...waitingIn(campaign, fresh, { laneId: null, kind: steps[0]!.channel, isNew: true }),
        ...[...followUps].flatMap(([laneId, leads]) =>
          waitingIn(campaign, leads, { laneId, kind: null, isNew: false }),
        ),
        ...CHANNELS.flatMap((kind) =>
          waitingIn(campaign, pools[kind], { laneId: null, kind, isNew: false }),
        ),
      ];
    }),
  };
}

const waitingIn = (
  { id: campaignId, zones }: Campaign,
  queues: LeadQueues,
  of: Omit<EngineView["waiting"][number], "campaignId" | "budget" | "dueAt">,
): EngineView["waiting"] =>
  [...queues.values()].flatMap(([first]) => {
    if (first === undefined) return [];
    const opensAt = zones.get(first.zone)?.openFrom ?? -Infinity;
    const dueAt = Math.max(first.key, opensAt);
    return [{ campaignId, budget: first.nextBudget, dueAt, ...of }];
  });

function* sendsOf(
  state: Model["state"],
): Iterator<EngineView["sends"] extends Iterable<infer S> ? S : never> {
  for (const send of state.sends.values()) {
    const { lead, lane, campaignId, step, state: of, campaignDay, laneDayUntil, budget } = send;
    const ids = { leadId: lead.id, laneId: lane.id, campaignId };
    yield { ...ids, step, state: of, campaignDay, laneDayUntil, budget };
  }
}

export async function readView(sql: pg.Pool): Promise<EngineView> {
  const rowsOf = async (statement: string) => (await sql.query(statement)).rows;
  const ms = (name: string, as: string) =>
    `(extract(epoch from ${name}) * 1000)::float8 as "${as}"`;
  return {
    lanes: await rowsOf(
      `select lane.id, lane.kind, open, ${ms("next_slot_at", "nextSlotAt")}, ${ms("last_slot_at", "lastSlotAt")}, ${ms("day_until", "dayUntil")},
         ${ms("closed_until", "closedUntil")}, lane.min_interval_seconds as "minIntervalSeconds", used, day_cap as "dayCap", connection_cap as "connectionCap", connections_used as "connectionsUsed", ${ms("day_from", "dayFrom")}, coalesce(a.status, 'active') as "aliasStatus"
       from sender_lanes lane left join mail_aliases a on a.id = lane.id`,
    ),
    campaigns: await rowsOf(
      `select id, status, used, daily_limit as "dailyLimit", used_new as "usedNew", max_new_leads_per_day as "maxNewLeadsPerDay", open_day::text as "openDay", ${ms("open_from", "openFrom")}, ${ms("open_until", "openUntil")},
         min_interval_seconds as "minIntervalSeconds",
         array(select lane_id::text from campaign_senders cs where cs.campaign_id = c.id) as "laneIds" from campaigns c`,
    ),
    leads: await rowsOf("select id, status from campaign_leads"),
    sends: await rowsOf(
      `select campaign_lead_id as "leadId", lane_id as "laneId", campaign_id as "campaignId", step, state, campaign_day::text as "campaignDay", ${ms("lane_day_until", "laneDayUntil")}, budget from sends`,
    ),
    holdUntil: (
      await rowsOf(
        `select ${ms("min(hold_until)", "at")} from campaign_leads where hold_until is not null`,
      )
    )[0].at,
    waiting: await rowsOf(
      `select l.campaign_id as "campaignId", case when l.status = 'active' then l.alias_id end as "laneId", l.status = 'pending' as "isNew",
         case when l.status = 'pending' then c.first_channel when l.alias_id is null then l.next_channel end as kind, l.next_budget as budget,
         ${ms("greatest(min(l.next_action_at), min(z.open_from))", "dueAt")}
       from campaign_leads l join campaigns c on c.id = l.campaign_id
       left join campaign_zones z on z.campaign_id = l.campaign_id and z.zone = l.zone
       where l.status in ('pending', 'active') and l.next_action_at is not null and l.hold_reason is null group by 1, 2, 3, 4, 5, l.zone`,
    ),
  };
}
