/** Plans that move when a campaign under way sends. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();

/** The full hour, in UTC, so many hours from now. */
const clock = (hours: number) => {
  const at = new Date(sending.api.deps.clock.now().getTime() + hours * 3_600_000);
  return `${at.toISOString().slice(11, 13)}:00`;
};

const window = (from: number, until: number) => ({
  sending_window_start: clock(from),
  sending_window_end: clock(until),
});

interface Arranged {
  dailyLimit?: number;
  /** Every second lead lives in Tokyo. */
  byLeads?: boolean;
}

/** What a plan of this change of an active campaign says, ticked once, and what is said before and behind it. */
async function planned(change: object, { dailyLimit = 500, byLeads = false }: Arranged = {}) {
  const { campaignId: id } = await sending.campaign(tenant, { leads: 6, dailyLimit });
  const { sql } = sending.api;
  await sql.query("update campaigns set use_lead_timezone = $2 where id = $1", [id, byLeads]);
  await sql.query(
    `update campaign_leads set timezone = 'Asia/Tokyo', zone = case when $2 then 'Asia/Tokyo' else '' end
     where campaign_id = $1 and row_index % 2 = 1`,
    [id, byLeads],
  );
  await sql.query(
    `insert into campaign_zones (campaign_id, zone, open_from, open_until)
     select $1, zone, now(), now() from unnest(array['', 'Asia/Tokyo']) zone where $2`,
    [id, byLeads],
  );
  await sending.tick();
  const path = `/api/v2/campaigns/${id}`;
  const forecast = async () => {
    const { days, sends } = (await tenant.call("GET", `${path}/forecast?days=14`)).body;
    return { days, sends };
  };
  const { file } = (await tenant.call("GET", `${path}?include=file`)).body;
  const { status, body } = await tenant.call("POST", "/api/v2/campaigns/plan", {
    campaign: { ...file, external_id: randomUUID(), ...change },
    campaign_id: id,
  });
  expect([status, body.blocked]).toEqual([200, []]);
  const before = await forecast();
  const { plan_token } = body;
  const applied = await tenant.call("POST", "/api/v2/campaigns/apply", { plan_token });
  expect(applied.status).toBe(200);
  const foretold = { days: body.forecast.days, sends: body.affected.next_sends };
  return { foretold, before, after: await forecast() };
}

test.each<[string, () => object, Arranged?]>([
  ["another window", () => window(5, 7)],
  ["another window, of whose day a part is used", () => window(5, 7), { dailyLimit: 3 }],
  ["a larger day", () => ({ daily_limit: 4 }), { dailyLimit: 1 }],
  ["the clocks of its leads", () => ({ ...window(5, 7), use_lead_timezone: true })],
  ["its own clock", () => ({ ...window(5, 7), use_lead_timezone: false }), { byLeads: true }],
  ["another window by the clocks of its leads", () => window(5, 7), { byLeads: true }],
])("of a campaign under way foretells %s as it is then", async (_, change, arranged) => {
  const { foretold, before, after } = await planned(change(), arranged);
  expect(foretold).toEqual(after);
  expect(after).not.toEqual(before);
});
