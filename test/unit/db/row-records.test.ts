/** Records made of arrays are what Neon's driver makes by itself; both read one answer of the database. */
import { neon, neonConfig } from "@neondatabase/serverless";
import { afterAll, expect, test } from "vitest";
import { recordsOfArrays } from "#db/base/row-records.ts";

const before = neonConfig.fetchFunction;
afterAll(() => {
  neonConfig.fetchFunction = before;
});

/** As Postgres's types are numbered: int4, text, text[], jsonb, bool, int8. */
const FIELDS = [23, 25, 1009, 3802, 16, 20].map((dataTypeID, at) => ({
  name: ["count", "name", "names", "steps", "open", "count"][at]!,
  dataTypeID,
}));
const ROWS = [
  ["7", "x", '{a,"b c",NULL}', '{"step": 1}', "t", "9007199254740993"],
  [null, null, null, null, null, null],
];
const ANSWER = { fields: FIELDS, rows: ROWS, command: "SELECT", rowCount: 2 };
neonConfig.fetchFunction = async (_url: string, { body }: { body: string }) => {
  const { queries } = JSON.parse(body) as { queries?: unknown[] };
  return Response.json(queries === undefined ? ANSWER : { results: queries.map(() => ANSWER) });
};

const URL = "postgres://user:password@host.example/database";
const clients = () => [neon(URL), recordsOfArrays(neon(URL))] as const;
const OPTIONS = [{ fullResults: true }, { fullResults: true, arrayMode: true }, {}] as const;
/** What callers read of a result. */
const readable = (result: { fields?: unknown; rows?: unknown; rowAsArray?: boolean }) =>
  Array.isArray(result)
    ? (result as unknown[])
    : { fields: result.fields, rows: result.rows, rowAsArray: result.rowAsArray };

test.each(OPTIONS)("of one statement: %o", async (options) => {
  const [own, ours] = clients();
  const expected = readable(await own.query("select", [], options));
  expect(readable(await ours.query("select", [], options))).toEqual(expected);
});

test("of a batch, each as it is asked for", async () => {
  const [expected, found] = await Promise.all(
    clients().map(async (client) => {
      const asked = OPTIONS.map((options) => client.query("select", [], options));
      const results = await client.transaction(asked as never);
      return (results as never[]).map(readable);
    }),
  );
  expect(found).toEqual(expected);
  expect(expected).toHaveLength(3);
});
