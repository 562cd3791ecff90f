import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Tenant } from "../support/api.ts";
import { api, useApi } from "../support/use-api.ts";
import { fill, operations } from "./operations.ts";
import { oneOfEach } from "./setting.ts";
import { startWholeApi } from "./upstreams.ts";

let owner: Tenant;
let stranger: Tenant;
/** Of the owner's, for every path parameter. */
let ids: Record<string, string>;
let everything: string;

/** Bodies that are right, so that only the id can be what is wrong. */
const BODIES: Record<string, unknown> = {
  changeConversation: { intent: "referral" },
  changeWebhook: { description: "X" },
  replayWebhook: { since: "2026-01-01T00:00:00Z" },
  answerConversation: { body: "X" },
  importDataset: undefined,
  createLead: { email: "x@example.com" },
  markCampaignLead: { as: "replied" },
  actOnCampaignLeads: { action: "stop", campaign_lead_ids: [randomUUID()] },
  sendCampaignStepTest: { to_email: "x@example.com" },
  generatePlaygroundDrafts: { step_index: 1 },
  approveDraft: { step_index: 1 },
  unapproveDraft: { step_index: 1 },
  approvePlaygroundBatch: { batch_id: "00000000-0000-4000-8000-000000000000" },
  reconnectAccount: { username: "x@example.com", password: "secret" },
  addCampaignLeads: { lead_ids: ["00000000-0000-4000-8000-000000000000"] },
  connectMailAlias: { provider: "google" },
  changeMember: { role: "viewer" },
};
const CHANGE = { name: "Stolen", email: undefined };

useApi({ start: startWholeApi });
beforeAll(async () => {
  [owner, stranger] = [await api.tenant(), await api.tenant()];
  ids = await oneOfEach(api, owner);
  everything = await everythingOfTheOwner();
});

/** What selects everything the owner has, as the database holds it: a row for each table. */
async function everythingOfTheOwner(): Promise<string> {
  const { rows } = await api.sql.query(
    "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'workspace_id' order by 1",
  );
  const tables = rows.map(
    ({ name }) =>
      `select '${name}' as name, (select jsonb_agg(one order by one)::text from (select to_jsonb(t) - 'last_used_at' as one from "${name}" t where workspace_id = $1) of_one) as rows`,
  );
  return tables.join(" union all ");
}

async function snapshot(): Promise<unknown> {
  await api.settled();
  const { rows } = await api.sql.query({
    name: "everything",
    text: everything,
    values: [owner.workspaceId],
  });
  return rows;
}

describe("another workspace's resources do not exist", () => {
  let before: unknown;
  beforeAll(async () => {
    before = await snapshot();
  });
  // An invitation is for whoever its address is, and says so: test/integration/workspace/members.
  const routes = operations.filter(
    ({ id, parameters, access }) =>
      parameters.length > 0 && access !== "public" && id !== "acceptInvitation",
  );
  test.each(routes.map((operation) => [operation.name, operation] as const))(
    "%s with the owner's id and a stranger's credential: 404, nothing changed",
    async (_name, operation) => {
      const path = fill(operation.address, (parameter) => ids[parameter]!);
      const call = operation.access === "jwt" ? stranger.callAsUser : stranger.call;
      const body = bodyOf(operation.id, operation.method, operation.hasBody, operation.isJsonBody);
      const reply = await call(operation.method, path, body);
      expect([reply.status, reply.text]).toEqual([404, expect.stringMatching(/not found/i)]);
      const was = before;
      before = await snapshot();
      expect(before).toEqual(was);
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
    const usual =
      method === "PATCH" ? CHANGE : { email: "x@example.com", lead_ids: [ids["lead_id"]] };
    return BODIES[id] ?? usual;
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
