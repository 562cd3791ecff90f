/**
 * `npm run bench:claim -- [--leads 100000,1000000,10000000] [--waiting 1000,100000]`: what a
 * claim of 50 costs at growing data sets, in a Postgres of its own; with `--waiting` instead what one
 * costs of an account of which a budget is used up, while so many leads wait for that. Not a test:
 * nothing fails by being slow.
 */
import { parseArgs } from "node:util";
import pg from "pg";
import { loadClaimData } from "../test/bench/claim-data.ts";
import { measureClaim, measureThroughput } from "../test/bench/claim.ts";
import { measureWaiting } from "../test/bench/waiting.ts";
import { machine } from "../test/bench/report.ts";
import { migrate, MIGRATIONS_FOLDER } from "./apply-migrations.ts";
import { startPostgres } from "./stack/postgres.ts";

const { values } = parseArgs({
  options: {
    leads: { type: "string", default: "100000,1000000,10000000" },
    waiting: { type: "string" },
  },
});
const sizes = values.waiting === undefined ? values.leads.split(",").map(Number) : [];

console.log(machine());
const server = await startPostgres({ instance: "bench", durable: false });
const urlOf = (database: string) =>
  `postgres://${server.user}:${server.password}@${server.host}:${server.port}/${database}`;
const admin = new pg.Client({ connectionString: urlOf("postgres") });
await admin.connect();
try {
  const figures = [];
  for (const leads of sizes) {
    const name = `claim_${leads}`;
    await admin.query(`create database ${name}`);
    await migrate(urlOf(name), MIGRATIONS_FOLDER);
    const loader = new pg.Client({ connectionString: urlOf(name) });
    await loader.connect();
    const startedAt = performance.now();
    const data = await loadClaimData(loader, leads, (line) => console.log(`  ${line}`));
    console.log(`  loaded in ${Math.round((performance.now() - startedAt) / 1000)} s`);
    await loader.end();
    figures.push(await measureClaim(urlOf(name), data));
    for (const clients of [1, 2, 4]) await measureThroughput(urlOf(name), data, clients);
    await admin.query(`drop database ${name} with (force)`);
  }
  if (values.waiting !== undefined) {
    await admin.query("create database waiting");
    await migrate(urlOf("waiting"), MIGRATIONS_FOLDER);
    await measureWaiting(urlOf("waiting"), values.waiting.split(",").map(Number));
  }
  const [first] = figures;
  for (const { leads, buffersPerSend } of figures) {
    const change = (buffersPerSend / first!.buffersPerSend - 1) * 100;
    console.log(
      `buffers a send at ${leads.toLocaleString("en-US")}: ${change.toFixed(0)} % of change`,
    );
  }
} finally {
  await admin.end();
  await server.close();
}
console.log(machine());
