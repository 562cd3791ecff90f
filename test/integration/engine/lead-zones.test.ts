/** Windows by the clocks of the leads, from the API to the mailbox. */
import { expect, test } from "vitest";
import { createCampaign, inlineStep, insertDataset, runJob } from "../../support/campaigns.ts";
import { advanceTo, runUntil } from "../../support/run-until.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";
import { isInWindow, wallOf } from "../../simulation/wall-clock.ts";
import { queryOf } from "../../support/query.ts";

useSending();
const query = queryOf(() => sending.api.sql);

const DAY_MS = 86_400_000;
const WINDOW = {
  sending_window_start: "09:00:00",
  sending_window_end: "11:00:00",
  send_days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const,
};
const window = { start: "09:00:00", end: "11:00:00", days: [...WINDOW.send_days] };

/** A launched campaign by whose leads' clocks it goes, with a lead in each of these zones; null for one that nobody knows. */
async function launched(zones: (string | null)[], more: object = {}) {
  const { aliasIds } = await sending.campaign(tenant, { leads: 0 });
  const { datasetId, leadIds } = await insertDataset(
    sending.api.sql,
    tenant,
    zones.map((timezone, no) => ({
      email: `lead${no}@${crypto.randomUUID()}.zz`,
      firstName: "Ada",
      ...(timezone === null ? {} : { timezone }),
    })),
  );
  const draft = await createCampaign(tenant, {
    name: "Spring",
    dataset_id: datasetId,
    alias_ids: aliasIds,
    steps: [inlineStep(1)],
    min_interval_seconds: 60,
    use_lead_timezone: true,
    ...WINDOW,
    ...more,
  });
  const path = `/api/v1/campaigns/${draft.campaign_id}`;
  const { body } = await tenant.call("POST", `${path}/launch`);
  expect(await runJob(sending.api, body)).toBe("activated");
  const sends = async (): Promise<{ row: number; step: number; at: Date }[]> =>
    await query`select l.row_index as row, s.step, s.accepted_at as at from sends s join campaign_leads l on l.id = s.campaign_lead_id
         where s.campaign_id = ${draft.campaign_id} and s.state = 'accepted' order by s.accepted_at`;
  return { path, sends, datasetId, leadIds, id: draft.campaign_id as string };
}

test("leads in Tokyo, in Berlin and who knows where get their mail in their own window, and the day's limit is the campaign's", async () => {
  // Friday; on Sunday the clocks of Berlin go forward.
  advanceTo(Date.parse("2027-03-25T23:30:00Z"));
  const zones = ["Asia/Tokyo", "Europe/Berlin", null];
  const { path, sends } = await launched(zones, {
    timezone: "Europe/Berlin",
    daily_limit: 2,
    steps: [inlineStep(1), inlineStep(2, { delay_days: 2 })],
  });
  const { body } = await tenant.call("GET", `${path}/forecast?days=9`);
  await runUntil(Date.now() + 9 * DAY_MS);

  const sent = await sends();
  expect(sent).toHaveLength(6);
  for (const { row, at } of sent) {
    const timezone = zones[row] ?? "Europe/Berlin";
    expect(isInWindow(at.getTime(), { ...window, timezone }), `${row} ${at}`).toBe(true);
  }
  const dateOf = ({ at }: { at: Date }) => wallOf(at.getTime(), "Europe/Berlin").date;
  // Tokyo's window of the 26th opens at 1:00 in Berlin.
  expect(sent.map((send) => [dateOf(send), send.row, send.step])).toEqual([
    ["2027-03-26", 0, 1],
    ["2027-03-26", 1, 1],
    ["2027-03-27", 2, 1],
    ["2027-03-28", 0, 2],
    ["2027-03-28", 1, 2],
    ["2027-03-29", 2, 2],
  ]);
  // The same wall time two days later, over the change of clocks.
  expect(sent[4]!.at.getTime() - sent[1]!.at.getTime()).toBeLessThan(2 * DAY_MS - 3_000_000);
  expect(body.sends.map(({ at }: { at: string }) => at)).toEqual(
    sent.map(({ at }) => at.toISOString()),
  );
});

test("sending-status names the zones, and the one that a lead waits for", async () => {
  advanceTo(Date.parse("2027-04-12T12:00:00Z"));
  const { path, leadIds } = await launched(["Asia/Tokyo", "Asia/Tokyo", "America/New_York"]);
  const { body } = await tenant.call("GET", `${path}/sending-status?lead_id=${leadIds[0]}`);
  expect(body.window).toMatchObject({ timezone: "UTC", open: false });
  expect(
    body.window.zones.map(({ timezone, new_due }: Record<string, unknown>) => [timezone, new_due]),
  ).toEqual([
    ["America/New_York", 1],
    ["Asia/Tokyo", 2],
  ]);
  expect(body.window.open_from).toBe("2027-04-12T13:00:00.000Z");
  expect(body.reasons).toEqual([
    {
      code: "window_closed",
      message:
        "The sending window is closed in every time zone with a lead that is due; America/New_York comes first.",
      until: "2027-04-12T13:00:00.000Z",
    },
  ]);
  expect(body.lead.reasons).toEqual([
    {
      code: "lead_window_closed",
      message: "It waits for its sending window in Asia/Tokyo.",
      until: "2027-04-13T00:00:00.000Z",
    },
  ]);
  expect(body.next_send_at).toBe("2027-04-12T13:00:00.000Z");
  expect(body.lead.next_send_at).toBe("2027-04-13T00:00:00.000Z");
});

test("a lead that moves to another zone, by hand or by an import, waits for the window there", async () => {
  advanceTo(Date.parse("2027-04-19T09:30:00Z"));
  const { path, sends, datasetId, leadIds } = await launched(["Asia/Tokyo", "Asia/Tokyo"]);
  await runUntil(Date.now() + 120_000);
  expect(await sends()).toEqual([]);
  const lead = `/api/v1/datasets/${datasetId}/leads/${leadIds[0]}`;
  await tenant.call("PATCH", lead, { timezone: "Africa/Abidjan" });
  await runUntil(Date.now() + 120_000);
  expect((await sends()).map(({ row }) => row)).toEqual([0]);

  const { body } = await tenant.call("GET", `/api/v1/datasets/${datasetId}/leads`);
  const data = new FormData();
  const csv = `email,timezone\n${body.items[1].email},Africa/Dakar\n`;
  data.set("file", new Blob([csv], { type: "text/csv" }), "leads.csv");
  expect((await tenant.call("POST", `/api/v1/datasets/${datasetId}/import`, data)).status).toBe(
    200,
  );
  await runUntil(Date.now() + 600_000);
  expect((await sends()).map(({ row }) => row)).toEqual([0, 1]);
  const leads = await tenant.call("GET", `${path}/leads`);
  expect(leads.body.items.map(({ timezone }: { timezone: string }) => timezone)).toEqual([
    "Africa/Abidjan",
    "Africa/Dakar",
  ]);
});

test("a campaign goes by its own clock until it is told to go by its leads', and again after that", async () => {
  advanceTo(Date.parse("2027-05-03T09:30:00Z"));
  const more = { use_lead_timezone: false, timezone: "America/New_York" };
  const { path, sends } = await launched(["Etc/UTC", "Asia/Tokyo"], more);
  const change = (wish: object) => tenant.call("PATCH", path, wish);
  await runUntil(Date.now() + 300_000);
  expect(await sends()).toEqual([]);
  const other = await sending.campaign(tenant, { leads: 1 });
  await query`update campaign_leads set zone = 'Asia/Tokyo' where campaign_id = ${other.campaignId}`;
  expect((await change({ use_lead_timezone: true })).status).toBe(200);
  // Of another campaign's leads nothing is changed.
  expect((await sending.leadOf(other.campaignLeadIds[0]!)).zone).toBe("Asia/Tokyo");
  await runUntil(Date.now() + 300_000);
  expect((await sends()).map(({ row }) => row)).toEqual([0]);
  const off = await change({ use_lead_timezone: false });
  expect([off.status, off.body.use_lead_timezone]).toEqual([200, false]);
  // 9:00 in New York.
  advanceTo(Date.parse("2027-05-03T13:00:00Z"));
  await runUntil(Date.now() + 300_000);
  expect((await sends()).map(({ row }) => row)).toEqual([0, 1]);
});

test("another window of a running campaign holds in every zone at once", async () => {
  advanceTo(Date.parse("2027-05-10T09:30:00Z"));
  const { path, sends } = await launched(["America/New_York", "Asia/Tokyo"]);
  await runUntil(Date.now() + 300_000);
  expect(await sends()).toEqual([]);
  await tenant.call("PATCH", path, { sending_window_start: "18:00", sending_window_end: "19:00" });
  await runUntil(Date.now() + 300_000);
  expect((await sends()).map(({ row }) => row)).toEqual([1]);
});
