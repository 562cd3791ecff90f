/**
 * `npm run bench:move -- [--leads 100000]`: how long a workspace of so many leads, with a message to each second of them and
 * what came of it, is paused while it moves to another database of the same server.
 */
import { parseArgs } from "node:util";
import { sql } from "drizzle-orm";
import pg from "pg";
import { cpuMs } from "../test/bench/meters.ts";
import { machine } from "../test/bench/report.ts";
import { loadScale, scaleOf } from "../test/bench/scale-data.ts";
import { openDatabase } from "./admin/database.ts";
import { moveWorkspace } from "./admin/move/move-workspace.ts";
import { migrate, MIGRATIONS_FOLDER } from "./apply-migrations.ts";
import { startPostgres } from "./stack/postgres.ts";

const { values } = parseArgs({ options: { leads: { type: "string", default: "100000" } } });
/** The large tenant has four fifths of what is loaded. */
const leads = Math.ceil(Number(values.leads) / 0.8);
const { workspaceId, now } = scaleOf(leads);

console.log(machine());
const server = await startPostgres({ instance: "bench", durable: true });
try {
  const [from, to] = (await Promise.all(
    ["from", "to"].map(async (name) => {
      if (await server.databaseExists(`move_${name}`)) await server.dropDatabase(`move_${name}`);
      const url = await server.createDatabase(`move_${name}`);
      await migrate(url, MIGRATIONS_FOLDER);
      return url;
    }),
  )) as [string, string];
  const loader = new pg.Client({ connectionString: from });
  await loader.connect();
  await loadScale(loader, { leads, tenants: 20 }, () => {});
  const { rows } = await loader.query(
    "select (select count(*) from leads where workspace_id = $1) as leads, (select count(*) from sends where workspace_id = $1) as sends, (select count(*) from email_events where workspace_id = $1) as hits",
    [workspaceId],
  );
  await loader.end();
  console.log(`${rows[0].leads} leads, ${rows[0].sends} messages, ${rows[0].hits} hits`);
  const opened = await Promise.all([from, to].map(openDatabase));
  const pids = await Promise.all(
    opened.map(async ({ db }) => {
      const {
        rows: [row],
      } = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      return row!.pid;
    }),
  );
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  const cpu = () => [
    ...pids.map(cpuMs),
    process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000,
  ];
  const before = cpu();
  const startedAt = performance.now();
  await moveWorkspace({
    from: opened[0]!.db,
    to: opened[1]!.db,
    workspaceId,
    cell: "b",
    now: () => now,
    say(line) {
      const [from, to, own] = cpu().map((ms, at) => seconds(ms - before[at]!));
      console.log(
        `${seconds(performance.now() - startedAt)} s (processor: the old database ${from}, the new one ${to}, the command ${own})  ${line}`,
      );
    },
    wake: async () => true,
    wait: async () => {},
  });
  await Promise.all(opened.map(({ close }) => close()));
  await Promise.all(["move_from", "move_to"].map((name) => server.dropDatabase(name)));
} finally {
  await server.close();
}
console.log(machine());
