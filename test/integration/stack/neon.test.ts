import {
  Client as NeonClient,
  neon,
  neonConfig,
  type NeonDbError,
  Pool as NeonPool,
} from "@neondatabase/serverless";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type NeonGateway, startNeonGateway } from "../../../scripts/stack/neon.ts";
import { postgres, useOwnPostgres } from "./own-postgres.ts";

useOwnPostgres();

let gateway: NeonGateway;
let url: string;
/** A direct connection, to look at what the gateway does to the server. */
let direct: Client;

beforeAll(async () => {
  gateway = await startNeonGateway({ postgres });
  neonConfig.fetchEndpoint = gateway.httpEndpoint;
  neonConfig.wsProxy = gateway.wsProxy;
  neonConfig.useSecureWebSocket = false;
  url = await postgres.createDatabase("app");
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
});

/** An unheard "error" event would end the process; what fails is also rejected. */
function webSocketClient(target: string): NeonClient {
  const client = new NeonClient(target);
  client.on("error", () => {});
  return client;
}

async function overWebSocket<Result>(work: (client: NeonClient) => Promise<Result>) {
  const client = webSocketClient(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

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

const ERROR_FIELDS = [
  ...["message", "severity", "code", "detail", "hint", "position", "internalPosition"],
  ...["internalQuery", "where", "schema", "table", "column", "dataType", "constraint"],
  ...["file", "line", "routine"],
];
const fieldsOf = (error: Record<string, unknown>) =>
  Object.fromEntries(ERROR_FIELDS.map((name) => [name, error[name]]));

test("a query answers rows as objects, as arrays, or with everything that is known of them", async () => {
  const sql = neon(url);
  expect(await sql`select ${1}::int as a, ${"x"}::text as b`).toEqual([{ a: 1, b: "x" }]);
  expect(await sql.query("select 1 as a, 'x' as b", [], { arrayMode: true })).toEqual([[1, "x"]]);
  const full = await sql.query("insert into leads values ($1, $2), (2, 'B')", [1, "A"], {
    fullResults: true,
  });
  expect(full).toMatchObject({ command: "INSERT", rowCount: 2, rows: [], fields: [] });
});

test("results over HTTP equal those over a WebSocket, in every type", async () => {
  const query = `select 1::int2 a, 2147483648::int8 b, 1.50::numeric c, 'NaN'::float8 d, true e, null::text f,
    array[1,2]::int[] g, array['a,b','"',null]::text[] h, array[[1],[2]] i, '{"k":[1,"ü"]}'::jsonb j,
    timestamptz '2024-02-29 12:30:00.123456+02' k, timestamp '2024-02-29 12:30:00' l, date '2024-02-29' m,
    '\\x00ff'::bytea n, interval '1 day 2 hours' o, 'ünïcödé 😀' p, array[timestamptz 'epoch'] q, '' r,
    point(1,2) s, '11111111-2222-3333-4444-555555555555'::uuid t`;
  const http = await neon(url, { fullResults: true }).query(query);
  const socket = await overWebSocket((client) => client.query(query));
  expect(http.rows).toEqual(socket.rows);
  expect(http.rows[0]).toMatchObject({ b: "2147483648", g: [1, 2], h: ["a,b", '"', null] });
  expect(http.fields.map(({ name, dataTypeID }) => [name, dataTypeID])).toEqual(
    socket.fields.map(({ name, dataTypeID }) => [name, dataTypeID]),
  );
  expect([http.command, http.rowCount]).toEqual([socket.command, socket.rowCount]);
});

test("parameters of every kind arrive as over a WebSocket", async () => {
  const query = `select $1::int a, $2::text b, $3::bool c, $4::int[] d, $5::text[] e, $6::jsonb f, $7::timestamptz g, $8::bytea h, $9::text i`;
  const params = [
    ...[7, 'it\'s \\ "quoted"', false, [1, null, 3], ["a,b", "{", '"\\', "NULL", null]],
    ...[{ k: ["v"] }, new Date("2024-02-29T10:30:00.123Z"), Buffer.from([0, 255]), null],
  ];
  const http = await neon(url).query(query, params);
  const socket = await overWebSocket((client) => client.query(query, params));
  expect(http).toEqual(socket.rows);
});

test("parameters may also be plain JSON", async () => {
  const query =
    "select $1::bool a, $2::float8 b, $3::jsonb c, $4::text[] d, $5::jsonb[] e, $6::int[] f";
  const params = [true, 1.5, { k: 1 }, ["x", null, 'q"'], [{ k: 1 }], [[1], [2]]];
  const { rows } = (await (await post({ query, params })).json()) as { rows: unknown[] };
  expect(rows).toEqual([
    ["t", "1.5", '{"k": 1}', '{x,NULL,"q\\""}', '{"{\\"k\\": 1}"}', "{{1},{2}}"],
  ]);
});

test.for([
  ["unique violation", "insert into leads values (1, 'A'), (2, 'A')"],
  ["missing table", "select * from nowhere"],
  ["syntax error", "selec 1"],
  ["two statements in one", "select 1; select 2"],
  ["not null", "insert into leads (id) values (1)"],
  ["division by zero", "select 1/0"],
  [
    "error with a context",
    "do $$ begin raise exception 'own' using hint = 'h', detail = 'd', errcode = 'OV001'; end $$",
  ],
])("the error fields of a %s equal those over a WebSocket", async ([, query]) => {
  const http = await failure(neon(url).query(query ?? ""));
  // A parameter makes the driver use the extended protocol, as HTTP always does.
  const socket = await failure(
    overWebSocket((client) => client.query({ text: query ?? "", name: "named" })),
  );
  expect(fieldsOf(http)).toEqual(fieldsOf(socket));
  expect(http.code).toMatch(/^[0-9A-Z]{5}$/);
});

test("a transaction has the isolation, the access mode and the deferral asked for", async () => {
  const sql = neon(url);
  const settings = sql`select current_setting('transaction_isolation') i, current_setting('transaction_read_only') r,
    current_setting('transaction_deferrable') d`;
  const [asked] = await sql.transaction([settings], {
    isolationLevel: "Serializable",
    readOnly: true,
    deferrable: true,
  });
  expect(asked).toEqual([{ i: "serializable", r: "on", d: "on" }]);
  const [plain] = await sql.transaction([settings]);
  expect(plain).toEqual([{ i: "read committed", r: "off", d: "off" }]);
});

test("the options of a batch are repeated in the response, and an unknown isolation is refused", async () => {
  const options = {
    "neon-batch-isolation-level": "RepeatableRead",
    "neon-batch-read-only": "true",
  };
  const batch = { queries: [{ query: "select 1" }] };
  const answered = await post(batch, { ...options, "neon-batch-deferrable": "false" });
  expect(answered.status).toBe(200);
  expect(answered.headers.get("neon-batch-isolation-level")).toBe("RepeatableRead");
  expect(answered.headers.get("neon-batch-read-only")).toBe("true");
  expect(answered.headers.get("neon-batch-deferrable")).toBe(null);
  const refused = await post(batch, { "neon-batch-isolation-level": "Snapshot" });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ message: "invalid isolation level" });
});

test("array mode is the header's unless a query says otherwise", async () => {
  const queries = [{ query: "select 1 as a" }, { query: "select 1 as a", arrayMode: false }];
  const { results } = (await (await post({ queries })).json()) as { results: unknown[] };
  expect(results).toMatchObject([
    { rowAsArray: true, rows: [["1"]] },
    { rowAsArray: false, rows: [{ a: "1" }] },
  ]);
});

test("commands without rows report their name, and a count only where there is one", async () => {
  const outcomes = [];
  for (const query of [
    "create temp table t ()",
    "update leads set name = 'x'",
    "",
    "listen here",
  ]) {
    const { command, rowCount } = (await (await post({ query })).json()) as Record<string, unknown>;
    outcomes.push([command, rowCount]);
  }
  expect(outcomes).toEqual([
    ["CREATE", null],
    ["UPDATE", 0],
    ["", null],
    ["LISTEN", null],
  ]);
});

test.for([
  ["a wrong password", { password: "wrong" }, "28P01"],
  ["an unknown user", { username: "stranger" }, "28P01"],
  ["an unknown database", { pathname: "/nowhere" }, "3D000"],
] as const)(
  "%s is Postgres's own error, over HTTP and over a WebSocket",
  async ([, change, code]) => {
    const target = new URL(url);
    Object.assign(target, change);
    expect(await failure(neon(target.href)`select 1`)).toMatchObject({ code, severity: "FATAL" });
    // The driver sends the password along and calls itself connected before the answer.
    const client = new NeonClient(target.href);
    const refused = new Promise((resolve) => client.once("error", resolve));
    client.on("error", () => {});
    await client.connect();
    expect(await refused).toMatchObject({ code });
  },
);

test("what is no request of the protocol is refused with 400 and a message", async () => {
  const refused = [
    await post("{"),
    await post({ query: 1 }),
    await post({ query: "select 1", params: {} }),
    await post({ query: "select 1" }, { "neon-connection-string": "mysql://u:p@h/d" }),
    await post({ query: "select 1" }, { "neon-connection-string": "postgres://u@h/d" }),
    await fetch(gateway.httpEndpoint),
    await fetch(`${gateway.url}/elsewhere`, { method: "POST" }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 400]);
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
      "select from pg_stat_activity where state like 'idle in transaction%'",
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
      "select from pg_stat_activity where query like 'select pg_sleep%'and state = 'active'",
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
  const other = neon(postgres.urlFor("postgres"));
  expect(await other`select current_database() as name`).toEqual([{ name: "postgres" }]);
});

test("a database that is dropped and made again answers at once", async () => {
  const passing = neon(await postgres.createDatabase("passing"));
  expect(await passing`create table here ()`).toEqual([]);
  await postgres.dropDatabase("passing");
  await postgres.createDatabase("passing");
  expect(await passing`select to_regclass('here') as gone`).toEqual([{ gone: null }]);
});

test("an interactive transaction works over a WebSocket, and rolls back", async () => {
  const pool = new NeonPool({ connectionString: url });
  const client = await pool.connect();
  await client.query("begin");
  const inserted = await client.query("insert into leads values ($1, $2) returning id", [1, "A"]);
  expect(inserted.rows).toEqual([{ id: 1 }]);
  expect((await direct.query("select from leads")).rowCount).toBe(0);
  await client.query("rollback");
  await client.query("begin");
  await client.query("insert into leads values (2, 'B')");
  await client.query("commit");
  client.release();
  expect((await pool.query("select id from leads")).rows).toEqual([{ id: 2 }]);
  await pool.end();
});

test("large results and large parameters pass a WebSocket unharmed", async () => {
  const text = "ü".repeat(3_000_000);
  const rows = await overWebSocket(async (client) => {
    const echoed = await client.query("select $1::text as text", [text]);
    const many = await client.query("select repeat('y', 1000) as y from generate_series(1, 20000)");
    return [echoed.rows[0].text === text, many.rows.length];
  });
  expect(rows).toEqual([true, 20000]);
});

test("a WebSocket that is dropped ends its session in Postgres", async () => {
  const client = webSocketClient(`${url}?application_name=dropped`);
  await client.connect();
  await client.query("select 1");
  const sessions = () =>
    direct.query("select from pg_stat_activity where application_name = 'dropped'");
  expect((await sessions()).rowCount).toBe(1);
  await client.end();
  await vi.waitFor(async () => expect((await sessions()).rowCount).toBe(0), { timeout: 5000 });
});

test("a lost reply leaves the statement applied", async () => {
  gateway.faults.order("reply_lost", 1);
  const sql = neon(url);
  expect((await failure(sql`insert into leads values (1, 'A')`)).code).toBeUndefined();
  expect(await sql`select id from leads`).toEqual([{ id: 1 }]);
});

test.for([
  ["refuse", undefined, "Error connecting to database"],
  ["server_error", undefined, "Server error (HTTP status 500)"],
  ["serialization_error", "40001", "could not serialize access"],
] as const)("the fault %s applies nothing, once", async ([fault, code, message]) => {
  gateway.faults.order(fault, 1);
  const sql = neon(url);
  const error = await failure(sql`insert into leads values (1, 'A')`);
  expect(error.code).toBe(code);
  expect(error.message).toContain(message);
  expect(await sql`select id from leads`).toEqual([]);
});

test("a refused WebSocket fails to connect", async () => {
  gateway.faults.order("refuse", 1);
  const client = webSocketClient(url);
  await expect(client.connect()).rejects.toBeDefined();
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
        headers: { "neon-connection-string": url },
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
