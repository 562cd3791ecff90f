import { sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { outboxRows } from "../base/fragments/outbox.ts";
import { bool, instant, integer, orNull, rowReader, text, typed } from "../base/rows.ts";
import type { FailingRule, SeenReverse, TransportKind } from "../schema/index.ts";

/** Messages that one look at a domain's ledger reads at most, an even part of each alias, the newest. */
export const MOST_MESSAGES = 20_000;
const MOST_ALIASES = 200;

const readCounts = rowReader({
  sent: integer,
  bounced: integer,
  complained: integer,
  unsubscribed: integer,
  /** By a program's POST for the recipient (RFC 8058); null for none. */
  oneClickAt: orNull(instant),
  /** Of the oldest message that is counted. */
  since: orNull(instant),
});
/** What came of a domain's campaign mail. */
export type DomainCounts = ReturnType<typeof readCounts>;

const readSender = rowReader({
  email: text,
  replyTo: orNull(text),
  transportKind: typed<TransportKind>(),
  host: orNull(text),
  security: orNull(text),
  returnTestAddress: orNull(text),
  returnTestAskedAt: orNull(instant),
  returnTestSeenAt: orNull(instant),
  returnTestTls: orNull(bool),
  inboxBroken: orNull(bool),
  inboxError: orNull(text),
  inboxUsername: orNull(text),
  inboxReadAt: orNull(instant),
});
/** An alias that sends from the domain, and its inbox. */
export type HealthSender = ReturnType<typeof readSender>;

const readKept = rowReader({
  reverseDns: orNull(typed<SeenReverse[]>()),
  reverseCheckedAt: orNull(instant),
  failing: orNull(typed<FailingRule[]>()),
  judgedAt: orNull(instant),
});
export type KeptHealth = ReturnType<typeof readKept>;
const NOTHING_KEPT: KeptHealth = {
  ...{ reverseDns: null, reverseCheckedAt: null, failing: null, judgedAt: null },
};

const readSpamDay = rowReader({ day: text, spam: typed<number>() });
/** The share of a day's mail that Gmail's readers reported as spam. */
export type SpamDay = ReturnType<typeof readSpamDay>;

/** What the service itself knows of a domain's mail since then, and Gmail's spam rates, in one round trip. */
export async function healthInputs(
  db: Db,
  domainId: string,
  { since, now }: { since: Date; now: Date },
): Promise<{
  counts: DomainCounts;
  senders: HealthSender[];
  kept: KeptHealth;
  spamDays: SpamDay[];
}> {
  const [counts, senders, kept, spamDays] = await commit(db, [
    db.execute(sql`
      with aliases as materialized (select id from mail_aliases where domain_id = ${domainId}),
      newest as materialized (
        select s.* from aliases a cross join lateral (
          select id, slot_at, bounced_at, complained_at, unsubscribed_at from sends
          where lane_id = a.id and slot_at between ${instantParam(since)} and ${instantParam(now)}
            and state in ('accepted', 'assumed_sent', 'rejected') and email_key is not null
          order by slot_at desc limit (select greatest(1, ${MOST_MESSAGES}::int / greatest(1, count(*))) from aliases)) s)
      select count(*) as sent, count(bounced_at) as bounced, count(complained_at) as complained, count(unsubscribed_at) as unsubscribed,
        (select max(e.at) from newest n join email_events e on e.send_id = n.id and e.kind = 'unsubscribe'
         where n.unsubscribed_at is not null and 'one_click' = any(e.reasons)) as one_click_at,
        min(slot_at) as since
      from newest`),
    db.execute(sql`
      select a.email, a.reply_to, a.transport_kind, a.transport_settings ->> 'host' as host, a.transport_settings ->> 'security' as security,
        a.return_test_address, a.return_test_asked_at, a.return_test_seen_at, a.return_test_tls,
        i.broken as inbox_broken, i.last_error as inbox_error, i.username as inbox_username, i.read_at as inbox_read_at
      from mail_aliases a left join inboxes i on i.alias_id = a.id
      where a.domain_id = ${domainId} and a.status not in ('paused', 'disabled') order by a.id limit ${MOST_ALIASES}`),
    db.execute(sql`
      select reverse_dns, reverse_checked_at, failing, judged_at from domain_health where domain_id = ${domainId}`),
    db.execute(sql`
      select day::text, spam from postmaster_days
      where domain_id = ${domainId} and spam is not null and day >= ${since.toISOString().slice(0, 10)}::date order by day`),
  ]);
  return {
    counts: readCounts(counts.rows[0]!),
    senders: senders.rows.map(readSender),
    kept: kept.rows[0] === undefined ? NOTHING_KEPT : readKept(kept.rows[0]),
    spamDays: spamDays.rows.map(readSpamDay),
  };
}

const readAddress = rowReader({ sourceIp: text });

/** From where the domain's own mail comes, as receivers reported it since a UTC date: the busiest addresses. */
export async function ownAddresses(
  db: Db,
  domainId: string,
  since: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.execute(sql`
    select source_ip from dmarc_sources where domain_id = ${domainId} and day >= ${since}::date and ours > 0
    group by 1 order by sum(ours) desc, 1 limit ${limit}`);
  return rows.map((row) => readAddress(row).sourceIp);
}

/** Nothing where the domain has gone. */
export async function saveReverseDns(
  db: Db,
  domainId: string,
  seen: SeenReverse[],
  now: Date,
): Promise<void> {
  await db.execute(sql`
    insert into domain_health (domain_id, reverse_dns, reverse_checked_at)
    select id, ${JSON.stringify(seen)}::jsonb, ${instantParam(now)} from mail_domains where id = ${domainId}
    on conflict (domain_id) do update set reverse_dns = excluded.reverse_dns, reverse_checked_at = excluded.reverse_checked_at`);
}

interface Judgement {
  failing: FailingRule[];
  /** When the last one was made that this one was compared with; null for the first. */
  before: Date | null;
  /** What was not failing then, with the words in which its owner is told. */
  news: { rule: string; why: string }[];
  now: Date;
}

/** Keeps which rules a domain fails, and owes its owner a notice of each that is news. False when another judged it meanwhile. */
export async function saveJudgement(
  db: Db,
  domainId: string,
  { failing, before, news, now }: Judgement,
): Promise<boolean> {
  const at = instantParam(now);
  const day = now.toISOString().slice(0, 10);
  const told = outboxRows(
    "domain_rule_failing",
    sql`news`,
    // One that comes and goes is told once a day.
    sql`'domain:' || domain_id || ':' || rule || ':' || ${day}::text`,
    { domain_id: sql`domain_id`, domain_name: sql`domain`, why: sql`why` },
    now,
  );
  const { rows } = await db.execute<{ is_kept: boolean }>(sql`
    with kept as (
      insert into domain_health as h (domain_id, failing, judged_at)
      select id, ${JSON.stringify(failing)}::jsonb, ${at} from mail_domains where id = ${domainId}
      on conflict (domain_id) do update set failing = excluded.failing, judged_at = excluded.judged_at
      where h.judged_at is not distinct from ${before && instantParam(before)}::timestamptz
      returning domain_id
    ), news as (
      select d.workspace_id, d.id as domain_id, d.domain, r.rule, r.why
      from kept join mail_domains d on d.id = kept.domain_id, jsonb_to_recordset(${JSON.stringify(news)}::jsonb) as r(rule text, why text)
    ), told as (${told})
    select exists (select 1 from kept) as is_kept`);
  return rows[0]!.is_kept;
}

/** Domains that may send and were not judged since then, the longest unseen first. */
export async function domainsToJudge(
  db: Db,
  since: Date,
  limit: number,
): Promise<{ id: string; workspaceId: string }[]> {
  const { rows } = await db.execute(sql`
    select d.id, d.workspace_id from mail_domains d left join domain_health h on h.domain_id = d.id
    where d.status in ('verified', 'failing') and (h.judged_at is null or h.judged_at < ${instantParam(since)})
      and exists (select 1 from workspaces w where w.id = d.workspace_id and w.deleted_at is null)
    order by h.judged_at nulls first, d.id limit ${limit}`);
  return rows.map(readDue);
}
const readDue = rowReader({ id: text, workspaceId: text });
