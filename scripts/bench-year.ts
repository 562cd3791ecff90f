/**
 * `npm run bench:year -- [--days 1092] [--messages 100] [--message-days 730] [--text-days 365] [--reindex]`: so many days of so many
 * messages in virtual time, with what comes of them, and everything that ends by its own time. Prints at each quarter
 * what Postgres holds. What ends, and the sums, are the product's own functions and triggers, called once a day (the
 * service: each quarter of an hour); messages, hits, replies and bounces are written a day at a time by statements that
 * write what the engine and the inbox write (`test/bench/year-day.ts`).
 */
import { parseArgs } from "node:util";
import { machine } from "../test/bench/report.ts";
import { liveDays, type Quarter, rebuiltLedger } from "../test/bench/year.ts";
import { migrate, MIGRATIONS_FOLDER } from "./apply-migrations.ts";
import { startPostgres } from "./stack/postgres.ts";

const { values } = parseArgs({
  options: {
    days: { type: "string", default: "1092" },
    messages: { type: "string", default: "100" },
    "message-days": { type: "string", default: "730" },
    "text-days": { type: "string", default: "365" },
    reindex: { type: "boolean", default: false },
  },
});

/** Of tables smaller than this nothing is said. */
const SMALL = 200_000;
const totalOf = ({ tables }: Quarter): number =>
  [...tables.values()].reduce((sum, { bytes }) => sum + bytes, 0);

console.log(machine());
const server = await startPostgres({ instance: "bench", durable: false });
const startedAt = performance.now();
const quarters: Quarter[] = [];
try {
  const url = await server.createDatabase("year");
  await migrate(url, MIGRATIONS_FOLDER);
  const order = {
    days: Number(values.days),
    messages: Number(values.messages),
    messageDays: Number(values["message-days"]),
    textDays: Number(values["text-days"]),
    reindexes: values.reindex,
  };
  await liveDays(url, order, (quarter) => {
    const before = quarters.at(-1);
    const grown = totalOf(quarter) - (before === undefined ? 0 : totalOf(before));
    quarters.push(quarter);
    console.log(
      `day ${quarter.day}: ${quarter.sent.toLocaleString("en-US")} messages, ${(totalOf(quarter) / 1e6).toFixed(1)} MB; grew ${Math.round(grown / (quarter.sent - (before?.sent ?? 0)))} bytes a message (${Math.round((performance.now() - startedAt) / 1000)} s)`,
    );
  });
  const names = [...quarters.at(-1)!.tables].filter(([, { bytes }]) => bytes > SMALL);
  console.log(
    `\n| rows (MB) on day | ${quarters.map(({ day }) => day).join(" | ")} |\n| --- | ${quarters.map(() => "---").join(" | ")} |`,
  );
  for (const [name] of names) {
    const cells = quarters.map(({ tables }) => {
      const { rows, bytes } = tables.get(name) ?? { rows: 0, bytes: 0 };
      return `${rows.toLocaleString("en-US")} (${(bytes / 1e6).toFixed(1)})`;
    });
    console.log(`| \`${name}\` | ${cells.join(" | ")} |`);
  }
  const ledger = await rebuiltLedger(url);
  console.log(
    `the ledger's rows ${(ledger.rows / 1e6).toFixed(1)} MB, its indexes ${(ledger.indexes / 1e6).toFixed(1)} MB, built anew ${(ledger.rebuilt / 1e6).toFixed(1)} MB`,
  );
} finally {
  await server.close();
}
console.log(machine());
