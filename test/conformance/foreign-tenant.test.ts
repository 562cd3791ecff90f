import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Tenant, type TestApi } from "../support/api.ts";
import { fill, operations } from "./operations.ts";
import { oneOfEach } from "./setting.ts";
import { startWholeApi } from "./upstreams.ts";

let api: TestApi;
let owner: Tenant;
let stranger: Tenant;
/** Of the owner's, for every path parameter. */
let ids: Record<string, string>;

/** Bodies that are right, so that only the id can be what is wrong. */
const BODIES: Record<string, unknown> = {
  changeConversation: { intent: "referral" },
  importDataset: undefined,
  createLead: { email: "x@example.com" },
  markCampaignLead: { as: "replied" },
  sendCampaignStepTest: { to_email: "x@example.com" },
  generatePlaygroundDrafts: { step_index: 1 },
  approveDraft: { step_index: 1 },
  unapproveDraft: { step_index: 1 },
  approvePlaygroundBatch: { batch_id: "00000000-0000-4000-8000-000000000000" },
  reconnectAccount: { username: "x@example.com", password: "secret" },
  addCampaignLeads: { lead_ids: ["00000000-0000-4000-8000-000000000000"] },
  connectMailAlias: { provider: "google" },
};
const CHANGE = { name: "Stolen", email: undefined };

beforeAll(async () => {
  api = await startWholeApi();
  [owner, stranger] = [await api.tenant(), await api.tenant()];
  ids = await oneOfEach(api, owner);
});
afterAll(() => api.close());

/** Everything the owner has, as the database holds it. */
async function snapshot(): Promise<string> {
  const { rows: tables } = await api.sql.query(
    "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'workspace_id' order by 1",
  );
  const parts = [];
  for (const { name } of tables) {
    const { rows } = await api.sql.query(
      `select to_jsonb(t) - 'last_used_at' as row from "${name}" t where workspace_id = $1 order by 1`,
      [owner.workspaceId],
    );
    parts.push(name, JSON.stringify(rows));
  }
  return parts.join("\n");
}

describe("another workspace's resources do not exist", () => {
  const routes = operations.filter(
    ({ parameters, access }) => parameters.length > 0 && access !== "public",
  );
  test.each(routes.map((operation) => [operation.name, operation] as const))(
    "%s with the owner's id and a stranger's credential: 404, nothing changed",
    async (_name, operation) => {
      const before = await snapshot();
      const target = operation.address;
      const path = fill(target, (parameter) => ids[parameter]!);
      const call = operation.access === "jwt" ? stranger.callAsUser : stranger.call;
      const body = bodyOf(operation.id, operation.method, operation.hasBody, operation.isJsonBody);
      const reply = await call(operation.method, path, body);
      expect([reply.status, reply.text]).toEqual([404, expect.stringMatching(/not found/i)]);
      expect(await snapshot()).toBe(before);
    },
  );

  const lists = operations.filter(
    ({ method, parameters, access }) =>
      method === "GET" && parameters.length === 0 && ["workspace", "jwt"].includes(access),
  );
  test.each(lists.map(({ name, path }) => [name, path]))(
    "%s shows a stranger nothing of the owner's",
    async (_name, path) => {
      const { text } = await stranger.callAsUser("GET", path!);
      for (const id of Object.values(ids)) if (id !== "1") expect(text).not.toContain(id);
    },
  );

  function bodyOf(id: string, method: string, hasBody: boolean, isJson: boolean): unknown {
    if (!hasBody) return undefined;
    if (!isJson) return { rows: [{ email: "x@example.com" }] };
    return (
      BODIES[id] ??
      (method === "PATCH"
        ? CHANGE
        : (BODIES[id] ?? { email: "x@example.com", lead_ids: [ids["lead_id"]] }))
    );
  }

  test("nor in an alias's domain", async () => {
    const alias = await stranger.call("POST", "/api/v1/mailer/aliases", {
      email: "x@owner-domain.com",
      display_name: "X",
      domain_id: ids["domain_id"],
      transport: { kind: "smtp", host: "127.0.0.1", port: 25, security: "none" },
    });
    expect(alias.status).toBe(404);
  });
});
