import { type SQL, sql } from "drizzle-orm";
import type { Db } from "./client.ts";
import { instantParam } from "./instants.ts";

/** Rows that end by their own time, where no other code ends them. */
export interface Retention {
  table: string;
  /** The instant that its days are counted from; an index has it. */
  since: string;
  days: number;
  /** Of which rows; absent: of all. */
  of?: string;
}

/** The feed of events goes back so far, and deliveries are told of as long. */
export const EVENT_DAYS = 30;

/** Placement tests are shown so long: a quarter, in which a domain's placement changes. */
export const PLACEMENT_DAYS = 90;

/** Opens and clicks are told apart so long; their messages and the sums keep what they count. */
const HIT_DAYS = 90;

/** What others say of a domain, by days: a year, and a month in which to compare it with the one before. */
export const DOMAIN_DAYS = 400;

/** What ends so, and why it may: docs/design/retention.md has the reasons. */
export const RETENTIONS: readonly Retention[] = [
  { table: "outbox", since: "delivered_at", days: 90 },
  {
    table: "notice_deliveries",
    since: "updated_at",
    days: 90,
    of: "state not in ('waiting', 'transmitting')",
  },
  { table: "events", since: "at", days: EVENT_DAYS },
  { table: "webhook_deliveries", since: "updated_at", days: EVENT_DAYS, of: "state <> 'waiting'" },
  { table: "idempotency_keys", since: "created_at", days: 1 },
  {
    table: "verification_jobs",
    since: "created_at",
    days: 30,
    of: "status in ('completed', 'failed')",
  },
  { table: "placement_tests", since: "created_at", days: PLACEMENT_DAYS },
  { table: "domain_reports", since: "ends_at", days: DOMAIN_DAYS },
  { table: "dmarc_sources", since: "day", days: DOMAIN_DAYS },
  { table: "tls_sessions", since: "day", days: DOMAIN_DAYS },
  { table: "postmaster_days", since: "day", days: DOMAIN_DAYS },
  { table: "agent_confirmations", since: "expires_at", days: 0 },
  { table: "notice_windows", since: "open_until", days: 1 },
  { table: "email_events", since: "at", days: HIT_DAYS, of: "kind <> 'unsubscribe'" },
  { table: "inbound_mails", since: "received_at", days: 400 },
  { table: "verified_addresses", since: "expires_at", days: 30 },
  { table: "verified_domains", since: "expires_at", days: 30 },
  { table: "operator_rates", since: "full_at", days: 1 },
  { table: "recipient_domains", since: "used_at", days: 30 },
];

const endedRows = ({ table, since, days, of = "true" }: Retention, now: Date): SQL =>
  sql`${sql.raw(table)} where ${sql.raw(since)} < ${instantParam(now)} - make_interval(days => ${days}) and ${sql.raw(of)}`;

/** Those of which there are rows whose time is over, asked of all tables at once. */
export async function withEndedRows(db: Db, now: Date): Promise<Retention[]> {
  const asked = RETENTIONS.map(
    (each, place) =>
      sql`select ${place}::int as place where exists (select from ${endedRows(each, now)})`,
  );
  const { rows } = await db.execute<{ place: number }>(sql.join(asked, sql` union all `));
  return rows.map(({ place }) => RETENTIONS[place]!);
}

/** Deletes so many of the rows whose time is over; answers how many there were. */
export async function dropEnded(
  db: Db,
  retention: Retention,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const name = sql.raw(retention.table);
  const { rows } = await db.execute<{ count: number }>(sql`
    with gone as (
      delete from ${name} where ctid = any(array(select ctid from ${endedRows(retention, now)} limit ${limit}))
      returning 1
    ) select count(*)::int as count from gone`);
  return rows[0]!.count;
}
