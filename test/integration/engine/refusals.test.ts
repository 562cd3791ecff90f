/** Whom a relay's refusal is put down to: one recipient, who alone waits, or the sender, who rests. */
import { beforeEach, describe, expect, test } from "vitest";
import type { CampaignRows } from "../../support/engine.ts";
import { advanceTo, runUntil } from "../../support/run-until.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
beforeEach(() => sending.mailbox.log.clear());

/** A campaign to just these addresses. */
async function campaignTo(addresses: string[], aliases?: string[]): Promise<CampaignRows> {
  const rows = await sending.campaign(tenant, {
    leads: addresses.length,
    ...(aliases && { aliases }),
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
  (
    await sending.api.sql.query(
      "select value, reason, expires_at from suppressions where workspace_id = $1 order by value",
      [tenant.workspaceId],
    )
  ).rows;
const laneOf = async ({ aliasIds }: CampaignRows) =>
  (await sending.api.sql.query("select * from sender_lanes where id = $1", [aliasIds[0]])).rows[0];
const received = async () =>
  (await sending.mailbox.messages()).map(({ to }) => to[0]!.split("@")[0]).toSorted();
/** How often the relay refused a message to these. */
const triesAt = (local: string) =>
  sending.mailbox.log.entries().filter(({ summary }) => summary.includes(`RCPT ${local}@`)).length;

async function runFor(hours: number): Promise<void> {
  const end = Date.now() + hours * 3_600_000;
  await runUntil(end);
  advanceTo(end);
}

test("two recipients refused by policy hold up nobody, and themselves not for ever", async () => {
  const first = await campaignTo(["policy+1@one.zz", "policy+2@two.zz"]);
  const other = await campaignTo(["ann@three.zz", "bob@four.zz", "cat@five.zz"], first.aliasIds);
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
    ["policy", [], 12, "failed"],
    ["listed", [], 12, "failed"],
    ["failing", [], 12, "failed"],
    ["bare", [], 12, "failed"],
    ["failing", ["ann@one.zz"], 6, "failed"],
    ["listed", ["ann@one.zz"], 12, "failed"],
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
