/** The console's session: what it is sealed for, where it counts, and when it ends. */
import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createDerivedVault } from "#src/platform/vault.ts";
import { systemRandomBytes } from "#src/platform/system.ts";
import { PUBLIC_BASE_URL } from "../../support/api.ts";
import { FROM_OURS, signIn, type Asked } from "../../support/console-session.ts";
import { api, tenant, useApi } from "../../support/use-api.ts";

useApi();

const SESSION = "/api/v1/auth/session";
const HOUR = 3_600;

async function ask(
  cookie: string,
  { path = "/api/v2/auth/me", method = "GET", headers = FROM_OURS, body }: Asked = {},
) {
  const response = await api.request(path, {
    method,
    headers: {
      cookie,
      ...headers,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows what it asked for
  const answer: any = await response.json();
  return { status: response.status, headers: response.headers, body: answer };
}

describe("a session begins", () => {
  test("by a key, kept where no script and no other site gets it", async () => {
    const { status, headers, body } = await signIn(api, tenant.key);
    expect(status).toBe(201);
    expect(body).toMatchObject({ via: "key", workspace_id: tenant.workspaceId, plan: "paid" });
    const cookie = headers.get("set-cookie")!;
    expect(cookie).toMatch(
      /^__Host-overture=v1\.[\w.-]+; Max-Age=43(?:200|19\d); Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(cookie, "the key itself is nowhere in it").not.toContain(tenant.key.slice(9));
  });

  test("by a login token, and is not longer than the token", async () => {
    const jwt = await api.token({ subject: randomUUID(), expiresIn: "20m" });
    const { body, headers } = await signIn(api, jwt);
    expect(body).toMatchObject({ via: "login", plan: "free" });
    const left = new Date(body.expires_at).getTime() - api.deps.clock.now().getTime();
    expect(left).toBeLessThanOrEqual(20 * 60_000);
    expect(headers.get("set-cookie")).toMatch(/Max-Age=1(199|200|198);/);
  });

  test("and lasts 12 hours at most, or as the operator says", async () => {
    const { settings, clock } = api.deps;
    const usual = settings.sessionHours;
    for (const hours of [usual, 1]) {
      settings.sessionHours = hours;
      const jwt = await api.token({ subject: randomUUID(), expiresIn: "30d" });
      const { body } = await signIn(api, jwt);
      const left = new Date(body.expires_at).getTime() - clock.now().getTime();
      expect(Math.round(left / 1000 / HOUR)).toBe(hours);
    }
    settings.sessionHours = usual;
    expect(usual).toBe(12);
  });

  test("and not longer than its key", async () => {
    const expires_at = new Date(api.deps.clock.now().getTime() + HOUR * 1000).toISOString();
    const { body: key } = await tenant.callAsUser("POST", "/api/v1/api-keys", {
      name: "an hour",
      expires_at,
    });
    expect((await signIn(api, key.key)).body.expires_at).toBe(expires_at);
  });

  test.each([
    ["an unknown key", `svc_live_${"x".repeat(43)}`],
    ["what is none", "nonsense"],
    ["a token signed by another", () => api.token({ secret: "x".repeat(40) })],
    ["a token that is over", () => api.token({ expiresIn: "-1h" })],
  ])("not by %s: 401, and no cookie", async (_, credential) => {
    const text = typeof credential === "string" ? credential : await credential();
    const { status, headers } = await signIn(api, text);
    expect([status, headers.get("set-cookie")]).toEqual([401, null]);
  });

  test.each([
    ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["a sibling domain", { "sec-fetch-site": "same-site" }],
    ["an old browser on another site", { origin: "https://evil.example" }],
    ["a page without an origin", { origin: "null" }],
  ])("not for %s: nobody is signed in to an account that they do not know", async (_, headers) => {
    const reply = await signIn(api, tenant.key, headers);
    expect([reply.status, reply.body.detail]).toEqual([403, "FOREIGN_PAGE"]);
    expect(reply.headers.get("set-cookie")).toBeNull();
  });

  test("30 times a minute from one address", async () => {
    const statuses = [];
    for (let count = 0; count < 31; count++)
      statuses.push((await signIn(api, "nonsense", { "cf-connecting-ip": "203.0.113.9" })).status);
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(401));
    expect(statuses[30]).toBe(429);
  });
});

describe("a session counts", () => {
  test("for requests of our own pages", async () => {
    const { cookie } = await signIn(api, tenant.jwt);
    expect(await ask(cookie)).toMatchObject({ status: 200, body: { id: tenant.userId } });
    expect(await ask(cookie, { path: SESSION })).toMatchObject({
      status: 200,
      body: { via: "login", user_id: tenant.userId },
    });
  });

  test("with our origin, in a browser that does not say where a request is from", async () => {
    const { cookie } = await signIn(api, tenant.jwt);
    const headers = { origin: PUBLIC_BASE_URL };
    expect((await ask(cookie, { headers })).status).toBe(200);
  });

  test.each([
    ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    [
      "another site that has our origin's name in its own",
      { origin: `${PUBLIC_BASE_URL}.evil.example` },
    ],
    ["another port of this host", { "sec-fetch-site": "same-site", origin: PUBLIC_BASE_URL }],
    ["the address bar", { "sec-fetch-site": "none" }],
    ["who says nothing", {}],
  ])("not from %s", async (_, headers) => {
    const { cookie } = await signIn(api, tenant.jwt);
    for (const method of ["GET", "DELETE"]) {
      const path = method === "GET" ? "/api/v2/auth/me" : "/api/v2/workspace";
      const { status, body } = await ask(cookie, { method, path, headers });
      expect([method, status, body.code]).toEqual([method, 401, "UNAUTHENTICATED"]);
    }
  });

  test("not beside a bearer, who is asked in its place", async () => {
    const other = await api.tenant();
    const { cookie } = await signIn(api, tenant.key);
    const bearer = (text: string) => ({ ...FROM_OURS, authorization: `Bearer ${text}` });
    const { body } = await ask(cookie, { headers: bearer(other.key) });
    expect(body.id).toBe(other.userId);
    expect((await ask(cookie, { headers: bearer("nonsense") })).status).toBe(401);
    const headers = { ...FROM_OURS, authorization: "Basic YTpi" };
    expect((await ask(cookie, { headers })).status).toBe(401);
  });

  test("and of a key it makes no keys", async () => {
    const { cookie } = await signIn(api, tenant.key);
    const asked = { method: "POST", path: "/api/v1/api-keys", body: { name: "more" } };
    expect(await ask(cookie, asked)).toMatchObject({
      status: 403,
      body: { detail: "JWT_REQUIRED" },
    });
    const login = await signIn(api, tenant.jwt);
    expect((await ask(login.cookie, asked)).status).toBe(201);
  });

  test("with the scopes of its key", async () => {
    const { body: key } = await tenant.callAsUser("POST", "/api/v1/api-keys", {
      name: "reader",
      scopes: ["leads:read"],
    });
    const { cookie } = await signIn(api, key.key);
    expect((await ask(cookie, { path: "/api/v1/datasets" })).status).toBe(200);
    expect((await ask(cookie, { path: "/api/v1/mailer/aliases" })).body.detail).toBe(
      "SCOPE_MISSING",
    );
  });

  test("for the workspace that a page says it shows, and of a key for no other", async () => {
    const other = await api.tenant();
    const { cookie } = await signIn(api, tenant.key);
    const shows = (workspace: string) =>
      ask(cookie, { headers: { ...FROM_OURS, "overture-workspace": workspace } });
    expect((await shows(tenant.workspaceId.toUpperCase())).status).toBe(200);
    for (const each of [other.workspaceId, "none"])
      expect(await shows(each)).toMatchObject({ status: 403, body: { code: "NOT_A_MEMBER" } });
  });

  test("by a quota of its own, of the person", async () => {
    const free = await api.tenant({ plan: "free" });
    for (const credential of [free.jwt, free.key]) {
      const { cookie } = await signIn(api, credential);
      const { headers } = await ask(cookie);
      expect(headers.get("ratelimit-policy")).toBe('"session";q=300;w=60');
    }
    const { headers } = await free.call("GET", "/api/v1/auth/me");
    expect(headers.get("ratelimit-policy")).toBe('"workspace";q=60;w=60');
    expect(headers.get("ratelimit")).toMatch(/r=59;/);
  });
});

describe("a session ends", () => {
  test("at its time", async () => {
    const jwt = await api.token({ subject: randomUUID(), expiresIn: "20m" });
    const { cookie } = await signIn(api, jwt);
    api.advance(20 * 60 - 30);
    expect((await ask(cookie)).status).toBe(200);
    api.advance(60);
    expect((await ask(cookie)).body.code).toBe("SESSION_ENDED");
  });

  test("with its key", async () => {
    const { body: key } = await tenant.callAsUser("POST", "/api/v1/api-keys", { name: "short" });
    const { cookie } = await signIn(api, key.key);
    expect((await ask(cookie)).status).toBe(200);
    await tenant.callAsUser("DELETE", `/api/v1/api-keys/${key.id}`);
    // The second read begins while the key is checked again.
    for (const _ of [1, 2]) {
      const { status, body } = await ask(cookie);
      expect([status, body.code]).toEqual([401, "KEY_REVOKED"]);
    }
  });

  test("in this browser when it is signed out, also where nobody was signed in", async () => {
    const response = await api.request(SESSION, { method: "DELETE", headers: FROM_OURS });
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie")).toMatch(
      /^__Host-overture=; Max-Age=0; Path=\/; .*Secure/,
    );
  });

  test("not because another site says so", async () => {
    const headers = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    const response = await api.request(SESSION, { method: "DELETE", headers });
    expect([response.status, response.headers.get("set-cookie")]).toEqual([403, null]);
  });

  test("where it was changed, cut, sealed by another key or for another purpose", async () => {
    const { cookie } = await signIn(api, tenant.jwt);
    const sealed = cookie.slice(cookie.indexOf("=") + 1);
    const content = JSON.stringify({
      kind: "login",
      issuer: "https://login.test",
      subject: "a",
      email: null,
      from: 0,
      until: 9e15,
    });
    const foreign = createDerivedVault(randomBytes(32), "console sessions", systemRandomBytes);
    const forged = [
      sealed.slice(0, -1) + (sealed.endsWith("A") ? "B" : "A"),
      sealed.slice(0, 40),
      sealed.replace("v1.", "v2."),
      await foreign.seal(content, "session"),
      await api.deps.vault.seal(content, "session"),
      await api.deps.sessionVault.seal(content, "something else"),
      await api.deps.sessionVault.seal("{}", "session"),
      encodeURIComponent(content),
      "",
      "%00%ff",
      "a".repeat(8_000),
    ];
    for (const text of forged) {
      const { status, body } = await ask(`__Host-overture=${text}`);
      expect([text.slice(0, 50), status, body.code]).toEqual([
        text.slice(0, 50),
        401,
        "SESSION_ENDED",
      ]);
    }
    expect((await ask(`overture=${sealed}; other=${sealed}`)).body.code).toBe("UNAUTHENTICATED");
  });
});

test("how people sign in is told to everybody", async () => {
  const response = await api.request("/api/v2/auth/config");
  expect(await response.json()).toEqual({ login: false, paste: true });
});
