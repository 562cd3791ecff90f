import { describe, expect, test } from "vitest";
import {
  type LeadOrder,
  type LeadPlace,
  listCampaignLeads,
  placeOf,
} from "#db/campaigns/lead-list.ts";
import {
  activeCampaign,
  createCampaign,
  forceStatus,
  insertDataset,
  launchable,
  runJob,
  suppress,
} from "../../support/campaigns.ts";
import { untilWaiting } from "../../support/locks.ts";
import { insertAccount } from "../../support/network-accounts.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi();

const emails = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => ({ email: `${prefix}${index}@example.zz` }));

describe("listing", () => {
  test("pages through the leads in dataset order, each once", async () => {
    const { path } = await activeCampaign(api, tenant, {}, emails(5, "page"));
    const seen: number[] = [];
    let cursor = "";
    for (let page = 0; page < 4; page++) {
      const { body } = await tenant.call("GET", `${path}/leads?limit=2${cursor}`);
      seen.push(...body.items.map((lead: { row_index: number }) => lead.row_index));
      expect(body.has_more).toBe(body.next_cursor !== null);
      if (!body.has_more) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toEqual([0, 1, 2, 3, 4]);
  });

  test("filters by status, and shows every field", async () => {
    const { path, id, leadIds, datasetId } = await activeCampaign(api, tenant, {}, [
      { email: "ok@example.zz" },
      { email: null },
    ]);
    const { body } = await tenant.call("GET", `${path}/leads?status=skipped`);
    expect(body).toEqual({
      items: [expect.objectContaining({ stop_reason: "no_email" })],
      next_cursor: null,
      has_more: false,
    });
    const pending = (await tenant.call("GET", `${path}/leads?status=pending`)).body.items[0];
    expect(pending).toEqual({
      id: expect.any(String),
      user_id: tenant.userId,
      workspace_id: tenant.workspaceId,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      campaign_id: id,
      lead_id: leadIds[0],
      dataset_id: datasetId,
      row_index: 0,
      email: "ok@example.zz",
      profile_url: null,
      status: "pending",
      current_step: 0,
      next_step: 1,
      next_action_at: expect.any(String),
      alias_id: null,
      connected_account_id: null,
      timezone: null,
      hold_until: null,
      hold_reason: null,
      approved_steps: [],
      stop_reason: null,
      last_error: null,
      metadata: {},
    });
    const one = await tenant.call("GET", `${path}/leads/${pending.id}`);
    expect(one.body).toEqual(pending);
  });

  test("approved steps are those with an approved email", async () => {
    const { path, id } = await activeCampaign(api, tenant);
    await query`update campaign_leads set metadata = '{"approved_emails": {"2": {}, "10": {}, "1": {}}}' where campaign_id = ${id}`;
    expect((await tenant.call("GET", `${path}/leads`)).body.items[0].approved_steps).toEqual([
      1, 2, 10,
    ]);
  });

  test("another campaign's lead is not found", async () => {
    const [one, two] = [await activeCampaign(api, tenant), await activeCampaign(api, tenant)];
    const [lead] = (await tenant.call("GET", `${one.path}/leads`)).body.items;
    const reply = await tenant.call("GET", `${two.path}/leads/${lead.id}`);
    expect([reply.status, reply.body.detail]).toEqual([404, "CAMPAIGN_LEAD_NOT_FOUND"]);
  });

  describe("by what is sought, held, or changed last", () => {
    const people = [
      { email: "ada@analytical.zz", firstName: "Ada" },
      { email: "grace@navy.zz", firstName: "Grace" },
      { email: "x50@percent.zz", firstName: "100% \\ _under" },
      { email: null, firstName: "Nobody", profileUrl: "https://www.linkedin.com/in/nobody" },
      { email: "last@analytical.zz", firstName: "Last" },
    ];
    async function peopled() {
      const made = await activeCampaign(api, tenant, {}, people);
      await query`update leads set last_name = 'Lovelace', company = 'Analytical Engines' where id = ${made.leadIds[0]}`;
      await query`update leads set full_name = 'Rear Admiral Hopper' where id = ${made.leadIds[1]}`;
      const asked = async (text: string) => {
        const { status, body } = await tenant.call("GET", `${made.path}/leads?${text}`);
        expect([status, body.items]).toEqual([200, expect.anything()]);
        return body.items.map((lead: { row_index: number }) => lead.row_index);
      };
      return { ...made, asked };
    }

    test("q finds a part of address, name and company, whatever its case, and takes no wildcard", async () => {
      const { asked, path, leadIds } = await peopled();
      const found = async (q: string) => asked(`q=${encodeURIComponent(q)}`);
      expect(await found("ANALYTICAL")).toEqual([0, 4]);
      expect(await found("a lovel")).toEqual([0]);
      expect(await found("engines")).toEqual([0]);
      expect(await found("admiral")).toEqual([1]);
      expect(await found("%")).toEqual([2]);
      expect(await found("_")).toEqual([2]);
      expect(await found("\\")).toEqual([2]);
      expect(await found("' or true --")).toEqual([]);
      expect(await asked("q=nobody&status=skipped")).toEqual([3]);
      expect(await asked("q=nobody&status=pending")).toEqual([]);
      await query`delete from leads where id = ${leadIds[4]}`;
      expect(await found("last@")).toEqual([4]);
      const other = await activeCampaign(api, tenant, {}, [{ email: "ada@elsewhere.zz" }]);
      expect(other.path).not.toBe(path);
      expect(await found("elsewhere")).toEqual([]);
    });

    test("a search looks at so many leads at a time, in its order, and says how far it came", async () => {
      const { id } = await peopled();
      const page = { part: "analytical", limit: 10 };
      const look = async (order: LeadOrder, after?: LeadPlace) => {
        const found = await listCampaignLeads(
          api.deps.db,
          tenant.workspaceId,
          id,
          { ...page, order, after },
          2,
        );
        const { rows, reached } = found!;
        return {
          rows: rows.map(({ rowIndex }) => rowIndex),
          reached: reached && placeOf(reached, order),
        };
      };
      const seen: number[][] = [];
      for (const order of ["row_index", "-row_index", "-updated_at"] as const) {
        const rows: number[] = [];
        let looks = 0;
        for (let after: LeadPlace | null | undefined; after !== null; looks++) {
          const found = await look(order, after);
          rows.push(...found.rows);
          after = found.reached;
        }
        expect(looks).toBe(3);
        seen.push(rows);
      }
      expect(seen.slice(0, 2)).toEqual([
        [0, 4],
        [4, 0],
      ]);
      expect(seen[2]!.toSorted()).toEqual([0, 4]);
    });

    test("held says whether a lead is held", async () => {
      const { asked, id } = await peopled();
      await query`update campaign_leads set hold_reason = 'mine' where campaign_id = ${id} and row_index = 1`;
      expect(await asked("held=true")).toEqual([1]);
      expect(await asked("held=false")).toEqual([0, 2, 3, 4]);
      expect(await asked("held=true&q=ada")).toEqual([]);
    });

    test("each order has pages of its own", async () => {
      const { id, path } = await peopled();
      for (const [place, row] of [3, 0, 4, 2, 1].entries())
        await query`update campaign_leads set updated_at = ${new Date(Date.UTC(2026, 0, 9 - place))} where campaign_id = ${id} and row_index = ${row}`;
      const cursors: string[] = [];
      for (const [order, expected] of [
        ["row_index", [0, 1, 2, 3, 4]],
        ["-row_index", [4, 3, 2, 1, 0]],
        ["-updated_at", [3, 0, 4, 2, 1]],
      ] as const) {
        const seen: number[] = [];
        for (let cursor = "", more = true; more;) {
          const { body } = await tenant.call(
            "GET",
            `${path}/leads?order=${order}&limit=2${cursor}`,
          );
          seen.push(...body.items.map((lead: { row_index: number }) => lead.row_index));
          cursor = `&cursor=${body.next_cursor}`;
          if (seen.length === 2) cursors.push(cursor);
          more = body.has_more;
        }
        expect([order, seen]).toEqual([order, expected]);
      }
      const foreign = await tenant.call("GET", `${path}/leads?order=-row_index${cursors[0]}`);
      expect([foreign.status, foreign.body.message]).toEqual([
        422,
        "The cursor is of the order row_index.",
      ]);
      expect((await tenant.call("GET", `${path}/leads?limit=2${cursors[2]}`)).status).toBe(422);
    });

    test.each([
      "q=",
      "q=%20",
      "q=%00",
      `q=${"x".repeat(321)}`,
      "q=a&q=b",
      "held=yes",
      "order=email",
      "order=",
    ])("%s is refused", async (asked) => {
      const { path } = await peopled();
      expect((await tenant.call("GET", `${path}/leads?${asked}`)).status).toBe(422);
    });
  });

  test.each(["?status=asleep", "?cursor=Zm9v", "?cursor=x", "?limit=201"])(
    "%s is refused",
    async (query) => {
      const { path } = await activeCampaign(api, tenant);
      const { status, body } = await tenant.call("GET", `${path}/leads${query}`);
      expect([status, body.error]).toEqual([422, "Validation Error"]);
    },
  );
});

describe("adding", () => {
  const add = (path: string, lead_ids: string[]) =>
    tenant.call("POST", `${path}/leads`, { lead_ids });

  test("takes leads of any dataset, each address once, and says why others stay out", async () => {
    const { path, leadIds, id, aliasId } = await activeCampaign(api, tenant, {}, [
      { email: "in@example.zz" },
    ]);
    const more = await insertDataset(api.sql, tenant, [
      { email: "more@example.zz" },
      { email: "IN@example.zz" },
      { email: null },
      { email: "nomail@example.zz" },
    ]);
    await suppress(api.sql, tenant, "email", "nomail@example.zz");
    await query`update sender_lanes set next_slot_at = null where id = ${aliasId}`;
    const theirs = await insertDataset(api.sql, await api.tenant(), [{ email: "t@example.zz" }]);
    const ids = [...more.leadIds, leadIds[0]!, theirs.leadIds[0]!];
    const { status, body } = await add(path, [...ids, ids[0]!]);
    expect(status).toBe(200);
    expect(body.added).toBe(1);
    expect(
      new Map(
        body.skipped.map((each: { lead_id: string; code: string }) => [each.lead_id, each.code]),
      ),
    ).toEqual(
      new Map([
        [more.leadIds[1], "DUPLICATE_ADDRESS"],
        [more.leadIds[2], "NO_EMAIL"],
        [more.leadIds[3], "SUPPRESSED"],
        [leadIds[0], "ALREADY_IN_CAMPAIGN"],
        [theirs.leadIds[0], "LEAD_NOT_FOUND"],
      ]),
    );
    const campaign = (await tenant.call("GET", path)).body;
    expect(campaign.total_leads).toBe(2);
    const rows =
      await query`select next_action_at, status from campaign_leads where campaign_id = ${id} and lead_id = ${ids[0]}`;
    expect(rows[0]).toMatchObject({ status: "pending", next_action_at: expect.any(Date) });
    const lane = await query`select next_slot_at from sender_lanes where id = ${aliasId}`;
    expect(lane[0].next_slot_at).not.toBeNull();
  });

  test("to a campaign on the network leaves out who has no page there", async () => {
    const made = await insertDataset(api.sql, tenant, emails(1, "page"));
    const { campaign_id } = await createCampaign(tenant, {
      ...{ name: "Network", type: "socialnet", dataset_id: made.datasetId },
      connected_account_id: await insertAccount(api.sql, tenant),
      steps: [{ step: 1, action_type: "connection_request" }],
    });
    const [lead_id] = (await insertDataset(api.sql, tenant, emails(1, "nopage"))).leadIds;
    const { body } = await add(`/api/v1/campaigns/${campaign_id}`, [lead_id!]);
    expect(body).toEqual({ added: 0, skipped: [{ lead_id, code: "NO_PROFILE_URL" }] });
  });

  test("twice adds once", async () => {
    const { path } = await activeCampaign(api, tenant);
    const { leadIds } = await insertDataset(api.sql, tenant, emails(3, "twice"));
    const replies = await Promise.all([add(path, leadIds), add(path, leadIds)]);
    expect(replies.reduce((sum, { body }) => sum + body.added, 0)).toBe(3);
    expect((await tenant.call("GET", path)).body.total_leads).toBe(4);
  });

  test("two leads with one address in one call add one", async () => {
    const { path } = await activeCampaign(api, tenant);
    const one = await insertDataset(api.sql, tenant, [{ email: "same@example.zz" }]);
    const two = await insertDataset(api.sql, tenant, [{ email: "same@example.zz" }]);
    const { body } = await add(path, [...one.leadIds, ...two.leadIds]);
    expect(body).toMatchObject({ added: 1, skipped: [{ code: "DUPLICATE_ADDRESS" }] });
  });

  test("before the launch waits for it", async () => {
    const { body } = await launchable(api, tenant, emails(2, "before"));
    const { campaign_id } = await createCampaign(tenant, body);
    const path = `/api/v1/campaigns/${campaign_id}`;
    const { leadIds } = await insertDataset(api.sql, tenant, [{ email: "extra@example.zz" }]);
    expect((await add(path, leadIds)).body.added).toBe(1);
    const [early] = (await tenant.call("GET", `${path}/leads`)).body.items;
    expect(early).toMatchObject({ status: "pending", next_action_at: null });
    const launched = await tenant.call("POST", `${path}/launch`);
    await runJob(api, launched.body);
    const all = (await tenant.call("GET", `${path}/leads`)).body.items;
    expect(all).toHaveLength(3);
    expect(
      all.every((lead: { next_action_at: string | null }) => lead.next_action_at !== null),
    ).toBe(true);
    expect((await tenant.call("GET", path)).body.total_leads).toBe(3);
  });

  test("while the launch takes effect waits for it, and is due at once", async () => {
    const { body } = await launchable(api, tenant);
    const { campaign_id } = await createCampaign(tenant, body);
    const { leadIds } = await insertDataset(api.sql, tenant, [{ email: "meanwhile@example.zz" }]);
    const activation = await api.sql.connect();
    await activation.query("begin");
    await activation.query(
      "update campaigns set status = 'active', launched_at = now(), total_leads = 1 where id = $1",
      [campaign_id],
    );
    const adding = add(`/api/v1/campaigns/${campaign_id}`, leadIds);
    await untilWaiting(api.sql, 1);
    await activation.query("commit");
    activation.release();
    expect((await adding).body.added).toBe(1);
    const rows =
      await query`select next_action_at from campaign_leads where campaign_id = ${campaign_id}`;
    expect(rows).toEqual([{ next_action_at: expect.any(Date) }]);
    const campaign = (await tenant.call("GET", `/api/v1/campaigns/${campaign_id}`)).body;
    expect(campaign.total_leads).toBe(2);
  });

  test("to a completed campaign makes it active; adding nothing does not", async () => {
    const { path, id, leadIds } = await activeCampaign(api, tenant);
    await forceStatus(api.sql, id, "completed", { open_until: null });
    expect((await add(path, leadIds)).body.added).toBe(0);
    expect((await tenant.call("GET", path)).body.status).toBe("completed");
    const more = await insertDataset(api.sql, tenant, [{ email: "late@example.zz" }]);
    expect((await add(path, more.leadIds)).body.added).toBe(1);
    expect((await tenant.call("GET", path)).body).toMatchObject({
      status: "active",
      total_leads: 2,
    });
    const rows = await query`select open_until from campaigns where id = ${id}`;
    expect(rows[0].open_until).not.toBeNull();
  });
});

test("where each lead stands comes as CSV, in dataset order", async () => {
  const { path } = await activeCampaign(api, tenant, {}, [
    { email: "ada@example.zz" },
    { email: null },
    { email: "eve@example.zz" },
  ]);
  const reply = await tenant.call("GET", `${path}/leads.csv`);
  expect(reply.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const [header, ...lines] = reply.text.trim().split("\r\n");
  expect(header).toMatch(/^"row_index","email","profile_url","status"/);
  expect(lines.map((line) => line.split(",").slice(0, 4))).toEqual([
    ['"0"', '"ada@example.zz"', "", '"pending"'],
    ['"1"', "", "", '"skipped"'],
    ['"2"', '"eve@example.zz"', "", '"pending"'],
  ]);
});
