import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { bool, instant, integer, orNull, rowReader, text, typed } from "../base/rows.ts";
import { textArray } from "../base/text-array.ts";
import type { domainReports, dmarcSources, ReportedPolicy, tlsSessions } from "../schema/index.ts";

const readReported = rowReader({
  id: text,
  domain: text,
  dkimSelector: text,
  ed25519Selector: orNull(text),
});
export type ReportedDomain = ReturnType<typeof readReported>;

/** The records of these names of which a workspace has shown that they are its own, now or before. */
export async function domainsReportedOn(
  db: Db,
  names: readonly string[],
): Promise<ReportedDomain[]> {
  const { rows } = await db.execute(sql`
    select id, domain, dkim_selector, ed25519_selector from mail_domains
    where domain = any(${textArray(names)}::text[]) and status in ('verified', 'failing') order by id`);
  return rows.map(readReported);
}

export type NewReport = typeof domainReports.$inferInsert;
type DmarcSums = Omit<typeof dmarcSources.$inferInsert, "domainId" | "day" | "reporter">;
type TlsSums = Omit<typeof tlsSessions.$inferInsert, "domainId" | "day" | "reporter">;

/** Of one report and domain; sources and results stand in it once each. */
export type ReportSums = { kind: "dmarc"; rows: DmarcSums[] } | { kind: "tls"; rows: TlsSums[] };

/**
 * Adds a report to the sums of its domain, once for its identity, in one statement. `too_many`: so many came since
 * `limit.since`. A foreign key violation when the domain has gone.
 */
export async function addReport(
  db: Db,
  report: NewReport,
  sums: ReportSums,
  limit: { most: number; since: Date },
): Promise<"taken" | "duplicate" | "too_many"> {
  const day = report.beginsAt.toISOString().slice(0, 10);
  const of = sql`${report.domainId}::uuid, ${day}::date, ${report.reporter}`;
  const { rows } = await db.execute<{ taken: boolean; full: boolean }>(sql`
    with earlier as (
      select count(*) >= ${limit.most}::int as is_full from (
        select 1 from domain_reports where domain_id = ${report.domainId} and received_at >= ${instantParam(limit.since)}
        limit ${limit.most}) r
    ), taken as (
      insert into domain_reports (id, domain_id, kind, reporter, identity, begins_at, ends_at, received_at, policy)
      select ${report.id}::uuid, ${report.domainId}::uuid, ${report.kind}, ${report.reporter}, ${report.identity},
             ${instantParam(report.beginsAt)}, ${instantParam(report.endsAt)}, ${instantParam(report.receivedAt)},
             ${report.policy ? JSON.stringify(report.policy) : null}::jsonb
      from earlier where not is_full
      on conflict do nothing returning 1
    ), added as (${sums.kind === "dmarc" ? addSources(of, sums.rows) : addSessions(of, sums.rows)})
    select exists (select 1 from taken) as taken, is_full as full from earlier`);
  const { taken, full } = rows[0]!;
  return taken ? "taken" : full ? "too_many" : "duplicate";
}

const COUNTS = [
  ...["messages", "ours", "aligned", "aligned_dkim", "aligned_spf"],
  ...["quarantined", "rejected", "forwarded"],
];

/** In the order of the key, so that two reports at once do not wait for each other. */
function addSources(of: SQL, rows: DmarcSums[]): SQL {
  const counts = sql.raw(COUNTS.join(", "));
  const more = COUNTS.map((name) => `${name} = s.${name} + excluded.${name}`).join(", ");
  return sql`
    insert into dmarc_sources as s (domain_id, day, reporter, source_ip, operator, ${counts})
    select ${of}, source_ip, operator, ${counts}
    from jsonb_to_recordset(${JSON.stringify(rows.map(asColumns))}::jsonb)
      as r(source_ip text, operator text, ${sql.raw(COUNTS.map((name) => `${name} bigint`).join(", "))})
    where exists (select 1 from taken) order by source_ip, operator
    on conflict (domain_id, day, reporter, source_ip, operator) do update set ${sql.raw(more)}`;
}

const asColumns = ({ sourceIp, alignedDkim, alignedSpf, ...rest }: DmarcSums) => ({
  ...rest,
  source_ip: sourceIp,
  aligned_dkim: alignedDkim,
  aligned_spf: alignedSpf,
});

const addSessions = (of: SQL, rows: TlsSums[]): SQL => sql`
  insert into tls_sessions as s (domain_id, day, reporter, policy_type, result, sessions)
  select ${of}, "policyType", result, sessions
  from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("policyType" text, result text, sessions bigint)
  where exists (select 1 from taken) order by "policyType", result
  on conflict (domain_id, day, reporter, policy_type, result) do update set sessions = s.sessions + excluded.sessions`;

const counts = {
  messages: integer,
  ours: integer,
  aligned: integer,
  alignedDkim: integer,
  alignedSpf: integer,
  quarantined: integer,
  rejected: integer,
  forwarded: integer,
};
const SUMS = sql.raw(COUNTS.map((name) => `sum(${name})::float8 as ${name}`).join(", "));
const readDay = rowReader({ day: text, ...counts });
const readSource = rowReader({
  operator: text,
  isOurs: bool,
  addresses: integer,
  someAddresses: typed<string[]>(),
  firstDay: text,
  lastDay: text,
  ...counts,
});
const readReporter = rowReader({ reporter: text, ...counts });
export type DmarcDay = ReturnType<typeof readDay>;
export type DmarcSource = ReturnType<typeof readSource>;
export type DmarcReporter = ReturnType<typeof readReporter>;

/** Sources and reporters that one answer has; the largest of them. */
const MOST = 100;

/** Sums since a UTC date (`2026-11-26`): by day, by source, by reporter. */
export async function dmarcSums(
  db: Db,
  domainId: string,
  since: string,
): Promise<{ days: DmarcDay[]; sources: DmarcSource[]; reporters: DmarcReporter[] }> {
  const from = sql`from dmarc_sources where domain_id = ${domainId} and day >= ${since}::date`;
  const [days, sources, reporters] = await Promise.all([
    db.execute(sql`select day::text as day, ${SUMS} ${from} group by 1 order by 1`),
    db.execute(sql`
      select operator, ours > 0 as is_ours, count(distinct source_ip)::int as addresses,
             (array_agg(distinct source_ip))[1:5] as some_addresses,
             min(day)::text as first_day, max(day)::text as last_day, ${SUMS}
      ${from} group by 1, 2 order by sum(messages) desc, 1, 2 limit ${MOST}`),
    db.execute(
      sql`select reporter, ${SUMS} ${from} group by 1 order by sum(messages) desc, 1 limit ${MOST}`,
    ),
  ]);
  return {
    days: days.rows.map(readDay),
    sources: sources.rows.map(readSource),
    reporters: reporters.rows.map(readReporter),
  };
}

const readNewest = rowReader({
  receivedAt: instant,
  policy: orNull(typed<ReportedPolicy>()),
});

/** When the last DMARC report came, and the policy that it found. */
export async function newestDmarcReport(db: Db, domainId: string) {
  const { rows } = await db.execute(sql`
    select received_at, policy from domain_reports
    where domain_id = ${domainId} and kind = 'dmarc' order by received_at desc, id desc limit 1`);
  return rows[0] === undefined ? null : readNewest(rows[0]);
}

const readSessions = rowReader({
  result: text,
  policyType: text,
  sessions: integer,
  /** Of all rows together. */
  reporters: integer,
});

/** TLS sessions since a UTC date, by policy and result. */
export async function tlsSums(db: Db, domainId: string, since: string) {
  const { rows } = await db.execute(sql`
    select policy_type, result, sum(sessions)::float8 as sessions,
      (select count(distinct reporter)::int from tls_sessions where domain_id = ${domainId} and day >= ${since}::date) as reporters
    from tls_sessions
    where domain_id = ${domainId} and day >= ${since}::date group by 1, 2 order by 3 desc, 1, 2 limit ${MOST}`);
  return rows.map(readSessions);
}
