import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { instant, integer, orNull, rowReader, text, typed } from "../base/rows.ts";
import { rateAt } from "../engine/operator-rates.ts";
import { domainOfKey, type PlacementState } from "../schema/index.ts";
import { MOST_MESSAGES } from "./domain-health.ts";

/** Operators that are told, those with most messages. */
export const MOST_OPERATORS = 50;
/** Different replies that are read, the most frequent. */
const MOST_REPLIES = 500;

export interface Span {
  since: Date;
  now: Date;
}

/**
 * CTEs `aliases` of a domain and `tried`: its newest campaign messages that a server was asked to take, an even part of
 * each alias. One that was only claimed, or whose end is unknown, is not among them.
 */
const triedBy = (domainId: string, { since, now }: Span): SQL => sql`
  aliases as materialized (select id from mail_aliases where domain_id = ${domainId}),
  tried as materialized (
    select s.*, ${domainOfKey(sql`s.email_key`)} as to_domain from aliases a cross join lateral (
      select id, campaign_lead_id, email_key, state, slot_at, reason, bounced_at, soft_bounced_at, complained_at,
        attempts > 1 or refusals > 0 or soft_bounced_at is not null or (state in ('retry_wait', 'released') and attempts > 0) as was_deferred
      from sends
      where lane_id = a.id and slot_at between ${instantParam(since)} and ${instantParam(now)} and email_key is not null
        and (state in ('accepted', 'assumed_sent', 'rejected') or (state in ('retry_wait', 'released', 'failed') and (attempts > 0 or refusals > 0)))
      order by slot_at desc limit (select greatest(1, ${MOST_MESSAGES}::int / greatest(1, count(*))) from aliases)) s)`;

/** Refused is what a server or a report refused for good, and what was put off until it was given up. */
export const ENDS = ["accepted", "refused", "waiting"] as const;
export type End = (typeof ENDS)[number];
const END: SQL = sql`
  case when state in ('rejected', 'failed') or bounced_at is not null then 'refused'
       when state in ('retry_wait', 'released') then 'waiting' else 'accepted' end`;

/** CTE `known`: what was tried, by who runs the recipient's mail hosts; where that is not known, by the domain itself. */
const known = sql`
  known as materialized (
    select t.*, coalesce(r.operator, t.to_domain) as operator, r.operator is not null as is_known, r.looked_up_at, ${END} as how
    from tried t left join recipient_domains r on r.domain = t.to_domain)`;

const readSums = rowReader({
  operator: text,
  domains: integer,
  /** Of which DNS has not said who runs their hosts. */
  unknownDomains: integer,
  lookedUpAt: orNull(instant),
  messages: integer,
  accepted: integer,
  refused: integer,
  waiting: integer,
  /** At least once told to come again, whatever came of it. */
  deferred: integer,
  complained: integer,
  lastAt: instant,
  /** Of all operators together, also those that are not told. */
  allMessages: integer,
  allOperators: integer,
  since: instant,
});
export type OperatorSums = ReturnType<typeof readSums>;

const readReply = rowReader({
  operator: text,
  how: typed<Exclude<End, "accepted">>(),
  reply: text,
  messages: integer,
  lastAt: instant,
});
export type OperatorReply = ReturnType<typeof readReply>;

const readPlaced = rowReader({
  operator: text,
  state: typed<Extract<PlacementState, "found" | "missing">>(),
  place: orNull(typed<"inbox" | "spam" | "other">()),
  category: orNull(text),
  mails: integer,
  lastAt: instant,
});
export type OperatorPlaced = ReturnType<typeof readPlaced>;

const readRate = rowReader({
  operator: text,
  perHour: integer,
  nextAt: instant,
  fullAt: instant,
  since: instant,
  reason: text,
});
/** How much the domain writes to an operator that put it off or refused it by policy. */
export type SlowRate = ReturnType<typeof readRate>;

export interface OperatorFacts {
  /** With most messages first. */
  sums: OperatorSums[];
  replies: OperatorReply[];
  placed: OperatorPlaced[];
  rates: SlowRate[];
}

/** What came of a domain's campaign mail and placement tests, by who runs its recipients' mail hosts. */
export async function operatorFacts(db: Db, domainId: string, span: Span): Promise<OperatorFacts> {
  const ledger = sql`with ${triedBy(domainId, span)}, ${known}`;
  const [sums, replies, placed, rates] = await commit(db, [
    db.execute(sql`${ledger}
      select operator, count(distinct to_domain) as domains, count(distinct to_domain) filter (where not is_known) as unknown_domains,
        min(looked_up_at) as looked_up_at, count(*) as messages,
        ${sql.join(
          ENDS.map((end) => sql`count(*) filter (where how = ${end}) as ${sql.raw(end)}`),
          sql`, `,
        )},
        count(*) filter (where was_deferred) as deferred, count(complained_at) as complained, max(slot_at) as last_at,
        (sum(count(*)) over ())::int as all_messages, count(*) over () as all_operators, min(min(slot_at)) over () as since
      from known group by operator order by messages desc, operator limit ${MOST_OPERATORS}`),
    // A report's words stand in the lead, the ledger has those of the relay that took the message before.
    db.execute(sql`${ledger}
      select k.operator, k.how, left(said.reply, 500) as reply, count(*) as messages, max(k.slot_at) as last_at
      from known k left join campaign_leads l on k.bounced_at is not null and l.id = k.campaign_lead_id
      cross join lateral (select case when k.state in ('accepted', 'assumed_sent') then l.last_error else k.reason end as reply) said
      where k.how <> 'accepted' and said.reply is not null
      group by 1, 2, 3 order by messages desc, last_at desc limit ${MOST_REPLIES}`),
    db.execute(sql`
      with seen as (
        select m.state, m.place, m.category, m.counted_at, ${domainOfKey(sql`m.email_key`)} as to_domain
        from placement_mails m join mail_aliases a on a.id = m.alias_id
        join placement_tests t on t.id = m.test_id and t.deleted_at is null
        where a.domain_id = ${domainId} and m.workspace_id = a.workspace_id and m.state in ('found', 'missing')
          and m.counted_at between ${instantParam(span.since)} and ${instantParam(span.now)})
      select coalesce(r.operator, seen.to_domain) as operator, state, place, category, count(*) as mails, max(counted_at) as last_at
      from seen left join recipient_domains r on r.domain = seen.to_domain
      group by 1, 2, 3, 4 order by 1, 2, 3, 4`),
    db.execute(sql`
      select r.operator, ${rateAt(instantParam(span.now))} as per_hour, r.next_at, r.full_at, r.since, r.reason
      from operator_rates r where r.domain_id = ${domainId} and r.full_at > ${instantParam(span.now)} order by r.operator`),
  ]);
  return {
    sums: sums.rows.map(readSums),
    replies: replies.rows.map(readReply),
    placed: placed.rows.map(readPlaced),
    rates: rates.rows.map(readRate),
  };
}

/** Notes to which domains a sending domain wrote, so that their operators are looked up. To the day: most calls write nothing. */
export async function noteRecipientDomains(db: Db, domainId: string, span: Span): Promise<void> {
  const at = instantParam(span.now);
  await db.execute(sql`
    with ${triedBy(domainId, span)}, used as (
      select to_domain from tried
      union
      select ${domainOfKey(sql`m.email_key`)} from placement_mails m join aliases a on a.id = m.alias_id
      where m.counted_at between ${instantParam(span.since)} and ${at}
    )
    insert into recipient_domains as r (domain, due_at, used_at)
    select to_domain, ${at}, ${at} from used where to_domain <> '' order by to_domain
    on conflict (domain) do update set used_at = excluded.used_at where r.used_at < excluded.used_at - interval '1 day'`);
}
