/** Accounts that do not pay have a few notes in a month; when they are used up, nothing but notes closes. */
import { expect, test } from "vitest";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import {
  type AccountRows,
  networked,
  type NetworkStep,
  tenant,
  tickFor,
  tickNow,
  useNetwork,
} from "../../support/network.ts";
import { begin } from "./begin.ts";

useNetwork();

const DAY = 86_400;
const NOTED: NetworkStep[] = [{ action: "connection_request", text: "Hello {{ first_name }}" }];
const people = (count: number, name = "lind") =>
  Array.from({ length: count }, (_, at) => `declines-${name}-${at}`);
const invitations = ({ providerAccountId }: AccountRows) =>
  networked.network.acts("invite").filter(({ account }) => account === providerAccountId);
const notes = (account: AccountRows) =>
  invitations(account).filter(({ text }) => text !== null && text !== undefined);
const get = async (path: string) => (await tenant.call("GET", `/api/v1/campaigns/${path}`)).body;
/** What the network was asked and did not do. */
const refusals = () =>
  networked.network.log.entries().filter(({ summary }) => summary.includes("422")).length;

/** A further campaign, for which the account looks for work, as after a launch. */
async function another(account: AccountRows, steps: NetworkStep[], whom: string[]) {
  const rows = await begin(steps, whom, account);
  const now = networked.api.deps.clock.now();
  await networked.api.sql.query("update sender_lanes set next_slot_at = $2 where id = $1", [
    account.id,
    now,
  ]);
  return rows;
}

/** Nine leads with a note each, of whom five got theirs. */
async function usedUp(steps = NOTED) {
  const rows = await begin(steps, people(9));
  await tickFor(8);
  return rows;
}

test("nine leads with a note: five go out, four wait for notes, and it is said why and until when", async () => {
  const { account, campaignId, campaignLeadIds } = await usedUp();
  expect(notes(account)).toHaveLength(5);
  const waiting = { held: 4, awaiting_notes: 4 };
  const status = await get(`${campaignId}/sending-status?lead_id=${campaignLeadIds[8]}`);
  expect(status).toMatchObject({ sending: false, leads: waiting });
  const until = expect.stringMatching(/T/);
  expect(status.reasons).toEqual([
    { code: "notes_used_up", message: expect.stringContaining("takes no more notes"), until },
  ]);
  expect(status.reasons[0].message).toMatch(/^4 leads/);
  expect(status.lead.reasons).toMatchObject([{ code: "notes_used_up", until }]);
  // The budget of the day is what it was.
  expect(status.senders).toMatchObject([
    { status: "connected", reasons: [], budgets: { connections: { used: 5, cap: 20 } } },
  ]);
  const lead = await get(`${campaignId}/leads/${campaignLeadIds[8]}`);
  expect(lead).toMatchObject({ status: "pending", hold_reason: "notes_used_up" });
  expect(lead.hold_until).toBe(status.reasons[0].until);
});

test("nothing is asked again before that date, and the forecast promises nothing before it", async () => {
  const { account, campaignId } = await usedUp();
  const { days, assumes } = await get(`${campaignId}/forecast?days=6`);
  expect(days).toEqual([]);
  expect(assumes).toContainEqual(expect.stringContaining("refused a note"));
  const asked = networked.network.log.entries().length;
  for (let day = 0; day < 6; day++) {
    networked.api.advance(DAY);
    await tickFor(2);
  }
  expect(networked.network.log.entries()).toHaveLength(asked);
  const [first] = (await get(`${campaignId}/forecast?days=6`)).days;
  expect(first).toMatchObject({ sends: 4 });
  // A month's notes roll: after thirty days there are five again.
  networked.api.advance(30 * DAY);
  await tickFor(8);
  expect(notes(account)).toHaveLength(9);
  expect((await get(campaignId)).status).toBe("completed");
});

test("requests without a note and messages of the same account go on that day", async () => {
  const { account } = await usedUp();
  await another(account, [{ action: "connection_request" }], people(2, "berg"));
  await another(account, [{ action: "profile_view" }], people(1, "holm"));
  await tickFor(5);
  expect(invitations(account)).toHaveLength(7);
  expect(notes(account)).toHaveLength(5);
});

test("a step that may do without its note does, and one can say so later", async () => {
  const { account, campaignId } = await usedUp();
  const { steps_config } = await get(campaignId);
  const steps = [{ ...steps_config[0], note_optional: true }];
  const { status } = await tenant.call("PATCH", `/api/v1/campaigns/${campaignId}`, { steps });
  expect(status).toBe(200);
  await tickFor(6);
  expect([notes(account).length, invitations(account).length]).toEqual([5, 9]);
  const { rows } = await networked.api.sql.query(
    "select count(b.html)::int as noted, count(*)::int as sent from sends s left join send_bodies b on b.send_id = s.id where s.campaign_id = $1",
    [campaignId],
  );
  expect(rows).toEqual([{ noted: 5, sent: 9 }]);
});

test("of who is still to be claimed the forecast knows it too", async () => {
  const { account } = await usedUp();
  const refused = refusals();
  const next = await another(account, NOTED, people(3, "nord"));
  expect((await get(`${next.campaignId}/forecast?days=6`)).days).toEqual([]);
  await tickNow();
  expect((await get(`${next.campaignId}/sending-status`)).leads).toMatchObject({
    awaiting_notes: 3,
  });
  expect(refusals()).toBe(refused);
});

test("a worker that dies before it has said until when leaves that to the full check", async () => {
  const { campaignId, id } = await usedUp();
  await networked.api.sql.query(
    "update campaign_leads set hold_until = null where campaign_id = $1",
    [campaignId],
  );
  await fullCheck(networked.api.deps);
  const { rows } = await networked.api.sql.query(
    "select count(*)::int as dated from campaign_leads where campaign_id = $1 and hold_reason = 'notes_used_up' and hold_until is not null",
    [campaignId],
  );
  expect([rows[0].dated, (await networked.leadOf(id)).status]).toEqual([4, "completed"]);
});

test("a day that the network closed is said as such, whoever else of the campaign is free", async () => {
  const mixed: NetworkStep[] = [...NOTED, { action: "send_email", days: 1 }];
  const { account, campaignId } = await begin(mixed, people(2));
  networked.network.control.setLimits(account.providerAccountId, { invitations_per_day: 0 });
  await tickFor(2);
  const { sending, reasons, senders } = await get(`${campaignId}/sending-status`);
  expect([sending, reasons[0].code]).toEqual([false, "all_senders_wait"]);
  expect(senders).toMatchObject([{ reasons: [] }, { status: "rate_limited" }]);
  const own = await tenant.call("GET", `/api/v1/connected-accounts/${account.id}`);
  expect(own.body.status).toBe("rate_limited");
  expect(senders[1].reasons[0].message).toMatch(
    /has no connection requests left today: The account/,
  );
});
