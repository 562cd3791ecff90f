import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApi, type Tenant, type TestApi } from "../support/api.ts";
import { activeCampaign, insertAlias } from "../support/campaigns.ts";
import { fill, operations } from "./operations.ts";

let api: TestApi;
let owner: Tenant;
let stranger: Tenant;
/** An id of the owner's for every path parameter; a parameter without one fails by name. */
let ids: Record<string, string>;

/** Bodies that are right, so that only the id can be what is wrong. */
const BODIES: Record<string, unknown> = {
  importDataset: undefined,
  createLead: { email: "x@example.com" },
  markCampaignLead: { as: "replied" },
  sendCampaignStepTest: { to_email: "x@example.com" },
  addCampaignLeads: { lead_ids: ["00000000-0000-4000-8000-000000000000"] },
};
const CHANGE = { name: "Stolen", email: undefined };

beforeAll(async () => {
  api = await startApi();
  [owner, stranger] = [await api.tenant(), await api.tenant()];
  const made = async (path: string, body: unknown) => {
    const reply = await owner.call("POST", path, body);
    if (reply.status !== 201) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    return reply.body.id as string;
  };
  const { id: campaignId } = await activeCampaign(api, owner);
  const { rows } = await api.sql.query(
    "select id, lead_id, dataset_id from campaign_leads where campaign_id = $1 limit 1",
    [campaignId],
  );
  const { body: email } = await owner.call("POST", "/api/v1/mailer/emails", {
    alias_id: await insertAlias(api, owner),
    to_email: "ada@example.com",
    subject: "S",
    body: "B",
  });
  ids = {
    campaign_id: campaignId,
    step: "1",
    campaign_lead_id: rows[0].id,
    lead_id: rows[0].lead_id,
    dataset_id: rows[0].dataset_id,
    sender_profile_id: await made("/api/v1/sender-profiles/", { name: "A", full_name: "A" }),
    template_id: await made("/api/v1/templates", {
      name: "A",
      channel: "email",
      subject: "S",
      body: "<p>B</p>",
      format: "html",
    }),
    suppression_id: await made("/api/v1/suppressions", { value: "a@example.com" }),
    domain_id: await made("/api/v1/mailer/domains", { domain: "owner-domain.com" }),
    alias_id: await made("/api/v1/mailer/aliases", {
      email: "a@owner-domain.com",
      display_name: "A",
      transport: { kind: "smtp", host: "127.0.0.1", port: 25, security: "none" },
    }),
    email_id: email.id,
    conversation_id: email.conversation_id,
    api_key_id: (await owner.callAsUser("POST", "/api/v1/api-keys", { name: "A" })).body.id,
  };
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
      for (const parameter of operation.parameters)
        expect(Object.keys(ids), "a creator for each path parameter").toContain(parameter);
      const before = await snapshot();
      const path = fill(operation.path, (parameter) => ids[parameter]!);
      const call = operation.access === "jwt" ? stranger.callAsUser : stranger.call;
      const body = bodyOf(operation.id, operation.method, operation.hasBody, operation.isJsonBody);
      const reply = await call(operation.method, path, body);
      expect([reply.status, reply.text]).toEqual([404, expect.stringMatching(/not found/i)]);
      expect(await snapshot()).toBe(before);
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

  test("nor inside bodies: a campaign over another's dataset, alias, template or profile is 404 and is not made", async () => {
    const own = (await stranger.call("POST", "/api/v1/datasets", { name: "Mine" })).body.id;
    const alias = (
      await stranger.call("POST", "/api/v1/mailer/aliases", {
        email: "b@stranger.com",
        display_name: "B",
        transport: { kind: "smtp", host: "127.0.0.1", port: 25, security: "none" },
      })
    ).body.id;
    const inline = { type: "INLINE", subject: "S", body: "B" };
    const campaign = (change: object, variant: object = inline) => ({
      name: "C",
      dataset_id: own,
      alias_ids: [alias],
      steps: [{ step: 1, variants: [variant] }],
      ...change,
    });
    const attempts: [string, unknown][] = [
      ["DATASET_NOT_FOUND", campaign({ dataset_id: ids["dataset_id"] })],
      ["ALIAS", campaign({ alias_ids: [ids["alias_id"]] })],
      ["TEMPLATE", campaign({}, { type: "TEMPLATE", template_id: ids["template_id"] })],
      ["PROFILE", campaign({}, { ...inline, sender_profile_id: ids["sender_profile_id"] })],
    ];
    for (const [, body] of attempts)
      expect((await stranger.call("POST", "/api/v1/campaigns/", body)).status).toBe(404);
    expect((await stranger.call("GET", "/api/v1/campaigns/")).body).toEqual([]);
    expect((await stranger.call("POST", "/api/v1/campaigns/", campaign({}))).status).toBe(201);
  });

  test("nor in an alias's domain or a campaign's added leads", async () => {
    const alias = await stranger.call("POST", "/api/v1/mailer/aliases", {
      email: "x@owner-domain.com",
      display_name: "X",
      domain_id: ids["domain_id"],
      transport: { kind: "smtp", host: "127.0.0.1", port: 25, security: "none" },
    });
    expect(alias.status).toBe(404);
    const theirs = (await stranger.call("GET", "/api/v1/campaigns/")).body[0].campaign_id;
    const added = await stranger.call("POST", `/api/v1/campaigns/${theirs}/leads`, {
      lead_ids: [ids["lead_id"]],
    });
    expect(added.body).toMatchObject({
      added: 0,
      skipped: [{ lead_id: ids["lead_id"], code: "LEAD_NOT_FOUND" }],
    });
  });
});
