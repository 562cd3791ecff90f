import type pg from "pg";
import type { Random } from "./random.ts";
import { pauseBadlyReceived } from "#db/campaigns/guardrails.ts";
import { campaignStats, campaignSums, STATS_BY } from "#db/campaigns/stats.ts";
import type { Db } from "#db/base/client.ts";
import { campaignClickStats } from "#db/messages/tracking.ts";

const OUT = "s.state in ('accepted', 'assumed_sent', 'rejected')";
const SENT = "s.state in ('accepted', 'assumed_sent')";
const KEYS = {
  step: "s.step::text",
  variant: "s.step || '/' || coalesce(s.variant_label, '')",
  alias: "s.lane_id::text",
  day: "s.campaign_day::text",
};

/** The figures of a campaign as its ledger has them, counted message by message. */
export async function countedFigures(sql: pg.Pool, campaignId: string) {
  const by = async (key: string, order: string) =>
    (
      await sql.query(
        `select ${key} as key, count(*) filter (where ${SENT})::int as sent, count(*) filter (where ${SENT} and s.step = 1)::int as "firstMessages",
           count(*) filter (where ${SENT} and s.step > 1)::int as "followUps", count(*) filter (where s.opens > 0)::int as opened,
           count(*) filter (where s.clicks > 0)::int as clicked, count(s.replied_at)::int as replied, count(s.auto_replied_at)::int as "autoReplied",
           count(s.bounced_at)::int as bounced, count(s.soft_bounced_at)::int as "softBounced", count(s.unsubscribed_at)::int as unsubscribed,
           count(s.complained_at)::int as complained
         from sends s where s.campaign_id = $1 and ${OUT} group by 1 order by ${order}`,
        [campaignId],
      )
    ).rows;
  const { rows: clicks } = await sql.query(
    `select coalesce(sum(s.clicks), 0)::int as "totalClicks", count(distinct s.campaign_lead_id) filter (where s.clicks > 0)::int as "clickedCount",
       coalesce(sum(s.opens), 0)::int as "totalOpens", count(distinct s.campaign_lead_id) filter (where s.opens > 0)::int as "openedCount",
       count(*) filter (where ${SENT} and s.budget = '')::int as "totalSent", coalesce(sum(s.machine_opens), 0)::int as "machineOpens",
       coalesce(sum(s.machine_clicks), 0)::int as "machineClicks"
     from sends s where s.campaign_id = $1`,
    [campaignId],
  );
  return {
    step: await by(KEYS.step, "min(s.step), 1"),
    variant: await by(KEYS.variant, "min(s.step), 1"),
    alias: await by(KEYS.alias, "1"),
    day: await by(KEYS.day, "1"),
    clicks: clicks[0],
  };
}

/** The same as the product says them. */
export async function saidFigures(db: Db, workspaceId: string, campaignId: string) {
  const [step, variant, alias, day] = await Promise.all(
    STATS_BY.map((by) => campaignStats(db, { id: campaignId }, by)),
  );
  const clicks = await campaignClickStats(db, workspaceId, campaignId);
  const [sums] = await campaignSums(db, [campaignId]);
  const total = (name: "sent" | "replied" | "bounced") =>
    step!.reduce((sum, row) => sum + row[name], 0);
  const { sent = 0, replied = 0, bounced = 0 } = sums ?? {};
  if (sent !== total("sent") || replied !== total("replied") || bounced !== total("bounced"))
    throw new Error(`the list of campaigns says ${JSON.stringify(sums)}`);
  return { step, variant, alias, day, clicks };
}

/** Mails, bounces and complaints that the guardrails look at: the rates that just pause it, found by asking; the campaign goes on. */
export async function guardPauses(
  db: Db,
  sql: pg.Pool,
  order: {
    campaignId: string;
    since: Date;
    now: Date;
    minimumSends: number;
    bouncesPerThousand: number;
  },
): Promise<boolean> {
  const { campaignId, since, now, minimumSends, bouncesPerThousand } = order;
  await sql.query("update campaigns set status = 'active', paused_reason = null where id = $1", [
    campaignId,
  ]);
  const rules = { since, minimumSends, bouncesPerThousand, complaintsPerThousand: 1_000_000 };
  return (await pauseBadlyReceived(db, [campaignId], rules, now)).length > 0;
}

interface LeadsOf {
  campaignId: string;
  status: string;
  leads: number;
  held: number;
}

/** The leads of all campaigns by status, counted one by one. */
export const countedLeads = async (sql: pg.Pool): Promise<LeadsOf[]> =>
  (
    await sql.query<LeadsOf>(
      `select campaign_id as "campaignId", status, count(*)::int as leads, count(hold_reason)::int as held
       from campaign_leads group by 1, 2 order by 1, 2`,
    )
  ).rows;

/** Of campaigns that have sums of leads, how far these are from what counting says: nothing, whatever was done. */
export const wrongLeadSums = async (sql: pg.Pool): Promise<LeadsOf[]> =>
  (
    await sql.query<LeadsOf>(
      `select n.campaign_id as "campaignId", n.status, sum(n.leads)::int as leads, sum(n.held)::int as held
       from (
         select campaign_id, status, leads, held from campaign_lead_sums
         union all select campaign_id, status, -1, -(hold_reason is not null)::int from campaign_leads
       ) n join campaigns c on c.id = n.campaign_id
       where c.id not in (select t.campaign_id from campaign_lead_sums t where t.status is null)
       group by 1, 2 having sum(n.leads) <> 0 or sum(n.held) <> 0`,
    )
  ).rows;

interface Changed {
  campaignId: string;
  lanes: string[];
  leads: number;
  steps: number;
  now: Date;
}

/** One change of some messages, as a statement of the product makes it. */
export function changeMessages(
  sql: pg.Pool,
  { campaignId, lanes, leads, steps, now }: Changed,
  random: Random,
): Promise<unknown> {
  const lead = 1 + random.below(leads);
  const step = 1 + random.below(steps);
  const at = new Date(now.getTime() - random.below(72 * 3_600_000));
  const state = random.pick([
    "accepted",
    "accepted",
    "accepted",
    "assumed_sent",
    "rejected",
    "unknown",
    "retry_wait",
    "transmitting",
  ]);
  const [opens, clicks] = [random.pick([0, 0, 1, 2]), random.pick([0, 0, 1, 3])];
  const one = `from campaign_leads l where l.id = s.campaign_lead_id and s.campaign_id = '${campaignId}' and l.row_index = ${lead}`;
  const fact = random.pick([
    "replied_at",
    "auto_replied_at",
    "bounced_at",
    "soft_bounced_at",
    "complained_at",
    "unsubscribed_at",
  ]);
  const iso = at.toISOString();
  const statements = [
    `update sends s set state = '${state}', accepted_at = case when '${state}' = 'accepted' then '${iso}'::timestamptz end,
       bounced_at = case when '${state}' = 'rejected' then '${iso}'::timestamptz else s.bounced_at end, updated_at = '${iso}' ${one} and s.step = ${step}`,
    `update sends s set ${fact} = coalesce(s.${fact}, '${iso}') ${one} and s.step = ${step}`,
    `update sends s set replied_at = null ${one}`,
    // Verdicts on hits change: people's become a machine's, and none are left.
    `update sends s set opens = ${opens}, machine_opens = ${random.below(3)}, clicks = ${clicks}, machine_clicks = ${random.below(2)} ${one} and s.step = ${step}`,
    // Two messages of one lead in one batch of hits.
    `update sends s set opens = ${opens}, clicks = ${clicks} ${one} and s.step < 3`,
    // Claimed again, by another sender on another date.
    `update sends s set lane_id = '${random.pick(lanes)}', campaign_day = '${iso}'::date, variant_label = 'C' ${one} and s.step = ${step} and s.state in ('retry_wait', 'claimed')`,
    `update sends s set email_key = null, subject = null ${one}`,
  ];
  return sql.query(random.pick(statements));
}
