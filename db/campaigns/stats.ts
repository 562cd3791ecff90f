import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { integer, rowReader, text } from "../base/rows.ts";
import type { CampaignRow } from "../schema/index.ts";
import { SUMMED, sumRows } from "./sums.ts";

export const STATS_BY = ["step", "variant", "alias", "day"] as const;
export type StatsBy = (typeof STATS_BY)[number];

export const WORKSPACE_STATS_BY = ["day", "hour", "campaign", "alias", "domain"] as const;
export type WorkspaceStatsBy = (typeof WORKSPACE_STATS_BY)[number];

export type StatsRow = ReturnType<typeof readStats>;
const readStats = rowReader({
  key: text,
  sent: integer,
  firstMessages: integer,
  followUps: integer,
  opened: integer,
  clicked: integer,
  replied: integer,
  autoReplied: integer,
  bounced: integer,
  softBounced: integer,
  unsubscribed: integer,
  complained: integer,
});

/** As the condition of the index `sends_out` has it. */
const IS_OUT = sql`s.state in ('accepted', 'assumed_sent', 'rejected')`;
const WENT_OUT = sql`s.state in ('accepted', 'assumed_sent')`;

const COUNTS = sql`
  count(*) filter (where ${WENT_OUT}) as sent,
  count(*) filter (where ${WENT_OUT} and s.step = 1) as first_messages, count(*) filter (where ${WENT_OUT} and s.step > 1) as follow_ups,
  count(*) filter (where s.opens > 0) as opened, count(*) filter (where s.clicks > 0) as clicked,
  count(s.replied_at) as replied, count(s.auto_replied_at) as auto_replied,
  count(s.bounced_at) as bounced, count(s.soft_bounced_at) as soft_bounced,
  count(s.unsubscribed_at) as unsubscribed, count(s.complained_at) as complained`;

/** Messages of a campaign that went out, by step, variant (`1/A`), alias or campaign date. */
export async function campaignStats(
  db: Db,
  campaign: Pick<CampaignRow, "id">,
  by: StatsBy,
): Promise<StatsRow[]> {
  const step = sql`split_part(key, '/', 1)`;
  const [key, order] = {
    step: [step, sql`min(${step}::int)`],
    variant: [sql`key`, sql`min(${step}::int), key`],
    alias: [sql`key`, sql`key`],
    day: [sql`key`, sql`key`],
  }[by];
  const ids = sql`array[${campaign.id}]::uuid[]`;
  const { rows } = await db.execute(sql`
    select ${key} as key, ${SUMMED}, sum(sent) - sum(first_messages) as follow_ups
    from (${sumRows(ids, by === "step" ? "variant" : by)}) x
    group by ${key} having sum(messages) > 0 order by ${order}`);
  return rows.map(readStats);
}

export type CampaignSums = ReturnType<typeof readSums>;
const readSums = rowReader({
  campaignId: text,
  sent: integer,
  replied: integer,
  bounced: integer,
});

/** What the stats of each of these campaigns add up to; of one without a message there is no row. */
export async function campaignSums(
  db: Db,
  campaignIds: readonly string[],
): Promise<CampaignSums[]> {
  const { rows } = await db.execute(sql`
    select campaign_id, ${SUMMED} from (${sumRows(sql`${sql.param([...campaignIds])}::uuid[]`, "channel")}) x
    group by campaign_id having sum(messages) > 0`);
  return rows.map(readSums);
}

/** A span of time, from its first instant to the first one behind it. */
export interface Span {
  from: Date;
  until: Date;
}

export interface NamedSpan extends Span {
  key: string;
}

const out = (workspaceId: string, from: SQL, until: SQL): SQL =>
  sql`s.workspace_id = ${workspaceId} and s.slot_at >= ${from} and s.slot_at < ${until} and ${IS_OUT}`;

/** What went out in each of these spans, in their order; a span in which nothing did is left out. */
export async function statsBySpan(
  db: Db,
  workspaceId: string,
  spans: readonly NamedSpan[],
): Promise<StatsRow[]> {
  const column = (of: (span: NamedSpan) => string, type: string) =>
    sql`${sql.param(spans.map(of))}::${sql.raw(type)}[]`;
  const { rows } = await db.execute(sql`
    select span.key, counted.*
    from unnest(${column(({ key }) => key, "text")}, ${column(({ from }) => from.toISOString(), "timestamptz")},
                ${column(({ until }) => until.toISOString(), "timestamptz")}) with ordinality span(key, starts, ends, n)
    cross join lateral (
      select count(*) as messages, ${COUNTS} from sends s where ${out(workspaceId, sql`span.starts`, sql`span.ends`)}
    ) counted
    where counted.messages > 0 order by span.n`);
  return rows.map(readStats);
}

/** What went out in a span by campaign, by sender, or by the domain of the sender's address; '' where it has none. */
export async function statsBySender(
  db: Db,
  workspaceId: string,
  { from, until }: Span,
  by: "campaign" | "alias" | "domain",
): Promise<StatsRow[]> {
  const [key, alias] = {
    campaign: [sql`s.campaign_id::text`, sql``],
    alias: [sql`s.lane_id::text`, sql``],
    domain: [
      sql`coalesce(split_part(a.email, '@', 2), '')`,
      sql`left join mail_aliases a on a.id = s.lane_id`,
    ],
  }[by];
  const { rows } = await db.execute(sql`
    select ${key} as key, ${COUNTS}
    from sends s ${alias}
    where ${out(workspaceId, instantParam(from), instantParam(until))}
    group by 1 order by 1`);
  return rows.map(readStats);
}
