/** Version 2 answers every list in pages. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Tenant } from "../../support/api.ts";
import { insertAliases } from "../../support/engine.ts";
import { insertAccount } from "../../support/network-accounts.ts";
import { api, useApi } from "../../support/use-api.ts";

/** In the first page two, in the last one. */
const COUNT = 3;
const LISTS = [
  "/api/v1/api-keys",
  "/api/v1/campaigns/",
  "/api/v1/connected-accounts",
  "/api/v1/mailer/aliases",
  "/api/v1/mailer/domains",
  "/api/v1/payments/packs",
  "/api/v1/sender-profiles/",
  "/api/v1/templates",
];

let tenant: Tenant;
const inV2 = (at: string) => at.replace("/v1/", "/v2/");
/** By the login, since keys are seen by no other. */
const get = async (at: string, status = 200) => {
  const reply = await tenant.callAsUser("GET", at);
  expect([at, reply.status]).toEqual([at, status]);
  return reply;
};

useApi();
beforeAll(async () => {
  tenant = await api.tenant();
  const now = api.deps.clock.now();
  const aliasIds = await insertAliases(api.sql, tenant, COUNT, { now });
  const { body: dataset } = await tenant.call("POST", "/api/v1/datasets", { name: "People" });
  for (let no = 1; no <= COUNT; no++) {
    await insertAccount(api.sql, tenant);
    const template = await tenant.call("POST", "/api/v1/templates", {
      name: `T ${no}`,
      subject: "S",
      body: "B",
    });
    const made = [
      template,
      await tenant.callAsUser("POST", "/api/v1/api-keys", { name: `Key ${no}` }),
      await tenant.call("POST", "/api/v1/sender-profiles/", {
        name: `P ${no}`,
        full_name: "Ada Byron",
      }),
      await tenant.call("POST", "/api/v1/mailer/domains", { domain: `d${no}.zz` }),
      await tenant.call("POST", "/api/v1/campaigns/", {
        name: `C ${no}`,
        dataset_id: dataset.id,
        alias_ids: aliasIds,
        steps: [{ step: 1, variants: [{ template_id: template.body.id }] }],
      }),
    ];
    const refused = made.find(({ status }) => status !== 201);
    if (refused !== undefined) throw new Error(refused.text);
  }
});

const itemsOf = (body: unknown[] | { items: unknown[] }) =>
  Array.isArray(body) ? body : body.items;

describe.each(LISTS)("%s", (at) => {
  test("in pages is the list of version 1, in its order", async () => {
    const whole = itemsOf((await get(at)).body);
    expect(whole.length).toBeGreaterThanOrEqual(COUNT);
    const found: unknown[] = [];
    let more = "";
    for (let page = 0; page <= whole.length; page++) {
      const { body } = await get(`${inV2(at)}?limit=2${more}`);
      expect(body.has_more).toBe(body.next_cursor !== null);
      found.push(...body.items);
      if (!body.has_more) break;
      expect(body.items).toHaveLength(2);
      more = `&cursor=${body.next_cursor}`;
    }
    const ids = (items: unknown[]) =>
      items.map(
        (item) =>
          Object.entries(item as object).find(([name]) => /^(campaign_)?id$/.test(name))![1],
      );
    expect(ids(found)).toEqual(ids(whole));
    const all = (await get(inV2(at))).body;
    expect([all.items.length, all.next_cursor, all.has_more]).toEqual([whole.length, null, false]);
  });

  test.each(["x", "AAAA", "Zm9yZ2VkOjE", `${"A".repeat(300)}`])(
    "refuses the forged cursor %s",
    async (cursor) => {
      const { body } = await get(`${inV2(at)}?cursor=${cursor}`, 422);
      expect(body).toMatchObject({ code: "VALIDATION_ERROR", errors: [{ in: "query" }] });
    },
  );

  test("refuses the cursor of another list", async () => {
    const other = at === "/api/v1/templates" ? "/api/v2/mailer/aliases" : "/api/v2/templates";
    const { body } = await get(`${other}?limit=1`);
    await get(`${inV2(at)}?cursor=${body.next_cursor}`, 422);
  });

  test.each(["0", "201", "-1", "1.5", "many"])("refuses a limit of %s", async (limit) => {
    await get(`${inV2(at)}?limit=${limit}`, 422);
  });
});

test("a page stays where it was while rows come and go before it", async () => {
  const first = (await get("/api/v2/templates?limit=1")).body;
  await tenant.call("DELETE", `/api/v1/templates/${first.items[0].id}`);
  const second = (await get(`/api/v2/templates?limit=1&cursor=${first.next_cursor}`)).body;
  expect(second.items[0].name).toBe("T 2");
});

test("the filters of a list hold in its pages", async () => {
  const { body } = await get("/api/v2/campaigns/?name=c%202&limit=1");
  expect([body.items.map(({ name }: { name: string }) => name), body.has_more]).toEqual([
    ["C 2"],
    false,
  ]);
});
