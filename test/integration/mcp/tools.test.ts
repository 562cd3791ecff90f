import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Scope, SCOPES } from "#src/domain/access/scopes.ts";
import { PUBLIC_BASE_URL } from "../../support/api.ts";
import { createCampaign, launchable } from "../../support/campaigns.ts";
import { type Agent, connect, keyOf } from "../../support/mcp-clients.ts";
import { serve } from "../../support/serve.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi();
let served: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  served = await serve(api);
});
afterAll(() => served.close());

const keyWith = (scopes: Scope[] | null) => keyOf(api, tenant, { scopes });

async function withAgent<T>(key: string, work: (agent: Agent) => Promise<T>): Promise<T> {
  api.forgetQuotas();
  const agent = await connect("2026", { url: `${served.url}/mcp`, key });
  return work(agent).finally(() => agent.close());
}

/** The tools that a key with that one scope is shown. */
const SHOWN: Partial<Record<Scope, string[]>> = {
  "campaigns:read": ["overview", "find", "get", "why_not_sending", "forecast", "plan_campaign"],
  "campaigns:write": ["review_drafts", "control_campaign", "apply_plan"],
  "campaigns:send": ["launch_campaign"],
  "leads:read": ["find", "get"],
  "leads:write": ["import_leads"],
  "mailer:read": ["find", "get"],
  "mailer:send": ["send_email"],
  "network:read": ["find"],
  "conversations:read": ["overview", "find", "read_conversation"],
  "conversations:send": ["send_email"],
  "billing:read": ["overview"],
  "events:read": ["events"],
  "verify:run": ["verify_email", "find_email", "find_profile", "search_prospects"],
};
const EVERY_TOOL = [...new Set(Object.values(SHOWN).flat())];

describe("tools are listed and done by the key's scopes", () => {
  test.each(Object.keys(SCOPES) as Scope[])("a key with %s alone", async (scope) => {
    const shown = SHOWN[scope] ?? [];
    await withAgent((await keyWith([scope])).key, async (agent) => {
      expect((await agent.tools()).map(({ name }) => name).toSorted()).toEqual(shown.toSorted());
      // What is not listed is not there for a caller that knows its name.
      const hidden = EVERY_TOOL.find((name) => !shown.includes(name))!;
      await expect(agent.use(hidden)).rejects.toThrow(/no tool/);
    });
  });

  test("a key without limits sees all, in at most 22 kB", async () => {
    const response = await ask(tenant.key, { method: "tools/list" });
    const text = await response.text();
    const { tools } = JSON.parse(text).result as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name).toSorted()).toEqual(EVERY_TOOL.toSorted());
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(22_000);
    // A schema without a word of its own, which the official inspector warns of.
    expect(text).not.toContain('"additionalProperties":{}');
  });

  test("a tool does no more than its key may: of an overview only what it may see is there", async () => {
    await withAgent((await keyWith(["billing:read"])).key, async (agent) => {
      expect(Object.keys((await agent.use("overview")).body)).toEqual(["credits"]);
    });
    await withAgent((await keyWith(["leads:read"])).key, async (agent) => {
      expect(await agent.use("find", { what: "campaigns" })).toMatchObject({
        isError: true,
        body: { status: 403, code: "SCOPE_MISSING" },
      });
    });
  });

  test("an argument that no tool knows, or of a wrong kind, is said", async () => {
    await withAgent(tenant.key, async (agent) => {
      for (const given of [{ what: "campaigns", sort: "name" }, { what: "cats" }, {}])
        expect(await agent.use("find", given)).toMatchObject({
          isError: true,
          body: { code: "VALIDATION_ERROR" },
        });
      // What an agent puts into an id reaches no other path.
      for (const id of ["../api-keys", "%2e%2e%2fapi-keys", "?limit=1", ""])
        expect(await agent.use("get", { what: "campaign", id })).toMatchObject({ isError: true });
    });
  });

  test("what another workspace has is not there", async () => {
    const other = await api.tenant();
    const made = await launchable(api, other);
    const { campaign_id } = await createCampaign(other, made.body);
    await withAgent(tenant.key, async (agent) => {
      expect((await agent.use("find", { what: "campaigns" })).body.items).toEqual([]);
      for (const [name, given] of [
        ["get", { what: "campaign", id: campaign_id }],
        ["why_not_sending", { campaign_id }],
        ["launch_campaign", { campaign_id, action: "launch" }],
        ["control_campaign", { campaign_id, action: "pause" }],
      ] as const)
        expect(await agent.use(name, given)).toMatchObject({
          isError: true,
          body: { status: 404 },
        });
    });
  });
});

let lastId = 0;
const ask = (key: string | null, call: object, headers: Record<string, string> = {}) =>
  api.request("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      ...("method" in call ? { "mcp-method": String(call.method) } : {}),
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: ++lastId,
      ...call,
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "tests", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  });
const LIST = { method: "tools/list" };

describe("who is let in", () => {
  const METADATA = "/.well-known/oauth-protected-resource";

  test.each([
    ["none", null, `Bearer resource_metadata=`],
    [
      "a made-up key",
      `svc_live_${"x".repeat(43)}`,
      `Bearer error="invalid_token", resource_metadata=`,
    ],
    // Made for whatever application: at a resource of its own that is not enough (RFC 8707).
    [
      "a login token without an audience",
      "jwt",
      `Bearer error="invalid_token", resource_metadata=`,
    ],
    ["a word", "hello", `Bearer error="invalid_token", resource_metadata=`],
  ])("with %s as the credential it is 401, which says where to read on", async (_, key, says) => {
    const response = await ask(key === "jwt" ? tenant.jwt : key, LIST);
    expect(response.status).toBe(401);
    const where = `${PUBLIC_BASE_URL}${METADATA}/mcp`;
    expect(response.headers.get("www-authenticate")).toBe(`${says}"${where}"`);
  });

  test("the resource's metadata says its name, how credentials are shown and which scopes there are", async () => {
    for (const path of [METADATA, `${METADATA}/mcp`]) {
      const response = await api.request(path);
      expect(await response.json()).toMatchObject({
        resource: `${PUBLIC_BASE_URL}/mcp`,
        bearer_methods_supported: ["header"],
        scopes_supported: expect.arrayContaining(["campaigns:send"]),
      });
    }
  });

  test("what is written for agents is there, and each of its links leads somewhere", async () => {
    const text = await (await api.request("/llms.txt")).text();
    const links = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThan(4);
    // This deployment sells nothing; the paid tools' own test reads what one that does names.
    const sold = ["/.well-known/x402", "/.well-known/did.json"];
    for (const link of links.filter((each) => !sold.includes(each)))
      expect([link, (await api.request(link)).status]).toEqual([link, link === "/mcp" ? 401 : 200]);
    expect((await api.request("/.well-known/x402")).status).toBe(404);
  });

  test("a key is out from the moment it is revoked", async () => {
    const { id, key } = await keyWith(null);
    expect((await ask(key, LIST)).status).toBe(200);
    await tenant.callAsUser("DELETE", `/api/v1/api-keys/${id}`);
    expect((await ask(key, LIST)).status).toBe(401);
  });

  test.each([
    ["scope in one text", { scope: "openid campaigns:read offline_access" }, true],
    ["scp in a list", { scp: ["campaigns:read"] }, true],
    ["none of ours", { scope: "openid profile" }, false],
    ["none at all", {}, false],
  ])(
    "an agent's login token that was granted %s may no more than that, and all where none is ours",
    async (_, claims, isLess) => {
      const { sub } = decodeJwt(tenant.jwt);
      const token = await api.token({
        subject: sub!,
        more: { ...claims, aud: `${PUBLIC_BASE_URL}/mcp` },
      });
      await withAgent(token, async (agent) => {
        const shown = (await agent.tools()).map(({ name }) => name);
        expect(shown.toSorted()).toEqual(
          (isLess ? SHOWN["campaigns:read"]! : EVERY_TOOL).toSorted(),
        );
        const leads = await agent.use("find", { what: "datasets" });
        expect([leads.isError, leads.body.code]).toEqual(
          isLess ? [true, "SCOPE_MISSING"] : [false, undefined],
        );
      });
      const elsewhere = (path: string, body: object) =>
        api.request(path, {
          method: "POST",
          headers: {
            authorization: `Bearer ${token}`,
            "content-type": "application/json",
            origin: PUBLIC_BASE_URL,
          },
          body: JSON.stringify(body),
        });
      const key = await elsewhere("/api/v2/api-keys", { name: "Mine" });
      const session = await elsewhere("/api/v2/auth/session", { credential: token });
      expect([key.status, session.status]).toEqual(isLess ? [403, 403] : [201, 201]);
    },
  );

  test("a page of another origin is refused before its key is looked at", async () => {
    for (const origin of ["https://evil.test", "null", "http://overture.test"])
      expect((await ask(tenant.key, LIST, { origin })).status).toBe(403);
    expect((await ask(tenant.key, LIST, { origin: PUBLIC_BASE_URL })).status).toBe(200);
  });

  test("the cookie of a console counts for nothing", async () => {
    expect((await ask(null, LIST, { cookie: "session=x" })).status).toBe(401);
  });

  test("what names a caller from outside names nobody: each key has its own workspace", async () => {
    const other = await api.tenant();
    const response = await ask(tenant.key, LIST, { "overture-workspace": other.workspaceId });
    expect(response.status).toBe(200);
  });

  test("no stream is opened, and other methods are refused", async () => {
    const headers = { authorization: `Bearer ${tenant.key}`, accept: "text/event-stream" };
    for (const method of ["GET", "DELETE"])
      expect((await api.request("/mcp", { method, headers })).status).toBe(405);
    const listening = await ask(tenant.key, { method: "subscriptions/listen" });
    expect(await listening.text()).toContain("error");
  });

  test("a body over the limit, or none that is JSON, is refused", async () => {
    const post = (body: string) =>
      api.request("/mcp", {
        method: "POST",
        headers: {
          authorization: `Bearer ${tenant.key}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body,
      });
    expect((await post(`"${"x".repeat(1_100_000)}"`)).status).toBe(413);
    expect((await post("{")).status).toBe(400);
    expect((await post("[]")).status).toBe(400);
  });
});

describe("an answer", () => {
  test("has at most 40 kB, and says what was left out", async () => {
    const rows = Array.from({ length: 200 }, (_, n) => ({
      ...{ email: `big${n}@example.zz`, first_name: "N".repeat(90) },
      ...{ note: "long ".repeat(200), other: "words ".repeat(200) },
    }));
    await withAgent(tenant.key, async (agent) => {
      const { body } = await agent.use("import_leads", { name: "Big", rows });
      expect(body).toMatchObject({ created: 200 });
      const of = { what: "leads", dataset_id: body.dataset_id, limit: 50 };
      const found = await agent.use("find", of);
      expect(found.bytes).toBeLessThanOrEqual(40_000);
      expect(found.body.cut).toMatch(/texts|lists/);
    });
  });

  test("of a campaign that is paused says so", async () => {
    const made = await launchable(api, tenant);
    const { campaign_id } = await createCampaign(tenant, made.body);
    await query`update campaigns set status = 'active', launched_at = now() where id = ${campaign_id}`;
    await withAgent(tenant.key, async (agent) => {
      const paused = await agent.use("control_campaign", { campaign_id, action: "pause" });
      expect(paused.body).toMatchObject({ campaign_id, status: "paused" });
      const why = await agent.use("why_not_sending", { campaign_id });
      expect(JSON.stringify(why.body)).toContain("paused");
    });
  });
});
