import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Db, Statement } from "#db/base/client.ts";
import * as schema from "#db/schema/index.ts";
import type { ScaleData } from "./scale-data.ts";
import { SCALED } from "./scale-statements.ts";

interface Plan {
  "Execution Time": number;
  Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number };
}

export interface ScaleFigures {
  name: string;
  rows: number;
  statements: number;
  buffers: number;
  ms: number;
  /** The most costly of its statements. */
  worst: { buffers: number; text: string };
}

const isExplained = (text: string) =>
  /^\s*(select|with|insert|update|delete)\b/i.test(text) && !text.includes("require_rows");

interface SeenPlan {
  buffers: number;
  ms: number;
  text: string;
}

/** The product's database over one connection. */
export function databaseOver(client: Pick<pg.Client, "query">): Db {
  const db = drizzle({ client: client as pg.Client, schema });
  const batch = async (statements: Statement[]) => {
    const results: unknown[] = [];
    for (const statement of statements) results.push(await statement);
    return results;
  };
  return Object.assign(db, { batch }) as unknown as Db;
}

/**
 * The same, where each statement is explained, undone, and then done, so that what is measured
 * is what the product's own function sends, with the rows that its statements before left.
 */
function explaining(client: pg.Client) {
  const plans: SeenPlan[] = [];
  const query = client.query.bind(client) as (...order: unknown[]) => Promise<pg.QueryResult>;
  const explain = async (text: string, values: unknown[]) => {
    await query("savepoint explained");
    const { rows } = await query(`explain (analyze, buffers, format json) ${text}`, values);
    await query("rollback to savepoint explained");
    const [{ Plan: plan, "Execution Time": ms }] = rows[0]["QUERY PLAN"] as [Plan];
    plans.push({ buffers: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], ms, text });
  };
  // One after the other: a connection has one savepoint at a time.
  let last: Promise<unknown> = Promise.resolve();
  const asked = (order: { text: string }, values: unknown[] = []) => {
    const run = async () => {
      if (isExplained(order.text)) await explain(order.text, values);
      return query(order, values);
    };
    const done = last.then(run);
    last = done.catch(() => {});
    return done;
  };
  return { db: databaseOver({ query: asked } as never), plans };
}

/** What each costs by its plans, warm; everything is rolled back. */
export async function measureScale(url: string, data: ScaleData): Promise<ScaleFigures[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  const figures: ScaleFigures[] = [];
  for (const { name, run } of SCALED) {
    let found: ScaleFigures | undefined;
    for (let round = 0; round < 2; round++) {
      const { db, plans } = explaining(client);
      await client.query("begin");
      const rows = Math.max(1, await run(db, data));
      await client.query("rollback");
      const [worst] = plans.toSorted((a, b) => b.buffers - a.buffers);
      found = {
        name,
        rows,
        statements: plans.length,
        buffers: plans.reduce((sum, { buffers }) => sum + buffers, 0),
        ms: plans.reduce((sum, { ms }) => sum + ms, 0),
        worst: worst!,
      };
    }
    figures.push(found!);
  }
  await client.end();
  return figures;
}

/** So few buffers a row are a level more of an index or two, and no history. */
const FEW = 40;

/** Names of those that cost more than twice as much a row as at the smallest size. */
export function grown(sizes: readonly ScaleFigures[][]): string[] {
  const [smallest] = sizes;
  const aRow = ({ buffers, rows }: ScaleFigures) => buffers / rows;
  return smallest!.flatMap((first, index) => {
    const most = Math.max(...sizes.map((figures) => aRow(figures[index]!)));
    return most > 2 * aRow(first) && most - aRow(first) > FEW ? [first.name] : [];
  });
}

export function printScale(
  leads: readonly number[],
  sizes: readonly ScaleFigures[][],
  failing: readonly string[],
): void {
  const [smallest] = sizes;
  const heads = leads.map((count) => `${count.toLocaleString("en-US")} leads: buffers a row, ms`);
  console.log(`\n| statement | rows | ${heads.join(" | ")} | |`);
  console.log(`| --- | --- | ${heads.map(() => "---").join(" | ")} | --- |`);
  for (const [index, { name, rows }] of smallest!.entries()) {
    const cells = sizes.map((figures) => {
      const { buffers, rows: answered, ms } = figures[index]!;
      return `${(buffers / answered).toFixed(1)}, ${ms.toFixed(1)}`;
    });
    console.log(
      `| ${name} | ${rows} | ${cells.join(" | ")} | ${failing.includes(name) ? "grows" : ""} |`,
    );
  }
  for (const name of failing) {
    const { worst } = sizes.at(-1)!.find((figure) => figure.name === name)!;
    console.log(
      `\n${name}, ${worst.buffers} buffers:\n  ${worst.text.replaceAll(/\s+/g, " ").slice(0, 300)}`,
    );
  }
}
