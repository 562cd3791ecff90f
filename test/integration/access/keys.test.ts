import { describe, expect, test } from "vitest";
import type { Tenant } from "../../support/api.ts";
import { api, useApi } from "../../support/use-api.ts";

useApi();

const KEYS = "/api/v1/api-keys";

async function keyOf(tenant: Tenant, wanted: object): Promise<string> {
  const { status, body } = await tenant.callAsUser("POST", KEYS, { name: "CI", ...wanted });
  expect(status).toBe(201);
  return body.key;
}

async function ask(key: string, at: string, method = "GET") {
  const response = await api.request(at, { method, headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, body: await response.json() };
}

describe("a key with scopes", () => {
  test("is let in where they say, a second time too, and nowhere else", async () => {
    const key = await keyOf(await api.tenant(), { scopes: ["leads:read", "campaigns:read"] });
    // A read begins while a key of a moment ago is checked again: the second answer is that way's.
    for (const _ of [1, 2]) {
      expect((await ask(key, "/api/v1/campaigns/")).status).toBe(200);
      expect(await ask(key, "/api/v1/mailer/aliases")).toMatchObject({
        status: 403,
        body: { detail: "SCOPE_MISSING", scope: "mailer:read" },
      });
    }
    expect((await ask(key, "/api/v1/auth/me")).status).toBe(200);
  });

  test("that was revoked is unknown before it lacks anything", async () => {
    const tenant = await api.tenant();
    const key = await keyOf(tenant, { scopes: ["leads:read"] });
    expect((await ask(key, "/api/v1/campaigns/")).status).toBe(403);
    await api.sql.query("update api_keys set revoked_at = now() where workspace_id = $1", [
      tenant.workspaceId,
    ]);
    expect((await ask(key, "/api/v1/campaigns/")).status).toBe(401);
  });

  test.each([
    ["none", []],
    ["an unknown one", ["campaigns:fly"]],
    ["one twice", ["leads:read", "leads:read"]],
    ["a text", "leads:read"],
  ])("is not made with %s", async (_name, scopes) => {
    const tenant = await api.tenant();
    const { status } = await tenant.callAsUser("POST", KEYS, { name: "CI", scopes });
    expect(status).toBe(422);
  });
});

test("a key of before scopes may do everything", async () => {
  const tenant = await api.tenant();
  const { rows } = await api.sql.query("select scopes from api_keys where workspace_id = $1", [
    tenant.workspaceId,
  ]);
  expect(rows).toEqual([{ scopes: null }]);
  expect((await tenant.call("GET", "/api/v1/campaigns/")).status).toBe(200);
});

test("a key is refused from the instant at which it expires, and not made with one that is over", async () => {
  const tenant = await api.tenant();
  const now = api.deps.clock.now();
  const at = new Date(now.getTime() + 3_600_000).toISOString();
  const key = await keyOf(tenant, { expires_at: at });
  expect((await ask(key, "/api/v1/campaigns/")).status).toBe(200);
  api.advance(3_600);
  const refused = await ask(key, "/api/v1/campaigns/");
  expect(refused.status).toBe(401);
  expect(JSON.stringify(refused.body)).toContain("expired");
  const { status, body } = await tenant.callAsUser("POST", KEYS, { name: "CI", expires_at: at });
  expect([status, body.detail]).toEqual([422, "VALIDATION_ERROR"]);
});
