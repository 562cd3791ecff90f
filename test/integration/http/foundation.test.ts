import * as fs from "node:fs";
import { expect, test } from "vitest";
import { createApp } from "#src/app.ts";
import { ConfigError } from "#src/config.ts";
import { checkReadiness } from "#src/domain/workspace/health/check.ts";
import { patience } from "../../support/patience.ts";
import { api, useApi } from "../../support/use-api.ts";

useApi();

/** A reply can be any JSON; each test knows what it asked for. */
// oxlint-disable-next-line typescript/no-explicit-any
const json = (reply: Response): Promise<any> => reply.json();
const bearer = (credential: string) => ({ headers: { authorization: `Bearer ${credential}` } });
const statusOf = async (path: string) => (await api.request(path)).status;

test("liveness answers without touching any dependency, and even without a configuration", async () => {
  const app = createApp({
    now: () => new Date(0),
    makeDeps: () => {
      throw new ConfigError(["DATABASE_URL: is missing"]);
    },
  });
  const ask = (path: string, init?: RequestInit) =>
    app.fetch(new Request(`http://localhost${path}`, init));
  for (const path of ["/health", "/api/v1/health"]) {
    const reply = await ask(path);
    expect([reply.status, await json(reply)]).toEqual([
      200,
      { status: "ok", timestamp: "1970-01-01T00:00:00.000Z" },
    ]);
  }
  expect((await ask("/api/v1/ready")).status).toBe(503);
  const other = await ask("/api/v1/campaigns/", { headers: { "x-request-id": "mine" } });
  expect([other.status, other.headers.get("x-request-id")]).toEqual([503, "mine"]);
});

test("an answer has the service's own date, whatever it answers", async () => {
  for (const path of ["/api/v1/health", "/api/v2/campaigns/", "/no/such/page"]) {
    const date = (await api.request(path)).headers.get("date");
    const now = api.deps.clock.now().getTime();
    expect(Math.abs(Date.parse(date ?? "") - now)).toBeLessThan(patience(10_000));
    expect(date).toBe(new Date(Date.parse(date!)).toUTCString());
  }
});

test("readiness looks at the database and its migrations", async () => {
  expect(await json(await api.request("/api/v1/ready"))).toMatchObject({
    status: "ready",
    checks: { configuration: "ok", database: "ok", migrations: "ok" },
  });
  await api.sql.query(
    "update drizzle.__drizzle_migrations set created_at = created_at - 1000000000000",
  );
  const reply = await api.request("/api/v1/ready");
  await api.sql.query(
    "update drizzle.__drizzle_migrations set created_at = created_at + 1000000000000",
  );
  const { checks } = await json(reply);
  expect([reply.status, checks.migrations]).toEqual([503, "failed"]);
  const execute = { value: () => Promise.reject(new Error("The database is away")) };
  const deps = { ...api.deps, db: Object.create(api.deps.db, { execute }) };
  expect(await checkReadiness(deps)).toEqual({ database: "failed", migrations: "failed" });
});

test("the status is 503 when the engine has not run for 30 minutes, degraded without the cache, at both paths", async () => {
  await api.sql.query("insert into engine_state (id, last_tick_at) values (1, $1)", [new Date()]);
  for (const path of ["/api/v1/status", "/api/v1/api/v1/status"]) {
    expect((await json(await api.request(path))).components.workflow_engine.status).toBe("healthy");
  }
  api.redis.faults.order("unavailable", 1);
  const degraded = await api.request("/api/v1/status");
  expect([degraded.status, (await json(degraded)).status]).toEqual([200, "degraded"]);
  await api.sql.query("update engine_state set last_tick_at = $1", [
    new Date(Date.now() - 31 * 60_000),
  ]);
  expect(await statusOf("/api/v1/status")).toBe(503);
});

test("a key works from creation to revocation, and the full key is shown once", async () => {
  const tenant = await api.tenant();
  const created = await tenant.callAsUser("POST", "/api/v1/api-keys", { name: "CI" });
  expect(created.status).toBe(201);
  expect(Object.keys(created.body).toSorted()).toEqual([
    "created_at",
    "id",
    "key",
    "key_prefix",
    "name",
  ]);
  expect(created.body.key).toMatch(/^svc_live_[A-Za-z0-9_-]{43}$/);
  expect(created.body.key_prefix).toBe(created.body.key.slice(0, 13));
  expect((await api.request("/api/v1/auth/me", bearer(created.body.key))).status).toBe(200);
  const { rows } = await api.sql.query("select * from api_keys where id = $1", [created.body.id]);
  expect(JSON.stringify(rows)).not.toContain(created.body.key.slice(13));
  expect((await tenant.callAsUser("DELETE", `/api/v1/api-keys/${created.body.id}`)).status).toBe(
    200,
  );
  expect((await api.request("/api/v1/auth/me", bearer(created.body.key))).status).toBe(401);
});

test("a login makes user and workspace at first sight, once, however many first requests come together", async () => {
  const jwt = await api.token({ subject: "auth0|first", email: "first@example.com" });
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => api.request("/api/v1/auth/me", bearer(jwt))),
  );
  const ids = await Promise.all(replies.map(async (reply) => (await json(reply)).workspace.id));
  expect(new Set(ids).size).toBe(1);
  expect((await json(await api.request("/api/v1/auth/verify", bearer(jwt)))).subject).toBe(
    "auth0|first",
  );
});

test.each([
  ["expired", { expiresIn: "-1 minute" }],
  ["of another issuer", { issuer: "https://evil.test" }],
  ["signed with another secret", { secret: "another-secret-of-at-least-32-characters!" }],
])("a login token %s is refused", async (_what, claims) => {
  expect((await api.request("/api/v1/auth/me", bearer(await api.token(claims)))).status).toBe(401);
});

test("an unsigned token is refused", async () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const forged = `${part({ alg: "none" })}.${part({ iss: "https://login.test", sub: "x", exp: 4_000_000_000 })}.`;
  expect((await api.request("/api/v1/auth/me", bearer(forged))).status).toBe(401);
});

/** Asks until it is refused: how many were answered before, the last of them, and the refusal. */
async function askUntilRefused<T extends { status: number }>(quota: number, ask: () => Promise<T>) {
  const answered: T[] = [];
  for (let count = 0; count < quota + 4; count++) {
    const reply = await ask();
    if (reply.status === 429) return { answered, refused: reply };
    answered.push(reply);
  }
  throw new Error(`${answered.length} requests, and no 429`);
}

const toNextMinute = () => api.advance(60 - ((Date.now() / 1000) % 60) + 1);

test("the 61st request of a free workspace in a minute is refused with Retry-After, and more keys add nothing", async () => {
  const free = await api.tenant({ plan: "free" });
  toNextMinute();
  let count = 0;
  const { answered, refused } = await askUntilRefused(60, () =>
    count++ % 2 === 0
      ? free.callAsUser("GET", "/api/v1/auth/me")
      : free.call("GET", "/api/v1/auth/me"),
  );
  expect(answered).toHaveLength(60);
  expect(answered.at(-1)!.headers.get("ratelimit")).toMatch(/"workspace";r=0;t=\d+/);
  expect([refused.status, refused.body.detail]).toEqual([429, "RATE_LIMITED"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(await statusOf("/health")).toBe(200);
  api.advance(61);
  expect((await free.call("GET", "/api/v1/auth/me")).status).toBe(200);
});

test("without the limiter's store reads go on, and key creation closes", async () => {
  const tenant = await api.tenant();
  api.redis.faults.order("unavailable", 2);
  expect((await tenant.call("GET", "/api/v1/auth/me")).status).toBe(200);
  expect((await tenant.callAsUser("POST", "/api/v1/api-keys", { name: "x" })).status).toBe(503);
});

test("too many refused credentials from one address are 429", async () => {
  const headers = { authorization: "Bearer nonsense", "cf-connecting-ip": "198.51.100.77" };
  toNextMinute();
  const { answered } = await askUntilRefused(30, () => api.request("/api/v1/auth/me", { headers }));
  expect(answered).toHaveLength(30);
  expect(answered.every(({ status }) => status === 401)).toBe(true);
});

test("an unknown path is 404", async () => {
  const unknown = await api.request("/api/v1/nothing");
  expect([unknown.status, Object.keys(await json(unknown))]).toEqual([404, ["detail"]]);
});

test("the docs page and the description are there for whoever asks, under the strictest policy", async () => {
  const [page, document] = await Promise.all([api.request("/docs"), api.request("/openapi.json")]);
  const { openapi, info } = await json(document);
  expect([openapi, info.version]).toEqual(["3.1.0", "1.0.0"]);
  expect(await page.text()).not.toMatch(/(src|href)="(https?:)?\/\//);
  const policy = page.headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'");
  expect(fs.readFileSync("public/_headers", "utf8")).toContain(
    `Content-Security-Policy: ${policy}`,
  );
  for (const file of fs.readdirSync("public/docs"))
    expect([file, (await api.request(`/docs/${file}`)).status]).toEqual([file, 200]);
});

test("the docs are text for who accepts markdown before a page, and name each operation once", async () => {
  const asked = async (accept?: string) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const response = await api.request("/docs", { headers });
    return { response, type: response.headers.get("content-type") };
  };
  const page = "text/html; charset=utf-8";
  const text = "text/markdown; charset=utf-8";
  for (const [accept, type] of [
    [undefined, page],
    ["*/*", page],
    ["text/html,application/xhtml+xml;q=0.9", page],
    ["text/markdown;q=0.5, text/html", page],
    ["text/markdown", text],
    ["text/markdown, text/html;q=0.8, */*;q=0.1", text],
    ["text/" + "x".repeat(5000), page],
  ] as const) {
    const { response, type: answered } = await asked(accept);
    expect([accept?.slice(0, 50), answered]).toEqual([accept?.slice(0, 50), type]);
    expect(response.headers.get("vary")).toContain("Accept");
  }
  const markdown = await (await asked(text)).response.text();
  expect(markdown).toBe(await (await api.request("/docs.md")).text());
  const { paths } = await json(await api.request("/openapi/v2.json"));
  for (const [path, methods] of Object.entries(paths))
    for (const method of Object.keys(methods as object))
      expect(markdown.split(`\`${method.toUpperCase()} ${path}\``)).toHaveLength(2);
  expect(markdown).toContain("/api/x402/v1/email/verify");
  expect(Buffer.byteLength(markdown)).toBeLessThan(60_000);
});

test.each(["/c/x", "/o/x", "/u/x", "/docs", "/oauth/mail/callback"])(
  "%s is a public page, and no operation of the description",
  async (path) => {
    const page = await api.request(path);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    const { paths } = await json(await api.request("/openapi.json"));
    const [area] = path.split("x");
    expect(Object.keys(paths).filter((each) => each.startsWith(area!))).toEqual([]);
  },
);
