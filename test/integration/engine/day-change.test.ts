import { expect, test } from "vitest";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();

const CAP = 3;
const HOUR = 3600;
const now = () => sending.api.deps.clock.now();
const sent = async () => (await sending.mailbox.messages()).length;

/** The zone whose clocks show `hour` at this full hour of UTC. */
function zoneWith(hour: number, utcHour: number): string {
  const offset = ((hour - utcHour + 36) % 24) - 12;
  return offset === 0 ? "Etc/GMT" : `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`;
}

/** Moves the workspace to where it is this hour now. */
async function moveTo(hour: number) {
  const timezone = zoneWith(hour, now().getUTCHours());
  expect((await tenant.call("PATCH", "/api/v1/workspace", { timezone })).status).toBe(200);
}

async function ticks(count: number) {
  for (let index = 0; index < count; index++) {
    await sending.tick();
    sending.api.advance(100);
  }
}

/** Moves on to ten past a full hour, so that an hour of slow ticks does not reach midnight. */
function toQuietMinute() {
  const minute = now().getUTCMinutes();
  sending.api.advance(((70 - minute) % 60) * 60);
}

test("a sender whose workspace moves to another time zone gets no second daily limit", async () => {
  toQuietMinute();
  await moveTo(12);
  const { campaignId } = await sending.campaign(tenant, { leads: 20, aliasCap: CAP });
  await ticks(CAP + 2);
  expect(await sent()).toBe(CAP);
  await moveTo(9);
  // Every change of the campaign lets its senders look again.
  const change = await tenant.call("PATCH", `/api/v1/campaigns/${campaignId}`, { daily_limit: 99 });
  expect(change.status).toBe(200);
  await ticks(CAP);
  expect(await sent()).toBe(CAP);
  sending.api.advance(16 * HOUR);
  await ticks(CAP + 2);
  expect(await sent()).toBe(2 * CAP);
});

test("a sender whose new date has just begun may send on it, what it sent counts for the day before", async () => {
  toQuietMinute();
  await moveTo(12);
  await sending.campaign(tenant, { leads: 20, aliasCap: CAP });
  await ticks(CAP + 1);
  expect(await sent()).toBe(CAP);
  sending.api.advance(HOUR);
  await moveTo(0);
  await ticks(CAP + 2);
  expect(await sent()).toBe(2 * CAP);
});

test("a campaign that resumes in another time zone gets no second daily limit", async () => {
  toQuietMinute();
  const { campaignId } = await sending.campaign(tenant, { leads: 20, dailyLimit: CAP });
  const path = `/api/v1/campaigns/${campaignId}`;
  const move = async (hour: number) => {
    const timezone = zoneWith(hour, now().getUTCHours());
    await tenant.call("POST", `${path}/pause`);
    expect((await tenant.call("PATCH", path, { timezone })).status).toBe(200);
    expect((await tenant.call("POST", `${path}/resume`)).status).toBe(200);
  };
  await move(12);
  await ticks(CAP + 2);
  expect(await sent()).toBe(CAP);
  await move(20);
  await ticks(CAP);
  await move(2);
  await ticks(CAP);
  expect(await sent()).toBe(CAP);
  sending.api.advance(22 * HOUR);
  await ticks(CAP + 2);
  expect(await sent()).toBe(2 * CAP);
});

test("what was given back does not count when a campaign resumes", async () => {
  toQuietMinute();
  const { campaignId } = await sending.campaign(tenant, { leads: 2, dailyLimit: 1 });
  const path = `/api/v1/campaigns/${campaignId}`;
  // The sender's trouble, not the recipient's: the place in the day's limit is free again.
  sending.mailbox.faults.order("greeting_421", 1);
  await ticks(1);
  expect(await sent()).toBe(0);
  await tenant.call("POST", `${path}/pause`);
  await tenant.call("POST", `${path}/resume`);
  sending.api.advance(HOUR);
  await ticks(3);
  expect(await sent()).toBe(1);
});
