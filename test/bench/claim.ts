import { randomUUID } from "node:crypto";
import { PgDialect } from "drizzle-orm/pg-core";
import pg from "pg";
import { claimCall } from "#db/engine/claim.ts";
import type { LaneKind } from "#db/schema/index.ts";
import type { ClaimData } from "./claim-data.ts";
import { median, range } from "./report.ts";

export const BATCH = 50;
const ROUNDS = 40;

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
