import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { createKey } from "#src/domain/access/manage-keys.ts";
import type { Tenant } from "../../support/api.ts";
import {
  activeCampaign,
  forceStatus,
  campaignFile,
  inlineStep,
  insertAlias,
  insertBigDataset,
  insertDataset,
} from "../../support/campaigns.ts";
import { insertSent } from "../../support/sent-messages.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

const PLAN = "/api/v2/campaigns/plan";
const APPLY = "/api/v2/campaigns/apply";
useApi();

let aliasId: string;
let datasetId: string;
beforeAll(async () => {
  aliasId = await insertAlias(api, tenant);
  datasetId = await insertBigDataset(api.sql, tenant, 40);
});

const fileOf = (more: object = {}) => campaignFile(datasetId, aliasId, more);
const plan = (campaign: object, more: object = {}, who: Tenant = tenant) =>
  who.call("POST", PLAN, { campaign, ...more });
const apply = (plan_token: string, more: object = {}, who: Tenant = tenant) =>
  who.call("POST", APPLY, { plan_token, ...more });
async function applied(campaign: object, more: object = {}) {
  const { body } = await plan(campaign);
  const reply = await apply(body.plan_token, more);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body;
}
const rowsOf = async () =>
  query`select (select count(*)::int from campaigns) as campaigns, (select count(*)::int from events) as events`;

describe("a plan", () => {
  test("of a new file says all that it makes, whom it reaches and when, and writes nothing", async () => {
    const before = await rowsOf();
    const { status, body } = await plan(fileOf({ daily_limit: 7 }));
    expect(status).toBe(200);
    expect(body).toMatchObject({ action: "create", campaign_id: null, blocked: [] });
    expect(body.plan_token).toEqual(expect.any(String));
    expect(body.changes).toContainEqual({ path: "/daily_limit", before: null, after: 7 });
    expect(body.affected.leads).toBe(40);
    expect(body.affected.next_sends[0]).toMatchObject({ row_index: 0, step: 1, alias_id: aliasId });
    expect(body.forecast).toMatchObject({ basis: "launched_now", total_sends: 40 });
    expect(body.forecast.days[0]).toMatchObject({ sends: 7, new_leads: 7 });
    expect(body.checks.find(({ name }: { name: string }) => name === "has_leads").ok).toBe(true);
    expect(await rowsOf()).toEqual(before);
  });

  test("foretells what the campaign foretells once it is applied", async () => {
    const file = fileOf({
      daily_limit: 9,
      steps: [inlineStep(), inlineStep(2, { delay_days: 2 })],
    });
    const planned = (await plan(file)).body;
    const { campaign } = (await apply(planned.plan_token)).body;
    const { body } = await tenant.call("GET", `/api/v2/campaigns/${campaign.campaign_id}/forecast`);
    const { basis, days, total_sends, finishes_at } = body;
    expect(planned.forecast).toMatchObject({ basis, days, total_sends, finishes_at });
  });

  test("of a change of a campaign under way says its places, whom it affects, and the forecast behind it", async () => {
    const { id } = await activeCampaign(api, tenant, { daily_limit: 100 }, [
      { email: "a@example.zz" },
      { email: "b@example.zz" },
      { email: "c@example.zz" },
    ]);
    const file = (await tenant.call("GET", `/api/v2/campaigns/${id}?include=file`)).body.file;
    const changed = { ...file, external_id: "under-way", daily_limit: 2, name: "Other" };
    const { body } = await plan(changed, { campaign_id: id });
    expect(body.action).toBe("change");
    expect(body.changes).toEqual([
      { path: "/external_id", before: null, after: "under-way" },
      { path: "/name", before: "Spring", after: "Other" },
      { path: "/daily_limit", before: 100, after: 2 },
    ]);
    expect(body.affected.leads).toBe(3);
    expect(body.forecast.days.map(({ sends }: { sends: number }) => sends)).toEqual([2, 1]);
    expect((await apply(body.plan_token)).body).toMatchObject({
      action: "change",
      launched: false,
    });
    const after = (await tenant.call("GET", `/api/v2/campaigns/${id}/forecast`)).body;
    expect(body.forecast.days).toEqual(after.days);
    expect((await plan(changed)).body).toMatchObject({
      action: "none",
      changes: [],
      campaign_id: id,
    });
  });

  test("of a name alone affects nobody", async () => {
    const file = fileOf();
    await applied(file);
    expect((await plan({ ...file, name: "Other" })).body).toMatchObject({
      action: "change",
      affected: { leads: 0 },
    });
  });

  test.each([
    ["a field that is locked", { stop_on_reply: false }, "/stop_on_reply", "FIELD_LOCKED"],
    ["a step that was sent", { steps: [inlineStep(1, { delay_days: 1 })] }, "/steps", "STEP_SENT"],
    [
      "a step in another place",
      { steps: [inlineStep(), inlineStep(2, { delay_days: 9 })] },
      "/steps",
      "STEP_PLACE",
    ],
  ])("blocks %s as PATCH refuses it, and gives nothing to apply", async (_, change, path, code) => {
    const { id, aliasId: laneId } = await activeCampaign(api, tenant, {
      steps: [inlineStep(), inlineStep(2)],
    });
    await insertSent(api.sql, tenant, [{ campaignId: id, laneId, at: api.deps.clock.now() }]);
    const file = (await tenant.call("GET", `/api/v2/campaigns/${id}?include=file`)).body.file;
    const { body } = await plan(
      { ...file, external_id: randomUUID(), ...change },
      { campaign_id: id },
    );
    expect(body.plan_token).toBeNull();
    expect(body.blocked).toEqual([{ path, code, message: expect.any(String) }]);
    const patched = await tenant.call("PATCH", `/api/v1/campaigns/${id}`, change);
    expect(patched).toMatchObject({ status: 409, body: { detail: "CAMPAIGN_ACTIVE" } });
  });

  test("of a campaign of 10,000 leads is made", async () => {
    const dataset = await insertBigDataset(api.sql, tenant, 10_000);
    const { body } = await plan(fileOf({ dataset, daily_limit: 10_000 }));
    expect(body.affected.leads).toBe(10_000);
  });
});

describe("names in a file", () => {
  test("stand for ids, and come back as names where nobody else has them", async () => {
    const name = `Guests ${randomUUID()}`;
    const made = await insertDataset(api.sql, tenant, [{ email: "a@example.zz" }]);
    await query`update datasets set name = ${name} where id = ${made.datasetId}`;
    const [{ email }] = (await query`select email from mail_aliases where id = ${aliasId}`) as [
      { email: string },
    ];
    const template = await tenant.call("POST", "/api/v1/templates", {
      name: `T ${randomUUID()}`,
      channel: "email",
      subject: "Hi",
      body: "B",
    });
    const file = fileOf({
      dataset: name,
      aliases: [email.toUpperCase()],
      steps: [{ step: 1, variants: [{ template: template.body.name }] }],
    });
    const { campaign } = await applied(file);
    expect(campaign).toMatchObject({ dataset_id: made.datasetId, alias_ids: [aliasId] });
    const read = (
      await tenant.call("GET", `/api/v2/campaigns/${campaign.campaign_id}?include=file`)
    ).body;
    expect(read.file).toMatchObject({
      external_id: file.external_id,
      dataset: name,
      aliases: [email],
      steps: [{ step: 1, variants: [{ template: template.body.name }] }],
    });
    // What goes without saying is not said.
    expect(read.file).not.toHaveProperty("timezone");
    expect((await plan(read.file)).body).toMatchObject({ action: "none", changes: [] });
  });

  test("that two records have are refused with the ids of both, and an id then serves", async () => {
    const name = `Twice ${randomUUID()}`;
    const ids = [
      (await insertDataset(api.sql, tenant, [])).datasetId,
      (await insertDataset(api.sql, tenant, [])).datasetId,
    ];
    await query`update datasets set name = ${name} where id = any(${ids})`;
    const { status, body } = await plan(fileOf({ dataset: name }));
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: "NAME_AMBIGUOUS", name });
    expect(body.ids.toSorted()).toEqual(ids.toSorted());
    const { campaign } = await applied(fileOf({ dataset: ids[0] }));
    const read = (
      await tenant.call("GET", `/api/v2/campaigns/${campaign.campaign_id}?include=file`)
    ).body;
    expect(read.file.dataset).toBe(ids[0]);
  });

  test.each([
    ["nobody has", { dataset: "No such dataset" }],
    ["is an id of another workspace", { dataset: randomUUID() }],
  ])("that %s are refused", async (_, more) => {
    expect(await plan(fileOf(more))).toMatchObject({
      status: 404,
      body: { code: "DATASET_NOT_FOUND", name: more.dataset },
    });
  });

  test("of fields that there are not are refused, at their place", async () => {
    const reply = await plan(fileOf({ dayly_limit: 3 }));
    expect(reply.status).toBe(422);
    expect(reply.text).toContain("dayly_limit");
    expect((await plan(fileOf({ steps: [{ ...inlineStep(), delay: 3 }] }))).status).toBe(422);
  });
});

describe("applying", () => {
  test("makes a draft that nothing is sent of, and launches where it is told to", async () => {
    const file = fileOf();
    expect((await applied(file)).campaign.status).toBe("draft");
    const again = await applied(file, { launch: true });
    expect(again).toMatchObject({
      action: "none",
      launched: true,
      campaign: { status: "launching" },
    });
    expect(again.checks.length).toBeGreaterThan(5);
    expect(await applied(file, { launch: true })).toMatchObject({ launched: false, checks: [] });
  });

  test("says what stands against the launch before it writes anything", async () => {
    const empty = (await insertDataset(api.sql, tenant, [])).datasetId;
    const file = fileOf({ dataset: empty });
    const { body } = await plan(file);
    const before = await rowsOf();
    expect(await apply(body.plan_token, { launch: true })).toMatchObject({
      status: 422,
      body: { code: "LAUNCH_PREFLIGHT_FAILED" },
    });
    expect(await rowsOf()).toEqual(before);
  });

  test("with launch needs the scope of a launch", async () => {
    const principal = { workspaceId: tenant.workspaceId, userId: tenant.userId } as never;
    const { key } = await createKey(api.deps, principal, {
      name: "plans",
      scopes: ["campaigns:read", "campaigns:write"],
      expiresAt: null,
      confirm: "token",
    });
    const { plan_token } = (await plan(fileOf())).body;
    const ask = (body: object) =>
      api.request(APPLY, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const refused = await ask({ plan_token, launch: true });
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: "SCOPE_MISSING", scope: "campaigns:send" },
    ]);
    expect((await ask({ plan_token })).status).toBe(200);
  });

  type Change = (made: { id: string; dataset: string; external: string }) => Promise<unknown>;
  test.each<[string, boolean, Change]>([
    [
      "was changed",
      true,
      ({ id }) => tenant.call("PATCH", `/api/v1/campaigns/${id}`, { name: "X" }),
    ],
    ["is in another state", true, ({ id }) => forceStatus(api.sql, id, "paused")],
    ["was deleted", true, ({ id }) => tenant.call("DELETE", `/api/v1/campaigns/${id}`)],
    [
      "reaches other leads",
      true,
      ({ dataset }) =>
        tenant.call("POST", `/api/v1/datasets/${dataset}/leads`, { email: `${randomUUID()}@a.zz` }),
    ],
    ["was made meanwhile", false, ({ external }) => applied(fileOf({ external_id: external }))],
    ["was planned an hour ago", true, async () => api.advance(3_600_000)],
  ])(
    "a plan whose campaign %s is 409 PLAN_STALE, and changes nothing",
    async (_, exists, change) => {
      const dataset = (await insertDataset(api.sql, tenant, [{ email: "a@example.zz" }])).datasetId;
      const file = fileOf({ dataset });
      const id = exists ? (await applied(file)).campaign.campaign_id : "";
      const { plan_token } = (await plan({ ...file, name: "Planned" })).body;
      await change({ id, dataset, external: file.external_id });
      const before = await rowsOf();
      expect(await apply(plan_token)).toMatchObject({ status: 409, body: { code: "PLAN_STALE" } });
      expect(await rowsOf()).toEqual(before);
    },
  );

  test("of one plan eight times at once makes one campaign; the others are stale", async () => {
    const file = fileOf();
    const { plan_token } = (await plan(file)).body;
    const replies = await Promise.all(Array.from({ length: 8 }, () => apply(plan_token)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
    const same = await query`select id from campaigns where external_id = ${file.external_id}`;
    expect(same).toHaveLength(1);
  });

  test("of one change eight times at once is done once", async () => {
    const file = fileOf();
    await applied(file);
    const { plan_token } = (await plan({ ...file, daily_limit: 3 })).body;
    const replies = await Promise.all(Array.from({ length: 8 }, () => apply(plan_token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(replies.map(({ body }) => body.code))).toEqual(
      new Set([undefined, "PLAN_STALE"]),
    );
  });

  test("a token that is changed, another's, or none is 400", async () => {
    const { plan_token } = (await plan(fileOf())).body as { plan_token: string };
    const stranger = await api.tenant();
    const middle = Math.floor(plan_token.length / 2);
    const other = plan_token[middle] === "A" ? "B" : "A";
    for (const [token, who] of [
      [plan_token.slice(0, middle) + other + plan_token.slice(middle + 1), tenant],
      [plan_token, stranger],
      ["v1.x.y", tenant],
      ["nonsense", tenant],
    ] as const)
      expect(await apply(token, {}, who)).toMatchObject({
        status: 400,
        body: { code: "PLAN_TOKEN_INVALID" },
      });
  });

  test("an external_id is one campaign's: another is refused, a deleted one's is free", async () => {
    const file = fileOf();
    const first = (await applied(file)).campaign.campaign_id;
    const second = (await applied(fileOf())).campaign.campaign_id;
    expect(await plan(file, { campaign_id: second })).toMatchObject({
      status: 409,
      body: { code: "EXTERNAL_ID_TAKEN", campaign_id: first },
    });
    expect(
      (await tenant.call("GET", `/api/v2/campaigns/?external_id=${file.external_id}`)).body.items,
    ).toMatchObject([{ campaign_id: first }]);
    const copy = (await tenant.call("POST", `/api/v1/campaigns/${first}/duplicate`)).body;
    expect(
      (await tenant.call("GET", `/api/v2/campaigns/${copy.campaign_id}?include=file`)).body.file,
    ).toMatchObject({ external_id: null });
    await tenant.call("DELETE", `/api/v1/campaigns/${first}`);
    expect((await applied(file)).action).toBe("create");
    const stranger = await api.tenant();
    const theirs = await insertDataset(api.sql, stranger, [{ email: "a@example.zz" }]);
    const alias = await insertAlias(api, stranger);
    const reply = await plan(
      { ...file, dataset: theirs.datasetId, aliases: [alias] },
      {},
      stranger,
    );
    expect(reply.body.action).toBe("create");
  });
});
