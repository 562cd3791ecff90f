import { randomUUID } from "node:crypto";
import pg from "pg";
import { insertOneLeadCampaigns } from "../support/one-lead-campaigns.ts";
import { claimAt, type Plan } from "./claim.ts";
import { processorMs } from "./meters.ts";
import { median } from "./report.ts";

const LANES = 20;
const ROUNDS = 10;

/** One person, one campaign: claims of 20 lanes, each of which serves all of so many campaigns of one lead. Needs an empty, migrated database. */
export async function measureCampaigns(url: string, sizes: number[]): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on("error", () => {});
  const now = new Date("2027-03-01T12:00:00Z");
  for (const campaigns of sizes) {
    const owner = { workspaceId: randomUUID(), userId: randomUUID() };
    await insertOneLeadCampaigns(pool, owner, { campaigns, lanes: LANES, now });
    await pool.query("vacuum analyze");
    const { rows } = await pool.query("select pg_backend_pid() as pid");
    const { sql, params } = claimAt(now);
    const cpu: number[] = [];
    const buffers: number[] = [];
    let sends = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await pool.query("begin");
      const before = processorMs(rows[0].pid);
      await pool.query({ name: "claim", text: sql, values: params });
      cpu.push(processorMs(rows[0].pid) - before);
      const { rows: claimed } = await pool.query("select count(*)::int as n from sends");
      sends = claimed[0].n;
      await pool.query("rollback");
      await pool.query("begin");
      const explained = await pool.query(`explain (analyze, buffers, format json) ${sql}`, params);
      await pool.query("rollback");
      const [{ Plan: plan }] = explained.rows[0]["QUERY PLAN"] as [Plan];
      buffers.push(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]);
    }
    console.log(
      `${campaigns.toLocaleString("en-US").padStart(12)} campaigns of one lead: a claim of ${LANES} lanes takes ${sends}, ${median(cpu).toFixed(1)} ms CPU of Postgres, ${median(buffers)} buffers`,
    );
    await pool.query("update sender_lanes set open = false");
  }
  await pool.end();
}
