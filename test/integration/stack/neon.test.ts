import { neon, neonConfig, type NeonDbError } from "@neondatabase/serverless";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from "vitest";
import { type NeonGateway, startNeonGateway } from "../../../scripts/stack/neon.ts";
import { databasesAt } from "../../../scripts/stack/postgres-admin.ts";
import { cloneDatabase } from "../../support/database.ts";

const postgres = inject("postgres");
let drop: () => Promise<void>;
let gateway: NeonGateway;
let url: string;
/** A direct connection, to look at what the gateway does to the server. */
let direct: Client;

beforeAll(async () => {
  gateway = await startNeonGateway({ postgres });
  neonConfig.fetchEndpoint = gateway.httpEndpoint;
  ({ url, drop } = await cloneDatabase({ ...postgres, template: "template1" }));
  direct = new Client({ connectionString: url });
  direct.on("error", () => {});
  await direct.connect();
  await direct.query("create table leads (id int primary key, name text not null unique)");
});

beforeEach(async () => {
  gateway.faults.clear();
  await direct.query("truncate leads");
});

afterAll(async () => {
  await direct.end();
  await gateway.close();
  await drop();
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(gateway.httpEndpoint, {
    method: "POST",
    headers: {
      "neon-connection-string": url,
      "neon-raw-text-output": "true",
      "neon-array-mode": "true",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const failure = (work: Promise<unknown>) =>
  work.then(
    () => Promise.reject(new Error("it was expected to fail")),
    (error: unknown) => error as NeonDbError & Record<string, unknown>,
  );

test("a query answers rows as objects, as arrays, or with everything that is known of them", async () => {
  const sql = neon(url);
  expect(await sql`select ${1}::int as a, ${"x"}::text as b`).toEqual([{ a: 1, b: "x" }]);
  expect(await sql.query("select 1 as a, 'x' as b", [], { arrayMode: true })).toEqual([[1, "x"]]);
  const full = await sql.query("insert into leads values ($1, $2), (2, 'B')", [1, "A"], {
    fullResults: true,
  });
  expect(full).toMatchObject({ command: "INSERT", rowCount: 2, rows: [], fields: [] });
});

test("a failure has all fields of Postgres's error, and in a transaction undoes what came before", async () => {
  const sql = neon(url);
  const error = await failure(
    sql.transaction([
      sql`insert into leads values (1, 'A')`,
      sql`insert into leads values (2, 'A')`,
    ]),
  );
  expect(error).toMatchObject({
    message: expect.stringContaining("duplicate key"),
    severity: "ERROR",
    code: "23505",
    detail: "Key (name)=(A) already exists.",
    schema: "public",
    table: "leads",
    constraint: "leads_name_key",
    routine: "_bt_check_unique",
  });
  expect(await sql`select id from leads`).toEqual([]);
});

test.for([
  ["a wrong password", { password: "wrong" }, "28P01"],
  ["an unknown user", { username: "stranger" }, "28P01"],
  ["an unknown database", { pathname: "/nowhere" }, "3D000"],
] as const)("%s is Postgres's own error", async ([, change, code]) => {
  const target = Object.assign(new URL(url), change);
  expect(await failure(neon(target.href)`select 1`)).toMatchObject({ code, severity: "FATAL" });
});

test("what is no request of the protocol is refused with 400 and a message", async () => {
  const refused = [
    await post("{"),
    await post({ query: 1 }),
    await post({ query: "select 1", params: {} }),
    await post({ query: "select $1", params: [1] }),
    await post({ query: "select 1" }, { "neon-array-mode": "false" }),
    await post({ queries: [] }, { "neon-batch-isolation-level": "Serializable" }),
    await post({ query: "select 1" }, { "neon-connection-string": "mysql://u:p@h/d" }),
    await post({ query: "select 1" }, { "neon-connection-string": "postgres://u@h/d" }),
    await fetch(gateway.httpEndpoint),
    await fetch(`${gateway.url}/elsewhere`, { method: "POST" }),
  ];
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400));
  for (const response of refused) {
    expect(await response.json()).toMatchObject({ message: expect.any(String) });
  }
});

test("a response above the limit is 507 and the gateway goes on", async () => {
  const response = await post({ query: "select repeat('x', 1000000) from generate_series(1, 70)" });
  expect(response.status).toBe(507);
  expect(await neon(url)`select 1 as a`).toEqual([{ a: 1 }]);
});

test("a transaction left open over HTTP does not reach the next query", async () => {
  const sql = neon(url);
  await sql`begin`;
  await sql`insert into leads values (1, 'A')`;
  expect(await sql`select pg_current_xact_id_if_assigned() as id`).toEqual([{ id: null }]);
  expect((await direct.query("select id from leads")).rows).toEqual([{ id: 1 }]);
  await vi.waitFor(async () => {
    const open = await direct.query(
      "select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
    );
    expect(open.rowCount).toBe(0);
  });
});

test("a setting changed over HTTP does not reach the next query", async () => {
  const sql = neon(url);
  await sql`set search_path = pg_catalog`;
  for (let turn = 0; turn < 5; turn++) {
    expect(await sql`select current_setting('search_path') as path`).toEqual([
      { path: '"$user", public' },
    ]);
  }
});

test("COPY is an error and leaves the gateway in step", async () => {
  const sql = neon(url);
  expect((await failure(sql`copy leads from stdin`)).code).toBeDefined();
  const batch = failure(sql.transaction([sql`copy leads from stdin`, sql`select 1`]));
  expect((await batch).code).toBeDefined();
  for (let turn = 0; turn < 5; turn++) expect(await sql`select 5 as a`).toEqual([{ a: 5 }]);
});

test("a client that goes away takes its query with it", async () => {
  const controller = new AbortController();
  const running = failure(
    neon(url, { fetchOptions: { signal: controller.signal } })`select pg_sleep(60)`,
  );
  const sleeping = () =>
    direct.query(
      "select from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%' and state = 'active'",
    );
  await vi.waitFor(async () => expect((await sleeping()).rowCount).toBe(1), { timeout: 5000 });
  controller.abort();
  await running;
  await vi.waitFor(async () => expect((await sleeping()).rowCount).toBe(0), { timeout: 5000 });
});

test("a client that goes away in the middle of a transaction leaves nothing of it", async () => {
  const controller = new AbortController();
  const sql = neon(url);
  const running = failure(
    sql.transaction([sql`insert into leads values (1, 'A')`, sql`select pg_sleep(60)`], {
      fetchOptions: { signal: controller.signal },
    }),
  );
  const locks = () =>
    direct.query(
      "select from pg_locks where relation = 'leads'::regclass and mode = 'RowExclusiveLock'",
    );
  await vi.waitFor(async () => expect((await locks()).rowCount).toBe(1), { timeout: 5000 });
  controller.abort();
  await running;
  await vi.waitFor(async () => expect((await locks()).rowCount).toBe(0), { timeout: 5000 });
  expect((await direct.query("select from leads")).rowCount).toBe(0);
});

test("more queries at once than there are sessions are all answered", async () => {
  const sql = neon(url);
  const numbers = Array.from({ length: 150 }, (_, index) => index);
  const rows = await Promise.all(numbers.map((n) => sql`select ${n}::int as n, pg_sleep(0.01)`));
  expect(rows.map(([row]) => row?.["n"])).toEqual(numbers);
});

test("sessions to one database make room for another's", async () => {
  const sql = neon(url);
  await Promise.all(Array.from({ length: 60 }, () => sql`select pg_sleep(0.05)`));
  const other = neon(databasesAt(url).urlFor("postgres"));
  expect(await other`select current_database() as name`).toEqual([{ name: "postgres" }]);
});

test("a database that is dropped and made again answers at once", async () => {
  const databases = databasesAt(url);
  const name = `${new URL(url).pathname.slice(1)}_too`;
  const passing = neon(await databases.createDatabase(name));
  expect(await passing`create table here ()`).toEqual([]);
  await databases.dropDatabase(name);
  await databases.createDatabase(name);
  expect(await passing`select to_regclass('here') as gone`).toEqual([{ gone: null }]);
  await databases.dropDatabase(name);
});

test("a lost reply leaves the statement applied", async () => {
  gateway.faults.order("reply_lost", 1);
  const sql = neon(url);
  expect((await failure(sql`insert into leads values (1, 'A')`)).code).toBeUndefined();
  expect(await sql`select id from leads`).toEqual([{ id: 1 }]);
});

test.for([
  ["refuse", "Error connecting to database"],
  ["server_error", "Server error (HTTP status 500)"],
] as const)("the fault %s applies nothing, once", async ([fault, message]) => {
  gateway.faults.order(fault, 1);
  const sql = neon(url);
  const error = await failure(sql`insert into leads values (1, 'A')`);
  expect(error.code).toBeUndefined();
  expect(error.message).toContain(message);
  expect(await sql`select id from leads`).toEqual([]);
});

test("the log has each query's text and time, and none of its parameters", async () => {
  gateway.log.clear();
  await neon(url).query("select $1::text as a", ["private"]);
  const [call] = gateway.log.entries();
  expect(call?.summary).toBe("200 select $1::text as a");
  expect(call?.detail).toMatchObject({ ms: expect.any(Number), statements: 1 });
  expect(JSON.stringify(call)).not.toContain("private");
});

test("closing does not wait for what is under way", async () => {
  const closing = await startNeonGateway({ postgres });
  const queries = Array.from({ length: 3 }, () =>
    failure(
      fetch(closing.httpEndpoint, {
        method: "POST",
        headers: { "neon-connection-string": url, "neon-array-mode": "true" },
        body: JSON.stringify({ query: "select pg_sleep(60), 'closing'" }),
      }),
    ),
  );
  const sleeping = () =>
    direct.query("select from pg_stat_activity where query like '%closing''' and state = 'active'");
  await vi.waitFor(async () => expect((await sleeping()).rowCount).toBe(3), { timeout: 5000 });
  await closing.close();
  await Promise.all(queries);
  await vi.waitFor(async () => expect((await sleeping()).rowCount).toBe(0), { timeout: 5000 });
});
