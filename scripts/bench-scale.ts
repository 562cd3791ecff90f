/**
 * `npm run bench:scale -- [--leads 100000,1000000] [--tenants 200] [--keep]`: what lists, counts, guards, exports, erasures
 * and the claim read at growing data sets, by the product's own statements, in a Postgres of its own. Fails where the
 * buffers for a row that is answered more than double from the first size on. `--keep` keeps the data, and takes up what
 * was kept, migrated.
 */
import { statfsSync } from "node:fs";
import * as os from "node:os";
import { parseArgs } from "node:util";
import pg from "pg";
import { machine } from "../test/bench/report.ts";
import {
  BYTES_A_LEAD,
  LEADS_A_SECOND,
  loadScale,
  makeSums,
  scaleOf,
} from "../test/bench/scale-data.ts";
import { grown, measureScale, printScale } from "../test/bench/scale.ts";
import { migrate, MIGRATIONS_FOLDER } from "./apply-migrations.ts";
import { startPostgres } from "./stack/postgres.ts";

const { values } = parseArgs({
  options: {
    leads: { type: "string", default: "100000,1000000" },
    tenants: { type: "string", default: "200" },
    keep: { type: "boolean", default: false },
  },
});
const leads = values.leads.split(",").map(Number);
const tenants = Number(values.tenants);

console.log(machine());
const total = leads.reduce((sum, count) => sum + count, 0);
const largest = Math.max(...leads);
const held = (values.keep ? total : largest) * BYTES_A_LEAD;
const { bavail, bsize } = statfsSync(os.tmpdir());
console.log(
  `takes ${(held / 1e9).toFixed(1)} GB of disk (${((bavail * bsize) / 1e9).toFixed(0)} are free) and ${Math.ceil(total / LEADS_A_SECOND / 60)} minutes`,
);
if (held > bavail * bsize) throw new Error("not enough disk");

const server = await startPostgres({
  instance: values.keep ? "scale" : "bench",
  durable: values.keep,
});

const secondsSince = (startedAt: number) => ((performance.now() - startedAt) / 1000).toFixed(1);

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client({ connectionString: url });
  // What ends it is told by the query that is under way.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function loaded(name: string, count: number) {
  const url = await server.createDatabase(name);
  await migrate(url, MIGRATIONS_FOLDER);
  const startedAt = performance.now();
  const bytes = await connected(url, async (loader) => {
    await loadScale(loader, { leads: count, tenants }, (line) => console.log(`  ${line}`));
    const { rows } = await loader.query("select pg_database_size(current_database()) as bytes");
    return rows[0].bytes;
  });
  console.log(
    `  ${count.toLocaleString("en-US")} leads loaded in ${secondsSince(startedAt)} s, ${(bytes / 1e9).toFixed(2)} GB`,
  );
  return url;
}

/** Kept from an earlier run, perhaps of an older build: it is migrated, with what the heartbeat makes after that. */
async function takenUp(name: string) {
  const url = server.urlFor(name);
  let startedAt = performance.now();
  const made = await migrate(url, MIGRATIONS_FOLDER);
  console.log(`  ${name}: ${made.length} migrations in ${secondsSince(startedAt)} s`);
  if (made.length === 0) return url;
  startedAt = performance.now();
  await connected(url, async (client) => {
    await makeSums(client);
    console.log(`  ${name}: sums of before in ${secondsSince(startedAt)} s`);
    await client.query("vacuum analyze");
  });
  return url;
}

async function measured(count: number) {
  const name = `scale_${count}_${tenants}`;
  const isKept = values.keep && (await server.databaseExists(name));
  const url = isKept ? await takenUp(name) : await loaded(name, count);
  const figures = await measureScale(url, scaleOf(count));
  if (!values.keep) await server.dropDatabase(name);
  return figures;
}

try {
  const sizes = [];
  for (const count of leads) sizes.push(await measured(count));
  const failing = grown(sizes);
  printScale(leads, sizes, failing);
  if (failing.length > 0) process.exitCode = 1;
} finally {
  await server.close();
}
console.log(machine());
