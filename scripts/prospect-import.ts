import { PgDialect } from "drizzle-orm/pg-core";
import type { Client } from "pg";
import { importStatements, type NewProspect, readImported } from "#db/research/prospect-import.ts";
import { openCsv } from "#src/domain/people/leads/import-csv.ts";
import { readProspect } from "#src/domain/research/prospects/read-prospect.ts";

const BATCH = 1_000;
/** So many faults are named; the others are counted. */
const NAMED_FAULTS = 20;

export interface ProspectReport {
  total: number;
  added: number;
  updated: number;
  optedOut: number;
  rejected: number;
  faults: string[];
}

/** Takes the people of a CSV file into the pool, a thousand to a transaction: what was taken in before a failure stays. */
export async function importProspectFile(
  client: Client,
  bytes: AsyncIterable<Uint8Array>,
  onProgress: (report: ProspectReport) => void = () => {},
): Promise<ProspectReport> {
  const report = {
    total: 0,
    added: 0,
    updated: 0,
    optedOut: 0,
    rejected: 0,
    faults: [] as string[],
  };
  const { rows: pieces } = (await openCsv(bytes)).open({}, {});
  // A profile twice in one transaction would be refused by Postgres: the later row counts.
  let batch = new Map<string, NewProspect>();
  const flush = async () => {
    if (batch.size === 0) return;
    const { kept, updated } = await importBatch(client, [...batch.values()]);
    report.added += kept - updated;
    report.updated += updated;
    report.optedOut += batch.size - kept;
    batch = new Map();
    onProgress(report);
  };
  for await (const rows of pieces)
    for (const row of rows) {
      report.total++;
      const read =
        "raw" in row
          ? await readProspect(row.raw)
          : { ok: false as const, fault: row.fault.message };
      if (read.ok) batch.set(read.prospect.profileKey, read.prospect);
      else if (++report.rejected <= NAMED_FAULTS) report.faults.push(`${row.where}: ${read.fault}`);
      if (batch.size >= BATCH) await flush();
    }
  await flush();
  return report;
}

const dialect = new PgDialect();

async function importBatch(client: Client, batch: NewProspect[]) {
  await client.query("begin");
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of importStatements(batch, new Date())) {
      const { sql, params } = dialect.sqlToQuery(statement);
      ({ rows } = await client.query(sql, params));
    }
    await client.query("commit");
    return readImported(rows[0]!);
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
