import { type SQL, sql } from "drizzle-orm";
import type { SumsBy } from "../schema/index.ts";

/** What a message adds to the sums, by column: SQL over the row `r` of `sends`. What came of it counts of what went out. */
export function addendsOf(r: string): Record<string, string> {
  const isOut = `${r}.state in ('accepted', 'assumed_sent', 'rejected')`;
  const isSent = `${r}.state in ('accepted', 'assumed_sent')`;
  const ofOut = (fact: string) => `(${isOut} and ${fact})::int`;
  return {
    messages: `(${isOut})::int`,
    sent: `(${isSent})::int`,
    first_messages: `(${isSent} and ${r}.step = 1)::int`,
    opened: ofOut(`${r}.opens > 0`),
    clicked: ofOut(`${r}.clicks > 0`),
    replied: ofOut(`${r}.replied_at is not null`),
    auto_replied: ofOut(`${r}.auto_replied_at is not null`),
    bounced: ofOut(`${r}.bounced_at is not null`),
    soft_bounced: ofOut(`${r}.soft_bounced_at is not null`),
    unsubscribed: ofOut(`${r}.unsubscribed_at is not null`),
    complained: ofOut(`${r}.complained_at is not null`),
    opens: `${r}.opens`,
    clicks: `${r}.clicks`,
    machine_opens: `${r}.machine_opens`,
    machine_clicks: `${r}.machine_clicks`,
  };
}

/** Of a message's row what its addends belong to, by column of `send_deltas`. */
export const placeOf = (r: string): Record<string, string> => ({
  campaign_id: `${r}.campaign_id`,
  lane_id: `${r}.lane_id`,
  step: `${r}.step`,
  campaign_day: `${r}.campaign_day`,
  at: `coalesce(${r}.accepted_at, ${r}.bounced_at)`,
  variant_label: `${r}.variant_label`,
  is_mail: `${r}.budget = ''`,
});

/** A lead's hits are known by its first message with one. */
const firstOfLead = (column: "opens" | "clicks"): string => `(s.${column} > 0 and not exists (
  select from sends o where o.campaign_lead_id = s.campaign_lead_id and o.step < s.step and o.${column} > 0))::int`;

export const COUNTERS: readonly string[] = [
  ...Object.keys(addendsOf("s")),
  "leads_opened",
  "leads_clicked",
];
const NAMES = sql.raw(COUNTERS.join(", "));
export const SUMMED = sql.raw(
  COUNTERS.map((name) => `coalesce(sum(${name}), 0) as ${name}`).join(", "),
);

/**
 * Of those of these campaigns that have no sums yet the ledger's own figures, a row a message, as `send_deltas` has them.
 * `offset 0`: the ledger is read by campaign or not at all, whatever the planner thinks of the tables.
 */
export const countedRows = (campaignIds: SQL): SQL => {
  const columns = { ...placeOf("s"), ...addendsOf("s") };
  const listed = Object.entries(columns).map(([name, value]) => `${value} as ${name}`);
  return sql`
  select counted.* from campaigns_to_sum t cross join lateral (
    select ${sql.raw(listed.join(", "))}, ${sql.raw(firstOfLead("opens"))} as leads_opened, ${sql.raw(firstOfLead("clicks"))} as leads_clicked
    from sends s where s.campaign_id = t.campaign_id offset 0) counted
  where t.campaign_id = any(${campaignIds})`;
};

const UTC_TEXT = `'YYYY-MM-DD"T"HH24:MI:SS.MS'`;
/** An instant as the key of an hour has it, so that keys are in the order of time. */
const hourText = (at: SQL): SQL => sql`to_char(${at} at time zone 'UTC', ${sql.raw(UTC_TEXT)})`;

/** The hour of `d.at`; of the hour in which campaign `c` was resumed what was taken after that has a key of its own, behind the hour's. */
const HOUR = sql`case
  when d.at is null then ''
  when d.at > c.guard_since and c.guard_since >= date_trunc('hour', d.at, 'UTC') then ${hourText(sql`c.guard_since`)} || '+'
  else ${hourText(sql`date_trunc('hour', d.at, 'UTC')`)} end`;

/** Of a delta `d` of campaign `c` its key. */
export const keyOf: Record<SumsBy, SQL> = {
  variant: sql`d.step || '/' || coalesce(d.variant_label, '')`,
  alias: sql`d.lane_id::text`,
  day: sql`d.campaign_day::text`,
  hour: HOUR,
  channel: sql`case when d.is_mail then 'email' else 'socialnet' end`,
};

/** Deltas `d` of campaigns `c` as rows of `campaign_sums`: each once by everything that is summed by. */
export const keyedRows = (deltas: SQL, from: SQL): SQL => {
  const keys = Object.entries(keyOf).map(
    ([by, key]) => sql`(${by}::text, ${key}, ${by === "hour" ? sql`d.is_mail` : sql`true`})`,
  );
  return sql`
  select d.campaign_id, k.by, k.key, ${SUMMED}
  from ${deltas} d ${from} cross join lateral (values ${sql.join(keys, sql`, `)}) k(by, key, is_summed)
  where k.is_summed
  group by d.campaign_id, k.by, k.key order by d.campaign_id, k.by, k.key`;
};

const DELTA_COLUMNS = sql.raw([...Object.keys(placeOf("x")), ...COUNTERS].join(", "));
export const SUM_COLUMNS = sql`campaign_id, by, key, ${NAMES}`;

/** Rows by message, as `d`, of these campaigns: what is not folded in yet, and the messages of those of before there were sums. */
const unfolded = (campaignIds: SQL): SQL => sql`
  select ${DELTA_COLUMNS} from send_deltas x where x.campaign_id = any(${campaignIds})
    and x.campaign_id not in (select t.campaign_id from campaigns_to_sum t where t.campaign_id = any(${campaignIds}))
  union all
  ${countedRows(campaignIds)}`;

/**
 * What is summed of these campaigns by one thing, as rows (campaign_id, key, counters) of which several may have one key:
 * the sums, what is not folded in yet, and of campaigns of before there were sums each message. All of it is of one
 * instant within a statement.
 */
export const sumRows = (campaignIds: SQL, by: Exclude<SumsBy, "hour">): SQL => sql`
  select x.campaign_id, x.key, ${NAMES} from campaign_sums x where x.campaign_id = any(${campaignIds}) and x.by = ${by}
  union all
  select d.campaign_id, ${keyOf[by]}, ${NAMES} from (${unfolded(campaignIds)}) d`;

/** The mails of these campaigns that were taken, or came back at once, in the hour of `since` or later and after the campaign was resumed. */
export const guardedRows = (campaignIds: SQL, since: SQL): SQL => {
  const hour = sql`date_trunc('hour', ${since}, 'UTC')`;
  return sql`
  select x.campaign_id, x.messages, x.bounced, x.complained
  from campaigns c join campaign_sums x on x.campaign_id = c.id and x.by = 'hour'
    and x.key collate "C" >= greatest(${hourText(hour)} collate "C", (${hourText(sql`c.guard_since`)} || '+') collate "C")
  where c.id = any(${campaignIds})
  union all
  select d.campaign_id, d.messages, d.bounced, d.complained
  from (${unfolded(campaignIds)}) d join campaigns c on c.id = d.campaign_id
  where d.is_mail and d.at >= ${hour} and (c.guard_since is null or d.at > c.guard_since)`;
};
