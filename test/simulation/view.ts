import type pg from "pg";
import type { Model } from "#src/domain/engine/memory/index.ts";
import { CHANNELS } from "#db/schema/index.ts";
import type { Lead } from "#src/domain/engine/memory/rows.ts";
import type { EngineView } from "./end-invariants.ts";

type Waiting = EngineView["waiting"][number];

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
    waiting: campaigns.flatMap(({ id, steps, fresh, followUps, pools }) => {
      const first = ([lead]: Lead[], rest: Omit<Waiting, "campaignId" | "dueAt">) =>
        lead === undefined ? [] : [{ campaignId: id, dueAt: lead.key, ...rest }];
      return [
        ...first(fresh, { laneId: null, kind: steps[0]!.channel, isNew: true }),
        ...[...followUps].flatMap(([laneId, leads]) =>
          first(leads, { laneId, kind: null, isNew: false }),
        ),
        ...CHANNELS.flatMap((kind) => first(pools[kind], { laneId: null, kind, isNew: false })),
      ];
    }),
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
      `select lane.id, lane.kind, open, ${ms("next_slot_at", "nextSlotAt")}, ${ms("last_slot_at", "lastSlotAt")}, ${ms("day_until", "dayUntil")},
         ${ms("closed_until", "closedUntil")}, lane.min_interval_seconds as "minIntervalSeconds", used, day_cap as "dayCap", ${ms("day_from", "dayFrom")}, coalesce(a.status, 'active') as "aliasStatus"
       from sender_lanes lane left join mail_aliases a on a.id = lane.id`,
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
    waiting: await rowsOf(
      `select l.campaign_id as "campaignId", case when l.status = 'active' then l.alias_id end as "laneId", l.status = 'pending' as "isNew",
         case when l.status = 'pending' then c.first_channel when l.alias_id is null then l.next_channel end as kind, ${ms("min(l.next_action_at)", "dueAt")}
       from campaign_leads l join campaigns c on c.id = l.campaign_id
       where l.status in ('pending', 'active') and l.next_action_at is not null and l.hold_reason is null group by 1, 2, 3, 4`,
    ),
  };
}
