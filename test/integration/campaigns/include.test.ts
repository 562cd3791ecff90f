import { describe, expect, test } from "vitest";
import { insertActiveCampaign } from "../../support/engine.ts";
import { insertSent } from "../../support/sent-messages.ts";
import { createCampaign, launchable } from "../../support/campaigns.ts";
import { statements } from "../../support/statements.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi({ eachTest: true });

const running = (leads: number, more: object = {}) =>
  insertActiveCampaign(api.sql, tenant, {
    leads,
    now: api.deps.clock.now(),
    domain: `${Math.floor(performance.now() * 1000)}.zz`,
    steps: [{ delayDays: 0 }, { delayDays: 1 }],
    ...more,
  });

const get = async (path: string) => {
  const { status, body } = await tenant.call("GET", path);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
};

/** Answers at different instants, without these. */
const timeless = ({ generated_at: _at, until: _until, ...body }: Record<string, unknown>) => body;

describe("a campaign in version 2 includes", () => {
  test("what its own operations answer, and nothing that was not asked for", async () => {
    const { campaignId, aliasIds } = await running(3);
    await insertSent(api.sql, tenant, [
      {
        campaignId,
        laneId: aliasIds[0]!,
        at: new Date("2026-01-05T09:00:00Z"),
        facts: ["replied"],
      },
    ]);
    const path = `/api/v2/campaigns/${campaignId}`;
    const plain = await get(path);
    const full = await get(`${path}?include=stats,sending_status,forecast,lead_counts`);
    const { stats, sending_status: status, forecast, lead_counts: counts, ...campaign } = full;
    expect(campaign).toEqual(plain);
    expect(Object.keys(plain)).not.toContain("stats");
    expect(stats).toEqual(await get(`${path}/stats`));
    expect(stats.rows).toMatchObject([{ sent: 1, replied: 1 }]);
    expect(status).toEqual(await get(`${path}/sending-status`));
    expect(timeless(forecast)).toEqual(timeless(await get(`${path}/forecast`)));
    expect(forecast.total_sends).toBe(6);
    expect(counts).toEqual(await get(`${path}/lead-counts`));
    expect(counts).toMatchObject({ total: 3, held: 0, by_status: { pending: 3, replied: 0 } });
    const one = await get(`${path}?include=stats`);
    expect(one).toEqual({ ...plain, stats });
  });

  test("how many of its leads stand where, as its own count says", async () => {
    const { campaignId, campaignLeadIds: ids } = await running(4);
    const path = `/api/v2/campaigns/${campaignId}`;
    await tenant.call("POST", `${path}/lead-actions`, {
      action: "hold",
      campaign_lead_ids: ids.slice(0, 2),
    });
    await tenant.call("POST", `${path}/lead-actions`, {
      action: "stop",
      campaign_lead_ids: [ids[0]],
    });
    const { lead_counts: counts } = await get(`${path}?include=lead_counts`);
    expect(counts).toEqual(await get(`${path}/lead-counts`));
    const held = await get(`${path}/leads?held=true`);
    expect([counts.total, counts.held]).toEqual([4, held.items.length]);
    expect(counts.by_status).toMatchObject({ pending: 3, stopped: 1, replied: 0 });
    const other = await api.tenant();
    expect((await other.call("GET", `${path}/lead-counts`)).status).toBe(404);
  });

  test.each([
    ["", '""'],
    ["leads", '"leads"'],
    ["stats,", '""'],
    ["stats,Forecast", '"Forecast"'],
    ["stats%00", '"stats\\u0000"'],
    ["summary", '"summary"'],
    ["constructor", '"constructor"'],
  ])("no %s: 422 with what there is", async (asked, named) => {
    const { campaignId } = await running(1);
    const { status, body } = await tenant.call(
      "GET",
      `/api/v2/campaigns/${campaignId}?include=${asked}`,
    );
    expect([status, body.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(body.errors).toEqual([
      {
        in: "query",
        parameter: "include",
        message: `${named} cannot be included; there is stats, sending_status, forecast, lead_counts, file, separated by commas.`,
      },
    ]);
  });

  test("once: not as a list of parameters, and no longer than that", async () => {
    const { campaignId } = await running(1);
    for (const asked of ["include=stats&include=forecast", `include=${"stats,".repeat(40)}stats`])
      expect((await tenant.call("GET", `/api/v2/campaigns/${campaignId}?${asked}`)).status).toBe(
        422,
      );
    const stranger = await api.tenant();
    const reply = await stranger.call(
      "GET",
      `/api/v2/campaigns/${campaignId}?include=stats,forecast`,
    );
    expect([reply.status, reply.body.code]).toEqual([404, "CAMPAIGN_NOT_FOUND"]);
  });
});

test("version 1 knows no include: its bytes are the same with any", async () => {
  const { campaignId } = await running(1);
  for (const path of [`/api/v1/campaigns/${campaignId}`, "/api/v1/campaigns/"]) {
    const { text } = await tenant.call("GET", path);
    for (const asked of [
      "include=stats",
      "include=summary",
      "include=x",
      "include=a&include=b",
      "include=%00",
    ]) {
      const reply = await tenant.call("GET", `${path}?${asked}`);
      expect([reply.status, reply.text]).toEqual([200, text]);
    }
  }
});

interface Summarized {
  campaign_id: string;
  summary: {
    sent: number;
    replied: number;
    bounced: number;
    next_send_at: string | null;
    reason: { code: string } | null;
  };
}

const summaries = async (): Promise<Summarized[]> =>
  (await get("/api/v2/campaigns/?limit=100&include=summary")).items;

describe("a list of campaigns with summaries", () => {
  /** Campaigns in every state that has a say in what is next, over shared and over own senders. */
  async function many() {
    const due = await running(3);
    await running(2, { aliases: due.aliasIds });
    const paused = await running(2);
    await query`update campaigns set status = 'paused', paused_reason = 'bounce_rate_exceeded' where id = ${paused.campaignId}`;
    const done = await running(1);
    await query`update campaigns set status = 'completed' where id = ${done.campaignId}`;
    await query`update campaign_leads set status = 'completed', next_action_at = null, next_step = null where campaign_id = ${done.campaignId}`;
    const closed = await running(2);
    await query`update sender_lanes set open = false, next_slot_at = null where id = ${closed.aliasIds[0]}`;
    await query`update mail_aliases set status = 'error' where id = ${closed.aliasIds[0]}`;
    const later = await running(1);
    await query`update campaign_leads set next_action_at = next_action_at + interval '3 days' where campaign_id = ${later.campaignId}`;
    const absent = await running(1);
    await query`update campaign_leads set hold_reason = 'out_of_office', hold_until = next_action_at + interval '2 days' where campaign_id = ${absent.campaignId}`;
    const held = await running(1);
    await query`update campaign_leads set hold_reason = 'mine' where campaign_id = ${held.campaignId}`;
    const shut = await running(1);
    // An hour that is six hours off, whatever time it is.
    const opens = (hours: number) =>
      new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 19);
    await query`update campaigns set timezone = 'UTC', sending_window_start = ${opens(6)}, sending_window_end = ${opens(7)}, open_from = null, open_until = null where id = ${shut.campaignId}`;
    const zoned = await running(1);
    await query`update campaigns set use_lead_timezone = true where id = ${zoned.campaignId}`;
    await query`insert into campaign_zones (campaign_id, zone, open_from, open_until) select id, '', created_at, created_at from campaigns where id = ${zoned.campaignId}`;
    const draft = await createCampaign(tenant, (await launchable(api, tenant)).body);
    const at = new Date("2026-01-05T09:00:00Z");
    await insertSent(
      api.sql,
      tenant,
      [due, paused, done].flatMap(({ campaignId, aliasIds }, index) =>
        Array.from({ length: 5 + index }, (_, n) => ({
          campaignId,
          laneId: aliasIds[0]!,
          at,
          state: ["accepted", "assumed_sent", "rejected", "released"][n % 4]!,
          facts: n % 3 === 0 ? (["replied"] as const) : n === 2 ? (["bounced"] as const) : [],
        })),
      ),
    );
    return draft.campaign_id as string;
  }

  test("each says what its campaign's own operations say", async () => {
    await many();
    const listed = await summaries();
    expect(listed).toHaveLength(11);
    const { rows } = await api.sql.query(
      "select campaign_id, state, replied_at, bounced_at from sends where workspace_id = $1",
      [tenant.workspaceId],
    );
    const next = [];
    for (const { campaign_id: id, summary } of listed) {
      const own = rows.filter((row) => row.campaign_id === id && row.state !== "released");
      const status = await get(`/api/v2/campaigns/${id}/sending-status`);
      expect(summary).toEqual({
        sent: own.filter(({ state }) => state !== "rejected").length,
        replied: own.filter((row) => row.replied_at !== null).length,
        bounced: own.filter((row) => row.bounced_at !== null).length,
        next_send_at: status.next_send_at,
        reason: status.sending ? null : status.reasons[0],
      });
      next.push(summary.next_send_at);
    }
    expect(next.filter((at) => at !== null)).toHaveLength(6);
    expect(new Set(listed.map(({ summary }) => summary.reason?.code))).toEqual(
      new Set([
        undefined,
        "campaign_paused",
        "campaign_completed",
        "no_sender_available",
        "nothing_due",
        "leads_held",
        "window_closed",
        "campaign_draft",
      ]),
    );
  });

  test("asks the database as often for fifty campaigns as for two", async () => {
    const first = await running(2);
    await running(2);
    const countFor = async () => {
      const trips = await statements(api);
      const listed = await summaries();
      return [listed.length, trips()];
    };
    // The first request of a key asks for it alone.
    await summaries();
    const [two, trips] = await countFor();
    for (let n = 0; n < 48; n++) await running(2, n % 2 === 0 ? { aliases: first.aliasIds } : {});
    expect([two, await countFor()]).toEqual([2, [50, trips]]);
    expect(trips).toBeLessThanOrEqual(7);
  });

  test("of another workspace there is none, and a name that is none is refused", async () => {
    await running(1);
    const stranger = await api.tenant();
    const empty = await stranger.call("GET", "/api/v2/campaigns/?include=summary");
    expect(empty.body.items).toEqual([]);
    const refused = await tenant.call("GET", "/api/v2/campaigns/?include=stats");
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      422,
      '"stats" cannot be included; there is summary, separated by commas.',
    ]);
  });

  test("pages have summaries too, and a list that was not asked for them has none", async () => {
    await running(1);
    await running(1);
    const first = await get("/api/v2/campaigns/?limit=1&include=summary");
    const second = await get(
      `/api/v2/campaigns/?limit=1&include=summary&cursor=${first.next_cursor}`,
    );
    expect(
      [first, second].map(({ items }) => items.map((item: Summarized) => item.summary.sent)),
    ).toEqual([[0], [0]]);
    expect(Object.keys((await get("/api/v2/campaigns/")).items[0])).not.toContain("summary");
  });
});
