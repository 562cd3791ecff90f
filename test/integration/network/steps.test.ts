/** Campaign steps on the network: the real engine and adapter against the local stack's people. */
import { describe, expect, test } from "vitest";
import { syncAccount } from "#src/domain/network/sync-account.ts";
import { lookAtAccount } from "#src/domain/replies/inbound/network/look-at-account.ts";
import { syncRelations } from "#src/domain/network/sync-relations.ts";
import { withdrawStale } from "#src/domain/network/withdraw-stale.ts";
import {
  type AccountRows,
  insertAccount,
  networked,
  type NetworkStep,
  tenant,
  tickFor,
  tickNow,
  useNetwork,
} from "../../support/network.ts";
import { begin, begun } from "./begin.ts";

useNetwork();

const HOUR = 3600;
const DAY = 24 * HOUR;
const NOTE = "Hello {{ first_name }}, shall we connect?";
const MESSAGE = "Thank you, {{ first_name }} <3\n\nHere is more: https://example.com";
const INVITE_THEN_SAY = [
  { action: "connection_request", text: NOTE },
  { action: "message", days: 1, text: MESSAGE },
] as const;

const lead = (id: string) => networked.leadOf(id);
const acts = (account: AccountRows) =>
  networked.network.acts().filter((act) => act.account === account.providerAccountId);
const actsOf = (account: AccountRows, kind: string) =>
  acts(account).filter((act) => act.kind === kind);
const later = (seconds: number) => networked.api.advance(seconds);
const campaignStatus = async (id: string) =>
  (await tenant.call("GET", `/api/v1/campaigns/${id}`)).body.status;
const sync = (account: AccountRows) => syncRelations(networked.api.deps, account);
const withdraw = (account: AccountRows) => withdrawStale(networked.api.deps, account);

describe("an invitation", () => {
  test("is sent with its note, and its message waits until it is accepted", async () => {
    const { account, campaignId, id } = await begun(INVITE_THEN_SAY, ["accepts-mara-lind"]);
    expect(actsOf(account, "invite")).toMatchObject([
      { text: "Hello Lead 1, shall we connect?", person: "accepts-mara-lind" },
    ]);
    const [invitation] = networked.network.invitations();
    expect(await networked.sendsOf(campaignId)).toMatchObject([
      { state: "accepted", message_id: invitation!.id, reason: "Invited." },
    ]);
    expect(await lead(id)).toMatchObject({
      hold_reason: "awaiting_acceptance",
      status: "active",
      alias_id: account.id,
    });
    later(2 * DAY);
    expect((await tickNow()).claimed).toBe(0);
    expect(await sync(account)).toBe(true);
    expect(await lead(id)).toMatchObject({ hold_reason: null, connected_at: expect.any(Date) });
    await tickNow();
    expect(actsOf(account, "message")).toMatchObject([
      // A form's line ends are the network's.
      { text: "Thank you, Lead 1 <3\r\n\r\nHere is more: https://example.com" },
    ]);
    expect(await lead(id)).toMatchObject({ status: "completed", current_step: 2 });
    expect(await campaignStatus(campaignId)).toBe("completed");
  });

  test("to a friend is none: the message follows by its days alone", async () => {
    const { account, id } = await begun(INVITE_THEN_SAY, ["friend-otto-berg"]);
    expect(actsOf(account, "invite")).toEqual([]);
    expect(await lead(id)).toMatchObject({ hold_reason: null, next_step: 2 });
    later(DAY + 60);
    await tickNow();
    expect(actsOf(account, "message")).toHaveLength(1);
  });

  test("that nobody answers is withdrawn after 14 days, and the next email follows", async () => {
    const { account, id } = await begun(
      [...INVITE_THEN_SAY, { action: "send_email", days: 2 }],
      ["declines-ida-holm"],
    );
    later(14 * DAY - HOUR);
    await withdraw(account);
    expect(actsOf(account, "withdraw")).toEqual([]);
    later(2 * HOUR);
    await withdraw(account);
    expect(actsOf(account, "withdraw")).toHaveLength(1);
    expect(await lead(id)).toMatchObject({
      hold_reason: null,
      next_step: 3,
      next_channel: "email",
    });
    later(2 * DAY);
    await tickFor(2);
    expect(await networked.mailbox.messages()).toHaveLength(1);
    expect(await lead(id)).toMatchObject({ status: "completed", current_step: 3 });
  });

  test("that nobody answers completes a lead for whom nothing is left", async () => {
    const { account, campaignId, id } = await begun(INVITE_THEN_SAY, ["declines-ida-holm"]);
    later(15 * DAY);
    await withdraw(account);
    expect(await lead(id)).toMatchObject({
      status: "completed",
      stop_reason: "not_accepted",
    });
    expect(await campaignStatus(campaignId)).toBe("completed");
  });

  test("that nobody answers, of a campaign whose email is removed while the network is asked, completes the lead", async () => {
    const { account, campaignId, id } = await begun(
      [...INVITE_THEN_SAY, { action: "send_email", days: 2 }],
      ["declines-ida-holm"],
    );
    later(15 * DAY);
    const path = `/api/v1/campaigns/${campaignId}`;
    const { deps } = networked.api;
    const people = deps.network!.people!;
    const whileChanged: typeof people = {
      ...people,
      async withdrawInvitation(...args) {
        const { steps_config: steps } = (await tenant.call("GET", path)).body;
        await tenant.call("POST", `${path}/pause`);
        const { status } = await tenant.call("PATCH", path, { steps: steps.slice(0, 2) });
        expect(status).toBe(200);
        await tenant.call("POST", `${path}/resume`);
        return people.withdrawInvitation(...args);
      },
    };
    const network = { ...deps.network!, people: whileChanged };
    await withdrawStale({ ...deps, network }, account);
    expect(await lead(id)).toMatchObject({ hold_reason: "awaiting_acceptance", next_step: 2 });
    await withdraw(account);
    expect(await lead(id)).toMatchObject({ status: "completed", stop_reason: "not_accepted" });
  });

  test("that was accepted, and nobody was told, is not given up on its last day", async () => {
    const { account, id } = await begun(INVITE_THEN_SAY, ["late-ada-nord"]);
    later(15 * DAY);
    await withdraw(account);
    expect(await lead(id)).toMatchObject({ status: "active", hold_reason: null });
    await tickNow();
    expect(actsOf(account, "message")).toHaveLength(1);
  });
});

describe("a step that cannot be done", () => {
  const MESSAGE_ONLY = [{ action: "message", text: "Hello" }] as const;
  const note = (text: string): NetworkStep[] => [{ action: "connection_request", text }];
  test.each<[string, string | null, readonly NetworkStep[], status: string, reason: RegExp]>([
    ["for a lead without a profile", null, INVITE_THEN_SAY, "skipped", /^NO_PROFILE_URL/],
    ["for nobody", "nobody-at-all", INVITE_THEN_SAY, "failed", /^PERSON_NOT_FOUND/],
    ["to who takes none", "unreachable-eva", INVITE_THEN_SAY, "failed", /^PERSON_UNREACHABLE/],
    [
      "as a variable is missing",
      "accepts-a-b",
      note("{{ x }}"),
      "skipped",
      /^MISSING_VARIABLE: x$/,
    ],
    [
      "as the note is too long",
      "accepts-a-b",
      note("x".repeat(201)),
      "skipped",
      /^NOTE_TOO_LONG: 201 of 200 characters$/,
    ],
    ["as they are not connected", "accepts-a-b", MESSAGE_ONLY, "failed", /^NOT_CONNECTED/],
  ])("%s", async (_, person, steps, status, reason) => {
    const { account, id } = await begun(steps, [person]);
    const { stop_reason: code, last_error: words, ...ended } = await lead(id);
    expect(ended.status).toBe(status);
    expect(words).toMatch(reason);
    expect(code).toBe(words.split(":")[0].toLowerCase());
    expect(acts(account).filter(({ kind }) => kind === "invite" || kind === "message")).toEqual([]);
    // Nobody's address was refused, and the sender is as well as it was.
    const { rows: lanes } = await networked.api.sql.query(
      "select open, failures from sender_lanes where id = $1",
      [account.id],
    );
    expect(lanes).toEqual([{ open: true, failures: 0 }]);
  });

  test("a note of an account that pays is 300 characters, and an emoji is two of them", async () => {
    const account = await insertAccount(`premium+${Date.now()}@example.zz`);
    const steps = [{ action: "connection_request", text: `${"x".repeat(298)}🙂` }] as const;
    const fits = await begun(steps, ["accepts-a-b"], account);
    expect(await lead(fits.id)).toMatchObject({ status: "completed" });
    const longer = [{ action: "connection_request", text: `${"x".repeat(299)}🙂` }] as const;
    const not = await begin(longer, ["accepts-c-d"], account);
    later(300);
    await tickNow();
    expect(await lead(not.id)).toMatchObject({ status: "skipped" });
  });

  test("a message to who was released by hand is tried, and says why it failed", async () => {
    const { campaignId, id } = await begun(INVITE_THEN_SAY, ["declines-ida-holm"]);
    const path = `/api/v1/campaigns/${campaignId}/leads/${id}/release`;
    expect(await tenant.call("POST", path)).toMatchObject({ status: 200 });
    later(DAY + 60);
    await tickNow();
    expect(await lead(id)).toMatchObject({
      status: "failed",
      stop_reason: "not_connected",
      last_error: expect.stringMatching(/^NOT_CONNECTED/),
    });
  });
});

test("a visit is one, and tells who the person is", async () => {
  const { account, id } = await begun([{ action: "profile_view" }], ["accepts-mara-lind"]);
  expect(actsOf(account, "visit")).toHaveLength(1);
  expect(await lead(id)).toMatchObject({
    status: "completed",
    person_id: expect.any(String),
  });
});

describe("an account", () => {
  const row = async (account: AccountRows) =>
    (
      await networked.api.sql.query(
        "select a.status, lane.open, lane.closed_until, lane.failures from connected_accounts a join sender_lanes lane on lane.id = a.id where a.id = $1",
        [account.id],
      )
    ).rows[0];
  const INVITE = [{ action: "connection_request", text: NOTE }] as const;

  test("that has used up what the network allows of one kind goes on with the other, and loses nobody", async () => {
    const { account, campaignLeadIds } = await begin(INVITE, ["accepts-a-b", "accepts-c-d"]);
    const visits = await begin([{ action: "profile_view" }], ["accepts-e-f"], account);
    networked.network.control.setLimits(account.providerAccountId, { invitations_per_day: 0 });
    await tickFor(4);
    expect(actsOf(account, "invite")).toEqual([]);
    // It does not rest: what is used up is one budget.
    expect(await row(account)).toMatchObject({ closed_until: null, failures: 0 });
    expect(await lead(visits.id)).toMatchObject({ status: "completed" });
    for (const id of campaignLeadIds)
      expect(await lead(id)).toMatchObject({ status: "pending", stop_reason: null });
    networked.network.control.setLimits(account.providerAccountId, { invitations_per_day: 20 });
    later(DAY);
    await tickFor(6);
    expect(actsOf(account, "invite")).toHaveLength(2);
  });

  test("that is asked too often rests, and its lead keeps its place", async () => {
    const { account, campaignId, id } = await begin(INVITE, ["accepts-a-b"]);
    networked.network.faults.order("rate_limited", 1);
    await tickNow();
    expect(await row(account)).toMatchObject({ open: true, closed_until: expect.any(Date) });
    expect(await networked.sendsOf(campaignId)).toMatchObject([
      { state: "retry_wait", attempts: 0 },
    ]);
    later(360);
    await tickNow();
    expect(await lead(id)).toMatchObject({ status: "completed" });
  });

  test("whose session is gone is closed at once, and goes on when it is connected again", async () => {
    const { account, id } = await begin(INVITE, ["accepts-a-b"]);
    networked.network.faults.order("session_lost", 1);
    await tickNow();
    expect(await row(account)).toMatchObject({ status: "disconnected", open: false });
    expect(await lead(id)).toMatchObject({ status: "pending" });
    networked.network.control.setStatus(account.providerAccountId, "OK");
    await syncAccount(networked.api.deps, account.providerAccountId);
    expect(await row(account)).toMatchObject({ status: "connected", open: true });
    later(600);
    await tickNow();
    expect(await lead(id)).toMatchObject({ status: "completed" });
    expect(actsOf(account, "invite")).toHaveLength(1);
  });

  test("our own key that is refused is nobody's fault but ours", async () => {
    const { account, id } = await begin(INVITE, ["accepts-a-b"]);
    networked.network.faults.order("key_refused", 1);
    await tickNow();
    expect(await row(account)).toMatchObject({ status: "connected", open: true });
    expect(await lead(id)).toMatchObject({ status: "pending" });
    later(360);
    await tickNow();
    expect(await lead(id)).toMatchObject({ status: "completed" });
  });
});

test("an email, then an invitation, then a message: by the queue's own look at the account", async () => {
  const { account, campaignId, campaignLeadIds } = await begin(
    [
      { action: "send_email" },
      { action: "connection_request", days: 1, text: NOTE },
      { action: "message", days: 1, text: MESSAGE },
    ],
    ["accepts-mara-lind", "declines-ida-holm"],
  );
  await tickFor(4);
  expect(await networked.mailbox.messages()).toHaveLength(2);
  later(DAY);
  await tickFor(4);
  expect(actsOf(account, "invite")).toHaveLength(2);
  later(2 * DAY);
  await lookAtAccount(networked.api.deps, account.id);
  await tickFor(3);
  expect(actsOf(account, "message")).toMatchObject([{ person: "accepts-mara-lind" }]);
  const status = await tenant.call(
    "GET",
    `/api/v1/campaigns/${campaignId}/sending-status?lead_id=${campaignLeadIds[1]!}`,
  );
  expect(status.body.leads).toMatchObject({ held: 1, awaiting_acceptance: 1 });
  expect(status.body.reasons).toMatchObject([{ code: "awaiting_acceptance" }]);
  expect(status.body.lead.reasons).toMatchObject([
    { code: "awaiting_acceptance", message: expect.stringContaining("accept the invitation") },
  ]);
  expect(status.body.senders).toMatchObject([
    { connected_account_id: null, email: expect.any(String) },
    {
      connected_account_id: account.id,
      alias_id: null,
      name: expect.any(String),
      status: "connected",
    },
  ]);
  later(13 * DAY);
  await lookAtAccount(networked.api.deps, account.id);
  const [first, second] = await Promise.all(campaignLeadIds.map(lead));
  expect([first.status, first.stop_reason]).toEqual(["completed", null]);
  expect([second.status, second.stop_reason]).toEqual(["completed", "not_accepted"]);
  const stats = await tenant.call("GET", `/api/v1/campaigns/${campaignId}/stats?by=step`);
  expect(stats.body.rows.map((each: { sent: number }) => each.sent)).toEqual([2, 2, 1]);
  const clicks = await tenant.call("GET", `/api/v1/campaigns/${campaignId}/click-stats`);
  expect(clicks.body.total_sent).toBe(2);
});
