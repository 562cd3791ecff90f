/**
 * `npm run bench:rows -- [--held 1000000] [--hits 20000]`: what a row of the ledger costs with a random key and with one
 * in the order of time, beside so many others; by how much the ledger grows between two vacuums; and what it costs to end so many hits of a day. In a Postgres of its own,
 * with the whole pages in its log that a server which may lose power writes.
 */
import { parseArgs } from "node:util";
import pg from "pg";
import { machine } from "../test/bench/report.ts";
import { measureEnds } from "../test/bench/row-ends.ts";
import { KEY_KINDS, measureKeys } from "../test/bench/row-keys.ts";
import { measureUpdates } from "../test/bench/row-updates.ts";
import { migrate, MIGRATIONS_FOLDER } from "./apply-migrations.ts";
import { startPostgres } from "./stack/postgres.ts";

const { values } = parseArgs({
  options: {
    held: { type: "string", default: "1000000" },
    hits: { type: "string", default: "20000" },
  },
});
console.log(machine());
const server = await startPostgres({ instance: "rows", durable: true, fresh: true });
try {
  const url = await server.createDatabase("rows");
  await migrate(url, MIGRATIONS_FOLDER);
  const sql = new pg.Client({ connectionString: url });
  sql.on("error", () => {});
  await sql.connect();
  await sql.query("alter system set autovacuum = off");
  await sql.query("select pg_reload_conf()");
  await sql.query("set synchronous_commit = off");
  const held = Number(values.held);
  console.log(`a row of the ledger, 50 a statement, beside ${held.toLocaleString("en-US")}:`);
  for (const kind of KEY_KINDS) {
    const figures = await measureKeys(sql, kind, { held, added: 50_000 });
    console.log(
      `  keys ${kind}: ${figures.walBytes.toFixed(0)} bytes of WAL, ${figures.pages.toFixed(1)} pages, of which read ${figures.read.toFixed(2)}, ${figures.microseconds.toFixed(0)} us; indexes ${figures.indexBytes.toFixed(0)} bytes a row`,
    );
  }
  const [messages, from] = [held / 10, Date.parse("2028-01-01T00:00:00Z")];
  for (const [turn, share] of [0.2, 0.02, 0.2, 0.02].entries()) {
    const figures = await measureUpdates(sql, {
      messages,
      deadRows: held * share,
      from: new Date(from + turn * messages * 1_000),
    });
    console.log(
      `  a message, vacuum after ${share * 100} % of the ledger: grows ${figures.bytes.toFixed(0)} bytes, ${figures.microseconds.toFixed(0)} us, of which vacuum ${figures.vacuumed.toFixed(0)}`,
    );
  }
  const { count, statements, slowest, pages, deleted, vacuumed, dropped } = await measureEnds(
    sql,
    Number(values.hits),
  );
  const said = ({ ms, walBytes }: { ms: number; walBytes: number }) =>
    `${((ms * 1_000) / count).toFixed(1)} us and ${(walBytes / count).toFixed(0)} bytes of WAL a hit`;
  console.log(
    `${count.toLocaleString("en-US")} hits of ${(Number(values.hits) * 92).toLocaleString("en-US")} end:`,
  );
  console.log(
    `  deleted in ${statements} statements, the slowest ${slowest.toFixed(0)} ms: ${said(deleted)}; vacuum ${said(vacuumed)}`,
  );
  console.log(
    `  a partition dropped: ${dropped.ms.toFixed(0)} ms, ${dropped.walBytes} bytes of WAL`,
  );
  console.log(
    `  hits of a message: ${pages.one} pages of one table, ${pages.parts} of four months`,
  );
  await sql.end();
  await server.dropDatabase("rows");
} finally {
  await server.close();
}
console.log(machine());
