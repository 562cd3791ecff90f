import { describe, expect, test } from "vitest";
import { insertActiveCampaign, insertAliases } from "../../../support/engine.ts";
import { api, query, tenant, useApi } from "../../../support/use-api.ts";

const PATH = "/api/v1/datasets";

useApi();

const createDataset = async (name = "Leads", owner = tenant) =>
  (await owner.call("POST", PATH, { name })).body.id as string;
const add = (dataset: string, lead: unknown) =>
  tenant.call("POST", `${PATH}/${dataset}/leads`, lead);

describe("datasets", () => {
  test("a dataset is created, read, renamed and deleted", async () => {
    const made = await tenant.call("POST", PATH, { name: "Spring" });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      user_id: tenant.userId,
      workspace_id: tenant.workspaceId,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      name: "Spring",
      source: "api",
      source_url: null,
      status: "ready",
      import_progress: null,
      row_count: 0,
      columns: [],
      mapping: {},
      error: null,
    });
    const one = `${PATH}/${made.body.id}`;
    const changed = await tenant.call("PATCH", one, {
      name: "Summer",
      mapping: { Mail: "email", X: null },
    });
    expect(changed.body).toMatchObject({ name: "Summer", mapping: { Mail: "email", X: null } });
    expect((await tenant.call("GET", one)).body).toEqual(changed.body);
    expect((await tenant.call("DELETE", one)).body).toEqual({ success: true });
    for (const method of ["GET", "DELETE"])
      expect((await tenant.call(method, one)).body.detail).toBe("DATASET_NOT_FOUND");
    expect((await tenant.call("PATCH", one, { name: "x" })).status).toBe(404);
    expect((await add(made.body.id, { email: "a@example.com" })).status).toBe(404);
    expect((await tenant.call("GET", `${one}/leads`)).status).toBe(404);
    expect((await tenant.call("GET", `${one}/leads.csv`)).status).toBe(404);
  });

  test("the list is newest first and stable while others are added", async () => {
    const owner = await api.tenant();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift(await createDataset(`D${n}`, owner));
    const first = await owner.call("GET", `${PATH}?limit=2`);
    expect(first.body).toMatchObject({ has_more: true });
    await createDataset("later", owner);
    const second = await owner.call("GET", `${PATH}?limit=3&cursor=${first.body.next_cursor}`);
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
    const seen = [...first.body.items, ...second.body.items].map(({ id }: { id: string }) => id);
    expect(seen).toEqual(ids);
    for (const query of ["cursor=%00", "cursor=bm8gdXVpZA"])
      expect((await owner.call("GET", `${PATH}?${query}`)).status).toBe(422);
  });

  test("a mapping leads to fields that there are", async () => {
    const one = `${PATH}/${await createDataset()}`;
    for (const mapping of [{ a: "nonsense" }, { a: "custom.Not A Key" }, { "\u0000": "email" }])
      expect((await tenant.call("PATCH", one, { mapping })).status).toBe(422);
  });

  test("deleting is refused while a campaign under way uses it; afterwards its leads are gone and stopped", async () => {
    const { campaignId } = await insertActiveCampaign(api.sql, tenant, {
      leads: 3,
      now: api.deps.clock.now(),
    });
    const rows = await query`select dataset_id from campaigns where id = ${campaignId}`;
    const dataset = rows[0].dataset_id as string;
    for (const status of ["scheduled", "launching", "active", "draining", "paused"]) {
      await query`update campaigns set status = ${status} where id = ${campaignId}`;
      const reply = await tenant.call("DELETE", `${PATH}/${dataset}`);
      expect([reply.status, reply.body.detail, reply.body.campaign_ids]).toEqual([
        409,
        "IN_USE",
        [campaignId],
      ]);
    }
    await query`update campaigns set status = 'failed' where id = ${campaignId}`;
    await query`update campaign_leads set hold_reason = 'held' where campaign_id = ${campaignId} and row_index = 0`;
    expect((await tenant.call("DELETE", `${PATH}/${dataset}`)).status).toBe(200);
    expect(await query`select 1 from leads where dataset_id = ${dataset}`).toEqual([]);
    const stopped =
      await query`select distinct status, stop_reason, next_action_at, hold_reason from campaign_leads where campaign_id = ${campaignId}`;
    expect(stopped).toEqual([
      { status: "stopped", stop_reason: "lead_deleted", next_action_at: null, hold_reason: null },
    ]);
    const campaign = {
      name: "Late",
      dataset_id: dataset,
      alias_ids: [],
      steps: [{ step: 1, variants: [{ type: "INLINE", subject: "x", body: "y" }] }],
    };
    const [alias] = await insertAliases(api.sql, tenant, 1, { now: api.deps.clock.now() });
    const late = await tenant.call("POST", "/api/v1/campaigns/", {
      ...campaign,
      alias_ids: [alias],
    });
    expect(late.status).toBe(404);
  });
});

describe("leads", () => {
  test("a lead is added behind the last row, changed and cleared", async () => {
    const dataset = await createDataset();
    const made = await add(dataset, {
      email: "Ann@Example.com",
      profile_url: "linkedin.com/in/ann?x=1",
      country: "France",
      timezone: "Europe/Paris",
      tags: ["a"],
      custom: { size: 3, nested: { a: [1, null] } },
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      row_index: 1,
      email: "ann@example.com",
      profile_url: "https://linkedin.com/in/ann",
      country: "FR",
      first_name: null,
      custom: { size: 3, nested: { a: [1, null] } },
      verification: null,
    });
    const one = `${PATH}/${dataset}/leads/${made.body.id}`;
    expect((await tenant.call("GET", one)).body).toEqual(made.body);
    const changed = await tenant.call("PATCH", one, {
      first_name: "Ann",
      country: null,
      email: null,
    });
    expect(changed.body).toMatchObject({
      first_name: "Ann",
      country: null,
      email: null,
      tags: ["a"],
    });
    const bare = await tenant.call("PATCH", one, { profile_url: null });
    expect([bare.status, bare.body.detail]).toEqual([422, "VALIDATION_ERROR"]);
    expect((await tenant.call("GET", `${PATH}/${dataset}`)).body).toMatchObject({
      row_count: 1,
      columns: [
        { key: "custom.size", label: "size", type: "text", sample: null },
        { key: "custom.nested", label: "nested", type: "text", sample: null },
      ],
    });
  });

  test("an identity is given once in a dataset", async () => {
    const dataset = await createDataset();
    const first = (await add(dataset, { email: "a@example.com" })).body;
    const again = await add(dataset, { email: "A@EXAMPLE.com" });
    expect([again.status, again.body.detail, again.body.lead_id]).toEqual([
      409,
      "LEAD_EXISTS",
      first.id,
    ]);
    const second = (await add(dataset, { email: "b@example.com" })).body;
    const clash = await tenant.call("PATCH", `${PATH}/${dataset}/leads/${second.id}`, {
      email: "a@example.com",
    });
    expect(clash.body.detail).toBe("LEAD_EXISTS");
    const other = await createDataset();
    expect((await add(other, { email: "a@example.com" })).status).toBe(201);
    expect((await tenant.call("GET", `${PATH}/${dataset}`)).body.row_count).toBe(2);
  });

  test("the same lead posted ten times at once is there once", async () => {
    const dataset = await createDataset();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => add(dataset, { email: "a@example.com" })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    expect((await tenant.call("GET", `${PATH}/${dataset}`)).body.row_count).toBe(1);
  });

  test("a number that belonged to a deleted lead is not given out again", async () => {
    const dataset = await createDataset();
    await add(dataset, { email: "a@example.com" });
    const second = (await add(dataset, { email: "b@example.com" })).body;
    await tenant.call("DELETE", `${PATH}/${dataset}/leads/${second.id}`);
    expect((await add(dataset, { email: "c@example.com" })).body.row_index).toBe(3);
    expect((await tenant.call("GET", `${PATH}/${dataset}`)).body.row_count).toBe(2);
  });

  test("the list is in row order, page by page", async () => {
    const dataset = await createDataset();
    const rows = Array.from({ length: 7 }, (_, n) => ({ email: `p${n}@example.com` }));
    await tenant.call("POST", `${PATH}/${dataset}/import`, { rows });
    const seen: number[] = [];
    let cursor = "";
    for (let pages = 0; pages < 10; pages++) {
      const { body } = await tenant.call("GET", `${PATH}/${dataset}/leads?limit=3${cursor}`);
      seen.push(...body.items.map((lead: { row_index: number }) => lead.row_index));
      if (!body.has_more) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect((await tenant.call("GET", `${PATH}/${dataset}/leads?cursor=eHl6`)).status).toBe(422);
  });

  test("what names nobody, leads nowhere or is too much is refused", async () => {
    const dataset = await createDataset();
    const keys = Array.from({ length: 201 }, (_, n) => [`k${n}`, 1]);
    for (const lead of [
      { first_name: "No identity" },
      { email: "x" },
      { profile_url: "javascript:alert(1)" },
      { email: "a@b.co", website: "not a url" },
      { email: "a@b.co", country: "Atlantis" },
      { email: "a@b.co", timezone: "+02:00" },
      { email: "a@b.co", custom: { a: "x".repeat(10_001) } },
      { email: "a@b.co", custom: { ["k".repeat(101)]: 1 } },
      { email: "a@b.co", custom: Object.fromEntries(keys) },
    ]) {
      const reply = await add(dataset, lead);
      expect([reply.status, reply.body.error]).toEqual([422, "Validation Error"]);
    }
    expect((await tenant.call("GET", `${PATH}/${dataset}`)).body.row_count).toBe(0);
  });

  test("deleting a lead stops it in every campaign, and leaves ended ones as they are", async () => {
    const now = api.deps.clock.now();
    const { campaignId, leadIds, campaignLeadIds } = await insertActiveCampaign(api.sql, tenant, {
      leads: 3,
      now,
    });
    const rows = await query`select dataset_id from campaigns where id = ${campaignId}`;
    const dataset = rows[0].dataset_id as string;
    await query`update campaign_leads set status = 'active', next_action_at = null, hold_reason = 'held' where id = ${campaignLeadIds[0]}`;
    await query`update campaign_leads set status = 'replied', next_action_at = null where id = ${campaignLeadIds[1]}`;
    for (const id of leadIds.slice(0, 2))
      expect((await tenant.call("DELETE", `${PATH}/${dataset}/leads/${id}`)).body).toEqual({
        success: true,
      });
    const after =
      await query`select status, stop_reason, next_action_at is null as idle, hold_reason from campaign_leads where campaign_id = ${campaignId} order by row_index`;
    expect(after).toEqual([
      { status: "stopped", stop_reason: "lead_deleted", idle: true, hold_reason: null },
      { status: "replied", stop_reason: null, idle: true, hold_reason: null },
      { status: "pending", stop_reason: null, idle: false, hold_reason: null },
    ]);
    expect(
      (await tenant.call("DELETE", `${PATH}/${dataset}/leads/${leadIds[0]}`)).body.detail,
    ).toBe("LEAD_NOT_FOUND");
    expect((await tenant.call("GET", `${PATH}/${dataset}`)).body.row_count).toBe(1);
  });

  test("a lead is found in its own dataset alone", async () => {
    const lead = (await add(await createDataset(), { email: "a@example.com" })).body.id;
    const at = `${PATH}/${await createDataset()}/leads/${lead}`;
    for (const [method, body] of [["GET"], ["PATCH", { first_name: "x" }], ["DELETE"]] as const)
      expect((await tenant.call(method, at, body)).status).toBe(404);
  });

  test("an export of 2,500 leads is whole, in order, and arrives in pieces", async () => {
    const dataset = await createDataset();
    const rows = Array.from({ length: 2500 }, (_, n) => ({
      email: `p${n}@example.com`,
      email_copy: `x${n}`,
    }));
    await tenant.call("POST", `${PATH}/${dataset}/import`, { rows });
    const response = await api.request(`${PATH}/${dataset}/leads.csv`, {
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    let pieces = 0;
    let text = "";
    const decoder = new TextDecoder();
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
      pieces += 1;
      text += decoder.decode(piece, { stream: true });
    }
    const lines = text.trimEnd().split("\r\n");
    expect(pieces).toBe(4);
    expect(lines).toHaveLength(2501);
    expect(lines[0]).toContain('"row_index","email"');
    expect(lines[0]).toContain('"email_copy"');
    expect(lines[2500]).toMatch(/^"2500","p2499@example.com"/);
  });

  test("an export that is given up stops reading", async () => {
    const dataset = await createDataset();
    await tenant.call("POST", `${PATH}/${dataset}/import`, { rows: [{ email: "a@example.com" }] });
    const response = await api.request(`${PATH}/${dataset}/leads.csv`, {
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    expect((await reader.read()).done).toBe(true);
  });
});
