import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aiStep, createCampaign, launchable } from "../../support/campaigns.ts";
import {
  type Agent,
  connect,
  type Generation,
  keyOf,
  type Person,
} from "../../support/mcp-clients.ts";
import { serve } from "../../support/serve.ts";
import { letTimeStandStill } from "../../support/still-time.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

/** Nothing here lets it write. */
const MODEL = { MODEL_BASE_URL: "http://127.0.0.1:9/v1", MODEL_API_KEY: "k", MODEL_NAME: "m" };
useApi({ eachTest: true, env: MODEL });
let served: Awaited<ReturnType<typeof serve>>;
const agents: Agent[] = [];
beforeAll(async () => {
  served = await serve(api);
});
afterAll(() => served.close());
beforeEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()));
});

const keyThat = async (confirm: "human" | "token") => (await keyOf(api, tenant, { confirm })).key;

async function agentOf(
  key: string,
  generation: Generation = "2026",
  person: Person = null,
): Promise<Agent> {
  const agent = await connect(generation, { url: `${served.url}/mcp`, key, person });
  agents.push(agent);
  return agent;
}

async function draft(more: object = {}) {
  const made = await launchable(api, tenant);
  const { campaign_id } = await createCampaign(tenant, { ...made.body, ...more });
  return { ...made, id: campaign_id as string };
}

const statusOf = async (id: string) =>
  (await query`select status from campaigns where id = ${id}`)[0]!["status"];

const launchOf = (id: string, more: object = {}) => ({
  campaign_id: id,
  action: "launch",
  ...more,
});

describe.each(["2025", "2026"] as const)("a client of %s", (generation) => {
  test("launches in two calls, and not in one", async () => {
    const { id } = await draft();
    const agent = await agentOf(await keyThat("token"), generation);
    const first = await agent.use("launch_campaign", launchOf(id));
    expect(first).toMatchObject({
      isError: false,
      body: { status: "not_sent", preview: { recipients: 1, action: "launch" } },
    });
    expect(await statusOf(id)).toBe("draft");

    const { confirm_token } = first.body;
    const second = await agent.use("launch_campaign", launchOf(id, { confirm_token }));
    expect(second.body).toMatchObject({ campaign_id: id, status: "launching" });
    expect(await statusOf(id)).toBe("launching");
  });
});

describe("the token of a preview", () => {
  async function asked(change: object = {}) {
    const campaign = await draft();
    const key = await keyThat("token");
    const agent = await agentOf(key);
    const first = await agent.use("launch_campaign", launchOf(campaign.id, change));
    return { ...campaign, key, agent, token: first.body.confirm_token as string };
  }
  const launchWith = (agent: Agent, id: string, confirm_token: string) =>
    agent.use("launch_campaign", launchOf(id, { confirm_token }));
  const refusedAnew = {
    isError: true,
    body: {
      code: "CONFIRM_TOKEN_INVALID",
      status: "not_sent",
      confirm_token: expect.any(String),
      preview: expect.anything(),
    },
  };

  test.each([
    ["a digit of its time", (token: string) => token.replace(/\.(\d)/, ".9")],
    ["a letter of its signature", (token: string) => token.slice(0, -3) + "AAA"],
    ["its nonce", (token: string) => token.replace(/^./, (c) => (c === "0" ? "1" : "0"))],
    ["all of it", () => "yes"],
  ])("is refused with %s changed", async (_, tamper) => {
    const { agent, id, token } = await asked();
    expect(await launchWith(agent, id, tamper(token))).toMatchObject(refusedAnew);
    expect(await statusOf(id)).toBe("draft");
  });

  test("is refused to another key of the same workspace", async () => {
    const { id, token } = await asked();
    const other = await agentOf(await keyThat("token"));
    expect(await launchWith(other, id, token)).toMatchObject(refusedAnew);
    expect(await statusOf(id)).toBe("draft");
  });

  test("is refused for another campaign, and for another tool", async () => {
    const { agent, token } = await asked();
    const other = await draft();
    expect(await launchWith(agent, other.id, token)).toMatchObject(refusedAnew);
    expect(await statusOf(other.id)).toBe("draft");
    const letter = await agent.use("send_email", {
      ...{ to_email: "ada@example.zz", subject: "Hello", body: "Hello", alias_id: other.aliasId },
      confirm_token: token,
    });
    expect(letter).toMatchObject(refusedAnew);
    expect(await query`select 1 from emails`).toEqual([]);
  });

  test.each([
    [
      "a lead that came in since",
      async ({ datasetId }: { datasetId: string }) => {
        const rows = [{ email: "grace@example.zz" }];
        await tenant.call("POST", `/api/v1/datasets/${datasetId}/import`, { rows });
      },
    ],
    [
      "a lead whose name changed",
      async ({ datasetId, leadIds }: { datasetId: string; leadIds: string[] }) => {
        await tenant.call("PATCH", `/api/v1/datasets/${datasetId}/leads/${leadIds[0]}`, {
          first_name: "Augusta",
        });
      },
    ],
    [
      "a campaign that was changed",
      async ({ id }: { id: string }) => {
        await tenant.call("PATCH", `/api/v1/campaigns/${id}`, {
          steps: [
            { step: 1, delay_days: 0, variants: [{ type: "INLINE", subject: "B", body: "B" }] },
          ],
        });
      },
    ],
    [
      "another first day",
      async () => {
        api.advance(86_400);
      },
    ],
  ])("is stale after %s: nothing is sent, and the new plan is shown", async (_, change) => {
    const asking = await asked();
    await change(asking);
    expect(await launchWith(asking.agent, asking.id, asking.token)).toMatchObject(refusedAnew);
    expect(await statusOf(asking.id)).toBe("draft");
  });

  test("is good for ten minutes", async () => {
    letTimeStandStill();
    const { agent, id, token } = await asked();
    api.advance(599);
    api.forgetQuotas();
    const again = await draft();
    expect((await launchWith(agent, id, token)).body).toMatchObject({ status: "launching" });
    const late = (await agent.use("launch_campaign", launchOf(again.id))).body.confirm_token;
    api.advance(601);
    expect(await launchWith(agent, again.id, late)).toMatchObject(refusedAnew);
    expect(await statusOf(again.id)).toBe("draft");
  });

  test("is spent once, of six at once", async () => {
    const campaign = await draft();
    const agent = await agentOf(await keyThat("token"));
    const letter = {
      ...{ to_email: "ada@example.zz", subject: "Hello", body: "Hello" },
      alias_id: campaign.aliasId,
    };
    const { confirm_token } = (await agent.use("send_email", letter)).body;
    const all = await Promise.all(
      Array.from({ length: 6 }, () => agent.use("send_email", { ...letter, confirm_token })),
    );
    const emails = () => query`select 1 from emails where workspace_id = ${tenant.workspaceId}`;
    expect(await emails()).toHaveLength(1);
    for (const { body } of all.filter(({ isError }) => isError))
      expect(body.code).toBe("IDEMPOTENCY_IN_PROGRESS");
    // Whose answer was lost asks again: it is told what was sent.
    const again = await agent.use("send_email", { ...letter, confirm_token });
    expect(again).toMatchObject({ isError: false, body: { status: "queued" } });
    for (const { body } of all.filter(({ isError }) => !isError)) expect(body).toEqual(again.body);
    expect(await emails()).toHaveLength(1);
    api.advance(601);
    expect((await agent.use("send_email", { ...letter, confirm_token })).body).toEqual(again.body);
    expect(await emails()).toHaveLength(1);
  });

  test("that was used says so where nothing is known of what was done, and no other comes with it", async () => {
    const { agent, id, token } = await asked();
    await launchWith(agent, id, token);
    await query`update campaigns set config_version = config_version + 1 where id = ${id}`;
    await query`delete from idempotency_keys`;
    const { isError, body } = await launchWith(agent, id, token);
    expect([isError, body.code, body.confirm_token]).toEqual([
      true,
      "CONFIRMATION_USED",
      undefined,
    ]);
  });
});

describe("a key whose sending a person confirms", () => {
  test("launches once a person approved it in the console, and not before", async () => {
    const { id } = await draft();
    const agent = await agentOf(await keyThat("human"));
    const { confirm_token } = (await agent.use("launch_campaign", launchOf(id))).body;
    const launch = () => agent.use("launch_campaign", launchOf(id, { confirm_token }));
    expect(await launch()).toMatchObject({ isError: true, body: { code: "CONFIRMATION_WAITS" } });

    const waiting = await tenant.callAsUser("GET", "/api/v2/confirmations");
    expect(waiting.body.items).toMatchObject([
      { tool: "launch_campaign", status: "waiting", preview: { recipients: 1 } },
    ]);
    const path = `/api/v2/confirmations/${waiting.body.items[0].id}/approve`;
    // Not with a key: the agent has one.
    expect((await tenant.call("POST", path)).status).toBe(403);
    expect((await tenant.callAsUser("POST", path)).body).toMatchObject({ status: "approved" });
    expect((await tenant.callAsUser("POST", path)).status).toBe(409);
    const launched = (await launch()).body;
    expect(launched).toMatchObject({ status: "launching" });
    expect((await tenant.callAsUser("GET", "/api/v2/confirmations")).body.items).toEqual([]);
    await query`update campaigns set config_version = config_version + 1 where id = ${id}`;
    expect((await launch()).body).toEqual(launched);
  });

  async function approvedOfDrafts() {
    await tenant.call("POST", "/api/v1/sender-profiles/", {
      ...{ name: "Main", full_name: "Bo Berg", company: "Berg Logistics", is_default: true },
    });
    const { id } = await draft({ steps: [aiStep()] });
    const agent = await agentOf(await keyThat("human"));
    const { body } = await agent.use("launch_campaign", launchOf(id));
    expect(body.preview.untrusted_cost).toMatch(/^1 texts .* 1000 credits are available/);
    const [row] = (await tenant.callAsUser("GET", "/api/v2/confirmations")).body.items;
    await tenant.callAsUser("POST", `/api/v2/confirmations/${row.id}/approve`);
    const { confirm_token } = body;
    return { id, launch: () => agent.use("launch_campaign", launchOf(id, { confirm_token })) };
  }
  const creditsBecome = (available: number) =>
    query`update credit_balances set available = ${available} where workspace_id = ${tenant.workspaceId}`;

  test.each([1, 5000])(
    "launches what was approved where the balance is another: %i",
    async (left) => {
      const { launch } = await approvedOfDrafts();
      await creditsBecome(left);
      expect((await launch()).body).toMatchObject({ status: "launching" });
    },
  );

  test("is shown the plan anew where credits do not suffice any more", async () => {
    const { id, launch } = await approvedOfDrafts();
    await creditsBecome(0);
    expect((await launch()).body).toMatchObject({ code: "CONFIRM_TOKEN_INVALID" });
    expect(await statusOf(id)).toBe("draft");
  });

  test("learns that a person declined", async () => {
    const { id } = await draft();
    const agent = await agentOf(await keyThat("human"));
    const { confirm_token } = (await agent.use("launch_campaign", launchOf(id))).body;
    const [row] = (await tenant.callAsUser("GET", "/api/v2/confirmations")).body.items;
    await tenant.callAsUser("POST", `/api/v2/confirmations/${row.id}/decline`);
    expect(await agent.use("launch_campaign", launchOf(id, { confirm_token }))).toMatchObject({
      isError: true,
      body: { code: "CONFIRMATION_DECLINED" },
    });
    expect(await statusOf(id)).toBe("draft");
  });

  test("asking again is no second question, and another workspace sees none", async () => {
    const { id } = await draft();
    const agent = await agentOf(await keyThat("human"));
    await agent.use("launch_campaign", launchOf(id));
    await agent.use("launch_campaign", launchOf(id));
    const { items } = (await tenant.callAsUser("GET", "/api/v2/confirmations")).body;
    expect(items).toHaveLength(1);
    const other = await api.tenant();
    expect((await other.callAsUser("GET", "/api/v2/confirmations")).body.items).toEqual([]);
    const path = `/api/v2/confirmations/${items[0].id}/approve`;
    expect((await other.callAsUser("POST", path)).status).toBe(404);
  });
});

describe("a client that asks its own person", () => {
  test("launches when they accept, in one call of the agent, and asks with the plan's figures", async () => {
    const { id } = await draft();
    const heard: string[] = [];
    const agent = await agentOf(await keyThat("human"), "2026", (message) => {
      heard.push(message);
      return "accept";
    });
    const launched = await agent.use("launch_campaign", launchOf(id));
    expect(launched.body).toMatchObject({ status: "launching" });
    expect(heard).toEqual([expect.stringContaining("recipients: 1")]);
  });

  test.each(["decline", "cancel"] as const)("sends nothing when they %s", async (answer) => {
    const { id } = await draft();
    const agent = await agentOf(await keyThat("token"), "2026", () => answer);
    expect(await agent.use("launch_campaign", launchOf(id))).toMatchObject({
      isError: true,
      body: { code: "CONFIRMATION_DECLINED" },
    });
    expect(await statusOf(id)).toBe("draft");
  });
});
