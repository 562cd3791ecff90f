/** Whose acceptance of an invitation counts, since when it is waited for, and how one in vain ends. */
import { beforeEach, describe, expect, test } from "vitest";
import { readWakeState } from "#src/domain/engine/idle.ts";
import { acceptInvitation } from "#src/domain/network/accept-invitation.ts";
import { syncRelations } from "#src/domain/network/sync-relations.ts";
import { withdrawStale } from "#src/domain/network/withdraw-stale.ts";
import { createCampaign, inlineStep, launchable, runJob } from "../../support/campaigns.ts";
import {
  type AccountRows,
  insertAccount,
  networked,
  type NetworkStep,
  tenant,
  tickFor,
  useNetwork,
} from "../../support/network.ts";
import { begin, begun } from "./begin.ts";

useNetwork();

const HOUR = 3600;
const DAY = 24 * HOUR;
const PERSON = "declines-ida-holm";
const INVITE: NetworkStep = { action: "connection_request" };
const SAY: NetworkStep = { action: "message", days: 1, text: "Thank you" };
const SOCIAL_STEPS = [
  { step: 1, action_type: "connection_request" },
  { step: 2, delay_days: 1, action_type: "message", message_template: "Thank you" },
];
const EMAIL: NetworkStep = { action: "send_email", days: 2 };

const lead = (id: string) => networked.leadOf(id);
const later = (seconds: number) => networked.api.advance(seconds);
const withdraw = (account: AccountRows) => withdrawStale(networked.api.deps, account);
const withdrawals = (account: AccountRows) =>
  networked.network.acts("withdraw").filter((act) => act.account === account.providerAccountId);
const change = async (path: string, body: object) =>
  expect(await tenant.call("PATCH", path, body)).toMatchObject({ status: 200 });

const wakes = async () => (await readWakeState(networked.api.deps)).wakes;

const accept = async ({ id: accountId }: AccountRows, campaignLeadId: string) => {
  const { person_id: personId } = await lead(campaignLeadId);
  const person = { personId, publicIdentifier: PERSON, at: networked.api.deps.clock.now() };
  await acceptInvitation(networked.api.deps, { accountId, ...person });
};

describe("an acceptance", () => {
  let other: AccountRows;
  beforeEach(async () => {
    other = await insertAccount();
  });

  test("counts for the account that asked, and for none beside it", async () => {
    const { account, id } = await begun([INVITE, SAY], [PERSON]);
    const before = await wakes();
    await accept(other, id);
    expect(await lead(id)).toMatchObject({
      hold_reason: "awaiting_acceptance",
      connected_at: null,
    });
    expect(await wakes()).toBe(before);
    await accept(account, id);
    expect(await lead(id)).toMatchObject({ hold_reason: null, connected_at: expect.any(Date) });
    expect(await wakes()).not.toBe(before);
  });

  test("of somebody of whom only the page is known is found by the regular look", async () => {
    const { account, id } = await begun([INVITE, SAY], ["accepts-mara-lind"]);
    await networked.api.sql.query("update campaign_leads set person_id = null where id = $1", [id]);
    later(2 * DAY);
    expect(await syncRelations(networked.api.deps, account)).toBe(true);
    expect(await lead(id)).toMatchObject({ hold_reason: null, connected_at: expect.any(Date) });
  });

  test("of an account that the lead had before does not count for the one that it has now", async () => {
    const { account, campaignId, id } = await begun([INVITE, SAY], [PERSON]);
    const path = `/api/v1/campaigns/${campaignId}`;
    await tenant.call("POST", `${path}/pause`);
    await change(path, { connected_account_id: other.id });
    await accept(account, id);
    expect(await lead(id)).toMatchObject({
      alias_id: other.id,
      hold_reason: "awaiting_acceptance",
      connected_at: null,
    });
  });

  test("does not count for another account later on, though an email is next", async () => {
    const { account, campaignId, id } = await begun([INVITE, EMAIL, SAY], [PERSON]);
    await accept(account, id);
    const path = `/api/v1/campaigns/${campaignId}`;
    await tenant.call("POST", `${path}/pause`);
    await change(path, { connected_account_id: other.id });
    expect(await lead(id)).toMatchObject({
      connected_account_id: other.id,
      connected_at: null,
    });
  });
});

test("a lead that was stopped while its campaign went over to another account waits for that one", async () => {
  const { account, campaignId, campaignLeadIds } = await begun([INVITE, SAY], [PERSON, "a-b"]);
  const id = campaignLeadIds[0]!;
  await accept(account, id);
  const other = await insertAccount();
  const path = `/api/v1/campaigns/${campaignId}`;
  await tenant.call("POST", `${path}/pause`);
  await tenant.call("POST", `${path}/leads/${id}/stop`);
  await change(path, { connected_account_id: other.id });
  const { body } = await tenant.call("POST", `${path}/leads/${id}/mark`, { as: "resumed" });
  expect(body).toMatchObject({ status: "active", connected_account_id: other.id });
  expect(await lead(id)).toMatchObject({
    alias_id: null,
    next_channel: "socialnet",
    hold_reason: "awaiting_acceptance",
    connected_at: null,
  });
});

test.each([
  ["account", { type: "socialnet" }, {}],
  ["type", { type: "email", steps: [inlineStep()] }, { type: "socialnet", steps: SOCIAL_STEPS }],
])(
  "who was added to a draft before its %s changed is asked by the account that it is launched with",
  async (_, more, changes) => {
    const { api } = networked;
    const [first, last] = [await insertAccount(), await insertAccount()];
    const people = [
      { email: "ida@example.zz", profileUrl: `https://www.linkedin.com/in/${PERSON}` },
    ];
    const { body, leadIds } = await launchable(api, tenant, people);
    const { campaign_id: campaignId } = await createCampaign(tenant, {
      ...body,
      connected_account_id: first.id,
      steps: SOCIAL_STEPS,
      ...more,
    });
    const path = `/api/v1/campaigns/${campaignId}`;
    const added = await tenant.call("POST", `${path}/leads`, { lead_ids: leadIds });
    expect(added.body).toMatchObject({ added: 1 });
    await change(path, { connected_account_id: last.id });
    await change(path, changes);
    const launched = await tenant.call("POST", `${path}/launch`);
    expect(await runJob(api, launched.body)).toBe("activated");
    await tickFor(2);
    const [{ id }] = (await tenant.call("GET", `${path}/leads`)).body.items;
    expect(await lead(id)).toMatchObject({
      alias_id: last.id,
      connected_account_id: last.id,
      hold_reason: "awaiting_acceptance",
    });
    await accept(last, id);
    expect(await lead(id)).toMatchObject({ hold_reason: null, connected_at: expect.any(Date) });
  },
);

describe("an invitation in vain", () => {
  test("counts its 14 days from the request, whatever changes of the lead meanwhile", async () => {
    const { account, id } = await begun([INVITE, SAY], [PERSON]);
    later(13 * DAY);
    const { dataset_id: datasetId, lead_id: leadId } = await lead(id);
    await change(`/api/v1/datasets/${datasetId}/leads/${leadId}`, { timezone: "Asia/Tokyo" });
    expect((await lead(id)).timezone).toBe("Asia/Tokyo");
    await withdraw(account);
    expect(withdrawals(account)).toEqual([]);
    later(DAY + HOUR);
    await withdraw(account);
    expect(withdrawals(account)).toHaveLength(1);
  });

  test("is given up though it is gone at the network, and the person too", async () => {
    const { account, campaignId, id } = await begun([INVITE, SAY], [PERSON]);
    const [{ message_id: invitation }] = await networked.sendsOf(campaignId);
    const { people } = networked.api.deps.network!;
    await people.withdrawInvitation(account.providerAccountId, invitation);
    const sql = "update campaign_leads set person_id = 'nobody-at-all' where id = $1";
    await networked.api.sql.query(sql, [id]);
    later(15 * DAY);
    expect(await withdraw(account)).toBe(true);
    expect(await lead(id)).toMatchObject({ status: "completed", stop_reason: "not_accepted" });
  });

  test("is given up though the network does not take its withdrawal, and not while it cannot be asked", async () => {
    const { account, id } = await begun([INVITE, SAY], [PERSON]);
    later(15 * DAY);
    networked.network.faults.order("unavailable", 1);
    expect(await withdraw(account)).toBe(false);
    expect(await lead(id)).toMatchObject({ status: "active" });
    networked.network.faults.order("not_taken", 1);
    expect(await withdraw(account)).toBe(true);
    expect(await lead(id)).toMatchObject({ status: "completed", stop_reason: "not_accepted" });
  });

  test("can be made again three weeks after it was withdrawn, and not before", async () => {
    const { account } = await begun([INVITE, SAY], [PERSON]);
    later(14 * DAY + HOUR);
    await withdraw(account);
    const invitedBy = async () => {
      await begin([INVITE], [PERSON], account);
      await networked.api.sql.query("update sender_lanes set next_slot_at = $2 where id = $1", [
        account.id,
        networked.api.deps.clock.now(),
      ]);
      await tickFor(2);
      return networked.network
        .acts("invite")
        .filter((act) => act.account === account.providerAccountId).length;
    };
    expect(await invitedBy()).toBe(1);
    later(21 * DAY);
    expect(await invitedBy()).toBe(2);
  });

  test("is followed by an email, but not from who was taken off meanwhile", async () => {
    const { account, campaignId, aliasIds, id } = await begin(
      [{ action: "send_email" }, { ...INVITE, days: 1 }, SAY, EMAIL],
      [PERSON],
    );
    await tickFor(2);
    later(DAY);
    await tickFor(2);
    expect(await lead(id)).toMatchObject({ alias_id: account.id, next_step: 3 });
    const another = await begin([{ action: "send_email" }], []);
    const path = `/api/v1/campaigns/${campaignId}`;
    await tenant.call("POST", `${path}/pause`);
    await change(path, { alias_ids: another.aliasIds });
    await tenant.call("POST", `${path}/resume`);
    later(14 * DAY);
    const before = await wakes();
    await withdraw(account);
    expect(await wakes()).not.toBe(before);
    expect(await lead(id)).toMatchObject({ next_step: 4, alias_id: null, next_channel: "email" });
    later(2 * DAY);
    await tickFor(2);
    const emails = (await networked.sendsOf(campaignId)).filter(({ step }) => step % 3 === 1);
    expect(emails.map(({ lane_id }) => lane_id)).toEqual([...aliasIds, ...another.aliasIds]);
  });
});
