import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { pauseStrandedCampaigns } from "#src/domain/campaigns/guardrails.ts";
import { notifyMissedBounces } from "#src/domain/campaigns/notify-bounces.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { recordFeedback } from "#src/domain/replies/feedback/campaign.ts";
import { openNotices } from "#src/domain/workspace/notifications/open-notices.ts";
import { postMail, rawMail } from "../../../support/incoming.ts";
import {
  deliveriesOf,
  forgetNotices,
  owe,
  readOutbox,
  wantsAll,
} from "../../../support/notices.ts";
import { queryOf } from "../../../support/query.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";
import { statements } from "../../../support/statements.ts";

useSending();
const query = queryOf(() => sending.api.sql);
let address: string;
beforeEach(async () => {
  await forgetNotices(sending.api);
  address = await wantsAll(tenant);
});

const read = () => readOutbox(sending);
const inbox = () => sending.mailbox.messages({ to: address });
/** A campaign whose first step has gone out to all of its leads, and whose second is a day off. */
async function sent(leads = 1, domain = "example.zz") {
  const steps = [{ delayDays: 0 }, { delayDays: 1 }];
  const rows = await sending.campaign(tenant, { leads, aliases: leads, steps, domain });
  await sending.tick();
  const sends = await sending.sendsOf(rows.campaignId);
  expect(sends.map(({ state }) => state)).toEqual(sends.map(() => "accepted"));
  expect(sends).toHaveLength(leads);
  sending.mailbox.clear();
  return { ...rows, sends };
}

const replyTo = (send: { message_id: string }, body: string, more: object = {}) =>
  postMail(
    sending.api,
    rawMail({
      from: "lead1@example.zz",
      to: "sender@relay.zz",
      headers: [`In-Reply-To: <${send.message_id}>`],
      body,
      ...more,
    }),
    "sender@relay.zz",
    { from: "lead1@example.zz" },
  );
const tell = (send: { id: string }, kind: "hard_bounce" | "complaint") =>
  recordFeedback(sending.api.deps, {
    workspaceId: tenant.workspaceId,
    sendId: send.id,
    kind,
    at: sending.api.deps.clock.now(),
    reason: "5.1.1 User unknown",
  });

test("a stored reply is told by email: who, in which campaign, what was said, and where to read it", async () => {
  const { sends } = await sent();
  expect((await replyTo(sends[0], "Call me on Monday.\r\n\r\nAda")).body.class).toBe("reply");
  expect(await read()).toMatchObject({ taken: 1, delivered: 1 });
  const [mail, ...others] = await inbox();
  expect(others).toEqual([]);
  expect(mail!.subject).toContain("replied (Test)");
  expect(mail!.text).toContain("Campaign: Test");
  expect(mail!.text).toContain("> Call me on Monday.");
  const path = /\/api\/v1\/conversations\/[0-9a-f-]{36}/.exec(mail!.text)![0];
  expect((await tenant.call("GET", path)).status).toBe(200);
  expect(mail!.headers["auto-submitted"]).toBe("auto-generated");
});

test("a second reply to the same message is told as well; the same mail again is not", async () => {
  const { sends } = await sent();
  const body = "One moment.";
  const headers = [`In-Reply-To: <${sends[0].message_id}>`];
  const first = rawMail({ from: "lead1@example.zz", to: "sender@relay.zz", headers, body });
  const post = (raw: string) =>
    postMail(sending.api, raw, "sender@relay.zz", { from: "lead1@example.zz" });
  for (let time = 0; time < 3; time++) await post(first);
  await read();
  expect(await inbox()).toHaveLength(1);
  await replyTo(sends[0], "Now: yes.");
  sending.api.advance(301);
  await read();
  const [, second, ...others] = await inbox();
  expect(others).toEqual([]);
  expect(second!.text).toContain("> Now: yes.");
  expect(second!.text).not.toContain("One moment.");
});

test("a button that unsubscribes is no reply to tell of", async () => {
  const { sends } = await sent();
  const { body } = await replyTo(sends[0], "unsubscribe", { subject: "unsubscribe" });
  expect(body.class).toBe("reply");
  expect((await read()).taken).toBe(0);
});

describe("what has come back is told by the flags", () => {
  test.each([
    ["hard_bounce", "notify_on_bounce", "came back for good: 5.1.1 User unknown"],
    ["complaint", "notify_on_complaint", "reported your mail as spam"],
  ] as const)("a %s only where %s is set", async (kind, flag, words) => {
    const { sends } = await sent(2);
    await wantsAll(tenant, { [flag]: false });
    await tell(sends[0], kind);
    expect(await read()).toMatchObject({ taken: 1, delivered: 0 });
    await wantsAll(tenant);
    await tell(sends[0], kind);
    await tell(sends[1], kind);
    expect(await read()).toMatchObject({ taken: 1, delivered: 1 });
    const [mail, ...others] = await inbox();
    expect(others).toEqual([]);
    expect(mail!.text).toContain(words);
    expect(mail!.text).toContain(sends[1].email_key);
  });

  test("none by email where email is off, but that a campaign was paused", async () => {
    const { sends, campaignId } = await sent(2);
    await wantsAll(tenant, { email_enabled: false });
    await replyTo(sends[0], "Hello.");
    await read();
    expect(await inbox()).toEqual([]);
    await query`update sender_lanes set open = false`;
    await pauseStrandedCampaigns(sending.api.deps);
    await read();
    const [mail, ...others] = await inbox();
    expect(others).toEqual([]);
    expect(mail!.subject).toBe("The campaign “Test” was paused: none of its senders can send");
    expect(mail!.text).toContain(`/api/v1/campaigns/${campaignId}/resume`);
  });
});

test("an address that the relay refuses while the message is handed over is told once, also where its report comes too", async () => {
  const rows = await sending.campaign(tenant, { leads: 1 });
  sending.mailbox.faults.order("rcpt_refused", 1);
  await sending.tick();
  const [send] = await sending.sendsOf(rows.campaignId);
  expect(send.state).toBe("rejected");
  await tell(send, "hard_bounce");
  await notifyMissedBounces(sending.api.deps);
  expect(await read()).toMatchObject({ taken: 1, delivered: 1 });
  const [mail] = await inbox();
  expect(mail!.text).toContain("lead1@example.zz");
  expect(mail!.text).toContain("5.1.1");
});

test("a refusal whose tick ended before it owed the notice is found by the full check", async () => {
  const rows = await sending.campaign(tenant, { leads: 1 });
  sending.mailbox.faults.order("rcpt_refused", 1);
  await sending.tick();
  await query`delete from outbox where workspace_id = ${tenant.workspaceId}`;
  await fullCheck(sending.api.deps);
  await read();
  expect(await inbox()).toHaveLength(1);
  expect((await sending.sendsOf(rows.campaignId)).length).toBe(1);
});

describe("what happens within five minutes of a notice", () => {
  test("is told together at their end: the first of each kind named, the others counted", async () => {
    const { sends, campaignId } = await sent(30);
    await tell(sends[0], "hard_bounce");
    await read();
    expect(await inbox()).toHaveLength(1);
    for (const send of sends.slice(1, 28)) await tell(send, "hard_bounce");
    await replyTo(sends[28], "Yes.");
    const waits = await read();
    expect(waits).toMatchObject({ taken: 0, delivered: 0 });
    expect(waits.nextAt!.getTime() - Date.now()).toBeGreaterThan(290_000);
    sending.api.advance(290);
    expect((await read()).taken).toBe(0);
    sending.api.advance(11);
    expect(await read()).toMatchObject({ delivered: 1 });
    const [, digest, ...others] = await inbox();
    expect(others).toEqual([]);
    // Ten of a hundred bounce: the guardrail has paused the campaign meanwhile.
    expect(digest!.subject).toMatch(/^Test: .*1 reply, 27 hard bounces$/);
    expect(digest!.text).toContain("And 22 more.");
    expect(digest!.text).toContain(`/campaigns/${campaignId}/leads/`);
    // It opened a window of its own.
    await tell(sends[29], "complaint");
    expect((await read()).taken).toBe(0);
    sending.api.advance(301);
    await read();
    expect(await inbox()).toHaveLength(3);
  });

  test("is told by itself where it is another campaign's", async () => {
    const [one, other] = [await sent(), await sent(1, "other.zz")];
    await tell(one.sends[0], "complaint");
    await read();
    await tell(other.sends[0], "complaint");
    await read();
    expect(await inbox()).toHaveLength(2);
  });
});

test("ten thousand bounces in a minute are two messages, and few statements", async () => {
  const { campaignId, campaignLeadIds, sends } = await sent();
  await tell(sends[0], "hard_bounce");
  await read();
  const [leadId] = campaignLeadIds;
  await query`insert into outbox (id, workspace_id, kind, dedup_key, payload, created_at, attempts)
     select gen_random_uuid(), ${tenant.workspaceId}::uuid, 'lead_hard_bounce', 'burst:' || ${tenant.workspaceId} || n,
       jsonb_build_object('campaign_id', ${campaignId}::text, 'campaign_lead_id', ${leadId}::text, 'send_id', ${leadId}::text), ${sending.api.deps.clock.now()}, 0
     from generate_series(1, 10000) n`;
  await read();
  sending.api.advance(301);
  const asked = await statements(sending.api);
  expect(await read()).toMatchObject({ taken: 10_000, delivered: 1 });
  expect(asked()).toBeLessThan(15);
  const [, digest, ...others] = await inbox();
  expect(others).toEqual([]);
  expect(digest!.subject).toBe("Test: 10000 hard bounces");
});

describe("members", () => {
  /** Who has joined the tenant's workspace, with an address of their own. */
  async function joins(role: string): Promise<{ userId: string; email: string }> {
    const email = `${randomUUID()}@people.zz`;
    const jwt = await sending.api.token({ subject: randomUUID(), email, emailVerified: true });
    const as = async (method: string, path: string) => {
      const headers = { authorization: `Bearer ${jwt}` };
      const response = await sending.api.request(path, { method, headers });
      return (await response.json()) as { user_id: string };
    };
    const { user_id: userId } = await as("GET", "/api/v1/auth/verify");
    const invited = await tenant.callAsUser("POST", "/api/v1/workspace/invitations", {
      email,
      role,
    });
    await as("POST", `/api/v1/invitations/${invited.body.url.split("/").at(-1)}/accept`);
    return { userId, email };
  }
  /** Notices alone: the invitation goes out in the background, and may come late. */
  const mailsTo = async (to: string) =>
    (await sending.mailbox.messages({ to })).filter(({ text }) => text.includes("Spring"));

  test("each hears of it at their own address; a viewer not of what only others can mend", async () => {
    const colleague = await joins("member");
    const viewer = await joins("viewer");
    sending.mailbox.clear();
    await owe(sending.api, tenant);
    expect(await read()).toMatchObject({ taken: 1, delivered: 2 });
    expect(await inbox()).toHaveLength(1);
    expect(await mailsTo(colleague.email)).toHaveLength(1);
    expect(await mailsTo(viewer.email)).toEqual([]);
  });

  test("who leaves before it goes out is told nothing; the others are", async () => {
    const colleague = await joins("member");
    sending.mailbox.clear();
    await owe(sending.api, tenant);
    const { deps } = sending.api;
    await openNotices(deps, { email: true, whatsapp: false });
    const path = `/api/v1/workspace/members/${colleague.userId}`;
    expect((await tenant.callAsUser("DELETE", path)).status).toBe(200);
    expect(await read()).toMatchObject({ delivered: 2 });
    expect(await mailsTo(colleague.email)).toEqual([]);
    expect(await inbox()).toHaveLength(1);
    const ends = (await deliveriesOf(sending.api, tenant)).map(({ state, error }) => [
      state,
      error,
    ]);
    expect(ends).toContainEqual(["undeliverable", "They are no member of the workspace any more."]);
  });
});
