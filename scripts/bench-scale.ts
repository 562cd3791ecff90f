/**
 * `npm run bench:scale -- [--leads 100000,1000000] [--tenants 200] [--keep]`: what lists, counts, guards, exports, erasures
 * and the claim read at growing data sets, by the product's own statements, in a Postgres of its own. Fails where the
 * buffers for a row that is answered more than double from the first size on. `--keep` keeps the data, and takes up what
 * was kept.
 */
import { statfsSync } from "node:fs";
import * as os from "node:os";
import { parseArgs } from "node:util";
import pg from "pg";
import { machine } from "../test/bench/report.ts";
import { BYTES_A_LEAD, LEADS_A_SECOND, loadScale, scaleOf } from "../test/bench/scale-data.ts";
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

async function loaded(name: string, count: number) {
  const url = await server.createDatabase(name);
  await migrate(url, MIGRATIONS_FOLDER);
  const loader = new pg.Client({ connectionString: url });
  // What ends it is told by the query that is under way.
  loader.on("error", () => {});
  await loader.connect();
  const startedAt = performance.now();
  await loadScale(loader, { leads: count, tenants }, (line) => console.log(`  ${line}`));
  const { rows } = await loader.query("select pg_database_size(current_database()) as bytes");
  console.log(
    `  ${count.toLocaleString("en-US")} leads loaded in ${Math.round((performance.now() - startedAt) / 1000)} s, ${(rows[0].bytes / 1e9).toFixed(2)} GB`,
  );
  await loader.end();
  return url;
}

async function measured(count: number) {
  const name = `scale_${count}_${tenants}`;
  const isKept = values.keep && (await server.databaseExists(name));
  const url = isKept ? server.urlFor(name) : await loaded(name, count);
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
