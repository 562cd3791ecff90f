import { randomUUID } from "node:crypto";
import { PgDialect } from "drizzle-orm/pg-core";
import pg from "pg";
import { claimCall } from "#db/engine/claim.ts";
import type { LaneKind } from "#db/schema/index.ts";
import type { ClaimData } from "./claim-data.ts";
import { processorMs } from "./meters.ts";
import { median, range } from "./report.ts";

const BATCH = 50;
const ROUNDS = 40;
const SECONDS = 8;

export interface Plan {
  "Execution Time": number;
  "Planning Time": number;
  Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number; "Actual Rows": number };
}

/** One claim of 50, as the engine sends it. */
export const claimAt = (now: Date, kinds: LaneKind[] = ["email"]) =>
  new PgDialect().sqlToQuery(
    claimCall(
      {
        now,
        until: new Date(now.getTime() + 60_000),
        limit: BATCH,
        workerToken: randomUUID(),
        leaseSeconds: 180,
      },
      kinds,
    ),
  );

export interface ClaimFigures {
  leads: number;
  buffersPerSend: number;
  medianMs: number;
}

/** Cost of one claim: each is really made, with its plan, then rolled back. */
export async function measureClaim(url: string, { leads, now }: ClaimData): Promise<ClaimFigures> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const times: number[] = [];
  const buffers: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { sql, params } = claimAt(now);
    await client.query("begin");
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${sql}`, params);
    await client.query("rollback");
    const [plan] = rows[0]["QUERY PLAN"] as [Plan];
    times.push(plan["Execution Time"]);
    const {
      "Shared Hit Blocks": hit,
      "Shared Read Blocks": read,
      "Actual Rows": sends,
    } = plan.Plan;
    if (sends !== BATCH) throw new Error(`${sends} of ${BATCH} claimed`);
    buffers.push((hit + read) / sends);
  }
  await client.end();
  console.log(
    `${leads.toLocaleString("en-US").padStart(12)} leads: claim of ${BATCH} in ${range(times, 1)} ms, ${range(buffers, 1)} buffers a send`,
  );
  return { leads, buffersPerSend: median(buffers), medianMs: median(times) };
}

/** Claims as fast as so many clients can; every lane comes round again after its gap. */
export async function measureThroughput(
  url: string,
  { now, lanes }: ClaimData,
  clients: number,
): Promise<number> {
  let claimed = 0;
  let deadlocks = 0;
  let cpuMs = 0;
  // The clock runs so that lanes are always due.
  let at = now.getTime() + 600_000;
  const end = performance.now() + SECONDS * 1000;
  const work = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query("select pg_backend_pid() as pid");
    while (performance.now() < end) {
      const { sql, params } = claimAt(new Date(at));
      // Kept by name, as a pooled connection keeps a plan.
      const query = { name: "claim", text: sql, values: params };
      claimed += await client.query(query).then(
        ({ rowCount }) => rowCount ?? 0,
        (error: pg.DatabaseError) => {
          // `createDb` does it again.
          if (error.code !== "40P01") throw error;
          deadlocks++;
          return 0;
        },
      );
      at += (100_000 * BATCH) / lanes;
    }
    cpuMs += processorMs(rows[0].pid);
    await client.end();
  };
  await Promise.all(Array.from({ length: clients }, work));
  const perSecond = claimed / SECONDS;
  console.log(
    `${String(clients).padStart(12)} clients: ${Math.round(perSecond).toLocaleString("en-US")} claimed sends a second, ${(cpuMs / claimed).toFixed(2)} ms CPU of Postgres a send${deadlocks > 0 ? `, ${deadlocks} deadlocks` : ""}`,
  );
  return perSecond;
}
