/** Whom a relay's refusal is put down to: one recipient, who alone waits, or the sender, who rests. */
import { beforeEach, describe, expect, test } from "vitest";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { bounceMail, postMail } from "../../support/incoming.ts";
import type { CampaignRows } from "../../support/engine.ts";
import { queryOf } from "../../support/query.ts";
import { advanceTo, runUntil } from "../../support/run-until.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);
beforeEach(() => sending.mailbox.log.clear());

/** A campaign to just these addresses. */
async function campaignTo(
  addresses: string[],
  { aliases, isLong = false }: { aliases?: string[]; isLong?: boolean } = {},
): Promise<CampaignRows> {
  const rows = await sending.campaign(tenant, {
    leads: addresses.length,
    ...(aliases && { aliases }),
    steps: [{ delayDays: 0 }, ...(isLong ? [{ delayDays: 20 }] : [])],
  });
  for (const [index, address] of addresses.entries())
    await sending.api.sql.query(
      `with lead as (update leads set email = $2, email_key = $2, identity_key = $2 where id = $1)
       update campaign_leads set email = $2, email_key = $2 where lead_id = $1`,
      [rows.leadIds[index], address],
    );
  return rows;
}

const statusesOf = async ({ campaignLeadIds }: CampaignRows) =>
  Promise.all(campaignLeadIds.map(async (id) => (await sending.leadOf(id)).status));
const suppressions = async () =>
  await query`select value, reason, expires_at from suppressions where workspace_id = ${tenant.workspaceId} order by value`;
const laneOf = async ({ aliasIds }: CampaignRows) =>
  (await query`select * from sender_lanes where id = ${aliasIds[0]}`)[0];
const received = async () =>
  (await sending.mailbox.messages()).map(({ to }) => to[0]!.split("@")[0]).toSorted();
/** How often the relay refused a message to these. */
const triesAt = (local: string) =>
  sending.mailbox.log.entries().filter(({ summary }) => summary.includes(`RCPT ${local}@`)).length;

/** A report about what the campaign sent to this recipient. */
async function report(rows: CampaignRows, recipient: string, status: string, diagnostic: string) {
  const { body: alias } = await tenant.call("GET", `/api/v1/mailer/aliases/${rows.aliasIds[0]}`);
  const sends = await sending.sendsOf(rows.campaignId);
  const originalMessageId = sends.find(({ email_key: key }) => key === recipient).message_id;
  const mail = bounceMail({ to: alias.email, recipient, status, diagnostic, originalMessageId });
  await postMail(sending.api, mail, alias.email, {});
}

async function runFor(hours: number): Promise<void> {
  const end = Date.now() + hours * 3_600_000;
  await runUntil(end);
  advanceTo(end);
}

test("two recipients refused by policy hold up nobody, and themselves not for ever", async () => {
  const first = await campaignTo(["policy+1@one.zz", "policy+2@two.zz"]);
  const other = await campaignTo(["ann@three.zz", "bob@four.zz", "cat@five.zz"], {
    aliases: first.aliasIds,
  });
  await runFor(0.12);
  expect(await received()).toEqual(["ann", "bob", "cat"]);
  expect(await laneOf(first)).toMatchObject({ closed_until: null, failures: 0 });
  await runFor(1);
  expect(await statusesOf(first)).toEqual(["bounced", "bounced"]);
  expect(await statusesOf(other)).toEqual(["completed", "completed", "completed"]);
  expect([triesAt("policy+1"), triesAt("policy+2")]).toEqual([2, 2]);
  expect(await suppressions()).toEqual([]);
});

test.each(["rcpt_policy", "rcpt_bare"])(
  "a relay that refuses everybody (%s) lets its sender rest, and no lead is lost or suppressed",
  async (fault) => {
    const rows = await campaignTo(["a@one.zz", "b@two.zz", "c@three.zz", "d@four.zz", "e@five.zz"]);
    sending.mailbox.faults.order(fault, 1000);
    await runFor(0.3);
    const lane = await laneOf(rows);
    expect(lane.closed_until.getTime()).toBeGreaterThan(sending.api.deps.clock.now().getTime());
    await runFor(48);
    expect(await statusesOf(rows)).not.toContain("bounced");
    expect(await statusesOf(rows)).not.toContain("failed");
    sending.mailbox.faults.clear();
    await runFor(30);
    expect(await received()).toEqual(["a", "b", "c", "d", "e"]);
    expect(await suppressions()).toEqual([]);
  },
);

describe("a recipient whose refusals never end is tried a bounded number of times", () => {
  test.each([
    // Alone with its sender nobody can tell whose fault it is.
    ["listed", [], 12, "failed"],
    ["failing", ["ann@one.zz"], 6, "failed"],
    ["policy", ["ann@one.zz"], 2, "bounced"],
  ])("%s@, beside %j: %d tries, then %s", async (name, others, tries, end) => {
    const rows = await campaignTo([`${name}@its.zz`, ...others]);
    await runFor(9 * 24);
    expect((await statusesOf(rows))[0]).toBe(end);
    expect(triesAt(name)).toBe(tries);
    expect(await suppressions()).toEqual([]);
  });
});

test("a bare 550 of one recipient ends it for good, once the sender was accepted elsewhere", async () => {
  const rows = await campaignTo(["bare@one.zz", "ann@two.zz"]);
  await runFor(0.05);
  expect((await statusesOf(rows))[0]).toBe("active");
  expect(await suppressions()).toEqual([]);
  await runFor(1);
  expect(await statusesOf(rows)).toEqual(["bounced", "completed"]);
  expect(await suppressions()).toMatchObject([
    { value: "bare@one.zz", reason: "hard_bounce", expires_at: null },
  ]);
});

test("reports of a policy that names nobody rest their sender from the third domain on, and spam at once", async () => {
  const rows = await campaignTo(["a@one.zz", "b@two.zz", "c@three.zz", "d@three.zz"], {
    isLong: true,
  });
  await runFor(0.2);
  const restsAfter = async (recipient: string, diagnostic: string) => {
    await report(rows, recipient, "5.7.1", diagnostic);
    const { closed_until } = await laneOf(rows);
    return closed_until !== null && closed_until.getTime() > Date.now();
  };
  const vague = "550 5.7.1 Not accepted by policy";
  expect(await restsAfter("c@three.zz", vague)).toBe(false);
  expect(await restsAfter("d@three.zz", vague)).toBe(false);
  expect(await restsAfter("b@two.zz", vague)).toBe(false);
  expect(await restsAfter("a@one.zz", vague)).toBe(true);
  expect(await statusesOf(rows)).toEqual(["active", "active", "active", "active"]);
  const again = await campaignTo(["e@four.zz"], { isLong: true });
  await sending.tick();
  await report(again, "e@four.zz", "5.7.1", "550 5.7.1 Spam");
  expect((await laneOf(again)).closed_until.getTime()).toBeGreaterThan(Date.now());
});

describe("a disabled mailbox", () => {
  const DAYS_90 = 90 * 86_400_000;

  test("ends its lead as bounced, and its address is left alone for 90 days", async () => {
    const rows = await campaignTo(["disabled@one.zz"]);
    await sending.tick();
    const now = sending.api.deps.clock.now().getTime();
    expect(await statusesOf(rows)).toEqual(["bounced"]);
    const [entry] = await suppressions();
    expect(entry).toMatchObject({ value: "disabled@one.zz", reason: "hard_bounce" });
    expect(Math.abs(entry.expires_at.getTime() - now - DAYS_90)).toBeLessThan(60_000);
  });

  /** A message that was accepted comes back. */
  async function comesBack(status: string, diagnostic: string) {
    const rows = await campaignTo(["ann@one.zz"], { isLong: true });
    await sending.tick();
    await report(rows, "ann@one.zz", status, diagnostic);
    return rows;
  }
  const endsIn = (entry: { expires_at: Date | null } | undefined) =>
    entry?.expires_at == null
      ? null
      : Math.round((entry.expires_at.getTime() - Date.now()) / 86_400_000);

  test.each([
    ["5.2.1", "550 5.2.1 Mailbox disabled"],
    ["5.2.1", "550 5.2.1 Failed"],
    ["5.0.0", "550 This account has been suspended"],
  ])("does the same by a report: %s, %s", async (status, diagnostic) => {
    expect(await statusesOf(await comesBack(status, diagnostic))).toEqual(["bounced"]);
    const [entry, ...others] = await suppressions();
    expect([entry.value, entry.reason, endsIn(entry)]).toEqual(["ann@one.zz", "hard_bounce", 90]);
    expect(others).toEqual([]);
  });

  test("is only a mailbox that takes no mail now, where a 4xx says so", async () => {
    const rows = await comesBack("4.2.1", "450 4.2.1 Mailbox disabled");
    expect(await statusesOf(rows)).toEqual(["active"]);
    expect(await suppressions()).toEqual([]);
  });

  test("a report of a disabled mailbox shortens no suppression that is for good, and a hard one lengthens it", async () => {
    const rows = await comesBack("5.2.1", "550 5.2.1 Mailbox disabled");
    const says = async (status: string, diagnostic: string) => {
      await report(rows, "ann@one.zz", status, diagnostic);
      return endsIn((await suppressions())[0]);
    };
    expect(await says("5.1.1", "550 5.1.1 No such user")).toBeNull();
    expect(await says("5.2.1", "550 5.2.1 Account inactive")).toBeNull();
  });

  test("a single email that is refused so does the same, and one in doubt suppresses nobody", async () => {
    const { aliasIds } = await campaignTo(["ann@one.zz"]);
    const send = async (to: string) => {
      const wish = { alias_id: aliasIds[0], to_email: to, subject: "Hello", body: "Hello." };
      const { body } = await tenant.call("POST", "/api/v1/mailer/emails", wish);
      return deliverEmail(sending.api.deps, body.id);
    };
    for (const name of ["policy", "bare"]) expect(await send(`${name}@two.zz`)).toBe("failed");
    expect(await suppressions()).toEqual([]);
    expect(await send("disabled@two.zz")).toBe("failed");
    const [entry] = await suppressions();
    expect([entry.value, endsIn(entry)]).toEqual(["disabled@two.zz", 90]);
  });

  test("after its 90 days it is written to again, and suppressed again; a hard bounce makes it for good", async () => {
    await campaignTo(["disabled@one.zz"]);
    await sending.tick();
    const [first] = await suppressions();
    sending.api.advance(DAYS_90 / 1000 + 60);
    const again = await campaignTo(["disabled@one.zz"]);
    await sending.tick();
    expect(await statusesOf(again)).toEqual(["bounced"]);
    const [second] = await suppressions();
    expect(second.expires_at.getTime() - first.expires_at.getTime()).toBeGreaterThan(DAYS_90 - 1);
    sending.api.advance(DAYS_90 / 1000 + 60);
    await campaignTo(["disabled@one.zz"]);
    sending.mailbox.faults.order("rcpt_refused", 1);
    await sending.tick();
    expect(await suppressions()).toMatchObject([{ reason: "hard_bounce", expires_at: null }]);
  });
});
