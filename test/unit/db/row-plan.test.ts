/** Rows read by a plan are what the library reads cell by cell; both over one answer of the database. */
import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/neon-http";
import { expect, test } from "vitest";
import { planRows } from "#db/base/row-plan.ts";
import { campaigns, mailAliases, suppressions } from "#db/schema/index.ts";

/** What Neon's driver makes of an answer with these rows, whatever is asked. */
function clientOf(rows: unknown[][]) {
  const asked: unknown[][] = [];
  const query = async () => ({ rows: rows.map((row) => [...row]), fields: [] });
  const client = Object.assign(query, {
    query: async (...order: unknown[]) => {
      asked.push(order);
      return query();
    },
    transaction: async (orders: unknown[]) => Promise.all(orders.map(() => query())),
  });
  // The driver's own type has what no test needs.
  return { asked, client: client as never };
}

const AT = "2026-03-27 20:00:00.123+00";
type Db = Pick<ReturnType<typeof drizzle>, "select">;

const SELECTS: [string, unknown[][], (db: Db) => PromiseLike<unknown>][] = [
  [
    "instants, arrays, JSON and nulls",
    [
      [AT, ["mon", "tue"], [{ step: 1 }], null, 7],
      [null, null, '{"text": "JSON as text"}', "x", null],
    ],
    (db) =>
      db
        .select({
          at: campaigns.createdAt,
          days: campaigns.sendDays,
          steps: campaigns.steps,
          text: campaigns.description,
          count: campaigns.dailyLimit,
        })
        .from(campaigns),
  ],
  [
    "expressions with and without a reader, and one with a name",
    [["3", "3", AT]],
    (db) =>
      db
        .select({
          plain: sql<string>`1 + 2`,
          read: sql`1 + 2`.mapWith(Number),
          named: sql`now()`.mapWith(campaigns.createdAt).as("named"),
        })
        .from(campaigns),
  ],
  [
    "a selection of a selection",
    [["a@example.com", AT]],
    (db) => {
      const inner = db
        .select({ value: suppressions.value, expiresAt: suppressions.expiresAt })
        .from(suppressions)
        .as("inner");
      return db.select().from(inner);
    },
  ],
  [
    "joined tables, of which one has no row",
    [
      ["a", AT, null],
      ["b", AT, "alias"],
    ],
    (db) =>
      db
        .select({
          own: { name: campaigns.name, at: campaigns.createdAt },
          alias: { email: mailAliases.email },
        })
        .from(campaigns)
        .leftJoin(mailAliases, eq(mailAliases.workspaceId, campaigns.workspaceId)),
  ],
];

test.each(SELECTS)("%s are read by a plan as by the library", async (_, rows, select) => {
  const plain = drizzle({ client: clientOf(rows).client });
  const planned = planRows(drizzle({ client: clientOf(rows).client }));
  expect(await select(planned)).toEqual(await select(plain));
  const [fromBatch] = await planned.batch([select(planned) as never]);
  expect(fromBatch).toEqual(await select(plain));
});

test("a plan reads a value by its column's reader, and the statement is the library's own", async () => {
  const { asked, client } = clientOf([[AT]]);
  const db = planRows(drizzle({ client }));
  const rows = await db.select({ at: campaigns.createdAt }).from(campaigns);
  expect(rows).toEqual([{ at: new Date("2026-03-27T20:00:00.123Z") }]);
  expect(asked[0]![0]).toBe('select "created_at" from "campaigns"');
  expect(await db.execute(sql`select 1`)).toMatchObject({ rows: [[AT]] });
});
