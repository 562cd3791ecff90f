import { neonConfig } from "@neondatabase/serverless";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createApp } from "#src/app.ts";
import type { Deps } from "#src/deps.ts";
import { startApi, type Tenant, type TestApi } from "../../support/api.ts";

let api: TestApi;
let tenant: Tenant;
/** Statements that were asked, by the text of each. */
let asked: string[];
/** What a statement waits for before it is asked; nothing without one. */
let gate: (statement: string) => Promise<void> | undefined;

const ofKey = (statement: string) => statement.includes("api_keys");
const ofList = (statement: string) => statement.includes("suppressions");

beforeAll(async () => {
  api = await startApi();
  const inner = neonConfig.fetchFunction as typeof fetch;
  neonConfig.fetchFunction = async (url: string, init: RequestInit) => {
    asked.push(String(init.body));
    await gate(String(init.body));
    return inner(url, init);
  };
});
afterAll(() => api.close());
beforeEach(async () => {
  asked = [];
  gate = () => undefined;
  tenant = await api.tenant({ plan: "free" });
  // To the beginning of a minute: no test is to run across the end of one.
  api.advance(60 - ((api.deps.clock.now().getTime() / 1000) % 60));
  await read();
  // The first use of a key is written behind the answer.
  await api.settled();
  asked = [];
});

async function read(path = "/api/v1/suppressions", count?: Deps["cache"]["count"]) {
  const cache = { ...api.deps.cache, ...(count !== undefined && { count }) };
  const app = createApp({ now: () => new Date(), makeDeps: () => ({ ...api.deps, cache }) });
  const headers = { authorization: `Bearer ${tenant.key}` };
  return app.fetch(new Request(`http://localhost${path}`, { headers }));
}

const revoke = () =>
  api.sql.query("update api_keys set revoked_at = now() where workspace_id = $1", [
    tenant.workspaceId,
  ]);
const codeOf = async (reply: Response) => ((await reply.json()) as { detail: string }).detail;

test("a read by a key of a moment ago makes one trip to the database, for the key and for its answer", async () => {
  expect((await read()).status).toBe(200);
  expect(asked).toHaveLength(1);
  expect([ofKey(asked[0]!), ofList(asked[0]!)]).toEqual([true, true]);
});

test("where Postgres refuses the answer's statement, the key is checked by itself", async () => {
  await api.sql.query("alter table suppressions rename to suppressed_elsewhere");
  try {
    expect((await read()).status).toBe(500);
    expect(asked.map((one) => [ofKey(one), ofList(one)])).toEqual([
      [true, true],
      [true, false],
      [false, true],
    ]);
    await revoke();
    const reply = await read();
    expect([reply.status, await codeOf(reply)]).toEqual([401, "KEY_REVOKED"]);
  } finally {
    await api.sql.query("alter table suppressed_elsewhere rename to suppressions");
  }
});

test("nothing of the work is told to a key that was revoked: not its answer, not what it missed, not what is wrong with the request", async () => {
  for (const path of ["", "/00000000-0000-4000-8000-000000000000", "/1", "?limit=none"]) {
    tenant = await api.tenant({ plan: "free" });
    await read();
    await revoke();
    const reply = await read(`/api/v1/suppressions${path}`);
    expect([path, reply.status, await codeOf(reply)]).toEqual([path, 401, "KEY_REVOKED"]);
    expect(reply.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
  }
});

test("over the quota nothing of the work is told, and until the window ends the database is not asked", async () => {
  const over = (keys: { key: string }[]) => Promise.resolve(keys.map(() => 61));
  const first = await read("/api/v1/suppressions/00000000-0000-4000-8000-000000000000", over);
  expect([first.status, await codeOf(first)]).toEqual([429, "RATE_LIMITED"]);
  asked = [];
  for (let times = 0; times < 3; times++) {
    const reply = await read();
    expect(reply.status).toBe(429);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(reply.headers.get("ratelimit")).toContain('"workspace";r=0');
  }
  expect(asked).toEqual([]);
  api.advance(60);
  expect((await read()).status).toBe(200);
});

test("a key that was revoked is refused as that, though its quota is used up as well", async () => {
  await revoke();
  // Of the workspace alone: refused credentials of an address have a quota of their own.
  const over = (keys: { key: string }[]) =>
    Promise.resolve(keys.map(({ key }) => (key.includes(tenant.workspaceId) ? 61 : 1)));
  const reply = await read("/api/v1/suppressions", over);
  expect([reply.status, await codeOf(reply)]).toEqual([401, "KEY_REVOKED"]);
});

test("a plan that changed since is the one by which it is counted, and the work is done anew", async () => {
  await api.sql.query("update workspaces set plan = 'paid' where id = $1", [tenant.workspaceId]);
  const reply = await read();
  expect(reply.headers.get("ratelimit-policy")).toBe('"workspace";q=600;w=60');
  expect(asked.filter(ofList)).toHaveLength(2);
  asked = [];
  expect((await read()).status).toBe(200);
  expect(asked).toHaveLength(1);
});

test("what fails at once is told when the key has been checked", async () => {
  const reply = await read("/api/v1/suppressions?limit=none");
  expect(reply.status).toBe(422);
  expect(reply.headers.get("ratelimit")).toContain('"workspace"');
  expect(asked.filter(ofKey)).toHaveLength(1);
});

test("a database that fails the read fails it, and one that fails the key's check lets nothing through", async () => {
  const away = new Error("the line is gone");
  gate = (statement) => (ofList(statement) ? Promise.reject(away) : undefined);
  expect((await read()).status).toBe(500);
  gate = (statement) => (ofKey(statement) ? Promise.reject(away) : undefined);
  expect((await read()).status).toBe(500);
});

test("an export begins when its caller is let in", async () => {
  await revoke();
  const path = "/api/v1/datasets/00000000-0000-4000-8000-000000000000/leads.csv";
  expect((await read(path)).status).toBe(401);
  expect(asked).toHaveLength(1);
});
