import pg from "pg";
import { endOldMessages } from "#src/domain/campaigns/end-messages.ts";
import { keepSums } from "#src/domain/campaigns/keep-sums.ts";
import { dropWhatEnded } from "#src/domain/jobs/retention.ts";
import { forgetOldTexts } from "#src/domain/messages/forget-texts.ts";
import type { Deps } from "#src/deps.ts";
import { databaseOver } from "./scale.ts";
import { liveDay, loadTenant } from "./year-day.ts";

const DAY_MS = 86_400_000;
export const QUARTER_DAYS = 91;

export interface Quarter {
  day: number;
  sent: number;
  /** By table, those that have any. */
  tables: Map<string, { rows: number; bytes: number }>;
}

async function quarterOf(sql: pg.Client, day: number, sent: number): Promise<Quarter> {
  await sql.query("vacuum analyze");
  const { rows } = await sql.query<{ name: string; rows: string; bytes: string }>(
    `select c.relname as name, greatest(c.reltuples, 0)::bigint as rows, pg_total_relation_size(c.oid) as bytes from pg_class c
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.reltuples > 0 order by 3 desc`,
  );
  const tables = new Map(
    rows.map(({ name, rows: count, bytes }) => [
      name,
      { rows: Number(count), bytes: Number(bytes) },
    ]),
  );
  return { day, sent, tables };
}

/** Lives so many days of so many messages, with what the full check deletes at the end of each. */
export async function liveDays(
  url: string,
  order: {
    days: number;
    messages: number;
    messageDays: number;
    textDays: number;
    /** Whether the ledger's indexes are built anew each quarter, as an operator may do it. */
    reindexes: boolean;
  },
  say: (quarter: Quarter) => void,
): Promise<void> {
  const sql = new pg.Client({ connectionString: url });
  sql.on("error", () => {});
  await sql.connect();
  await sql.query("set synchronous_commit = off");
  const begun = Date.parse("2027-01-04T00:00:00Z");
  let now = new Date(begun);
  await loadTenant(sql, now);
  const deps = {
    db: databaseOver(sql),
    clock: { now: () => now },
    settings: { campaignMessageDays: order.messageDays, messageTextDays: order.textDays },
  } as Deps;
  for (let day = 0; day < order.days; day++) {
    const morning = new Date(begun + day * DAY_MS);
    await liveDay(sql, { day, morning, messages: order.messages });
    now = new Date(morning.getTime() + DAY_MS);
    await keepSums(deps);
    await endOldMessages(deps);
    await forgetOldTexts(deps);
    await dropWhatEnded(deps);
    // The planner has to know the tables as they have grown.
    if (day % 14 === 0) await sql.query("analyze");
    if ((day + 1) % QUARTER_DAYS !== 0) continue;
    if (order.reindexes) await sql.query("reindex table sends");
    const { rows } = await sql.query(
      "select sum(messages)::int as sent from campaign_sums where by = 'variant'",
    );
    say(await quarterOf(sql, day + 1, rows[0].sent));
  }
  await sql.end();
}

/** Bytes of the ledger's rows and of its indexes, as they are and when they are built anew. */
export async function rebuiltLedger(url: string) {
  const sql = new pg.Client({ connectionString: url });
  await sql.connect();
  const sizes = async () => {
    const { rows } = await sql.query(
      "select pg_table_size('sends')::int as rows, pg_indexes_size('sends')::int as indexes",
    );
    return rows[0] as { rows: number; indexes: number };
  };
  const before = await sizes();
  await sql.query("reindex table sends");
  const after = await sizes();
  await sql.end();
  return { ...before, rebuilt: after.indexes };
}
