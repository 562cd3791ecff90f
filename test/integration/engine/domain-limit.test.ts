import { beforeEach, expect, test } from "vitest";
import type { Tenant } from "../../support/api.ts";
import { insertAliases } from "../../support/engine.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

const DOMAINS = "/api/v1/mailer/domains";
const ALIASES = "/api/v1/mailer/aliases";
const HOUR = 3600;

useSending();
const query = queryOf(() => sending.api.sql);
beforeEach(async () => {
  toHour(10);
});

const now = () => sending.api.deps.clock.now();

/** Moves on to ten past this hour of UTC, tomorrow if it is over. */
function toHour(hour: number) {
  const at = new Date(now());
  at.setUTCHours(hour, 10, 0, 0);
  const seconds = (at.getTime() - now().getTime()) / 1000;
  sending.api.advance(seconds > 0 ? seconds : seconds + 24 * HOUR);
}

async function ticks(count: number) {
  for (let index = 0; index < count; index++) {
    await sending.tick();
    sending.api.advance(100);
  }
}

const call = async (method: string, path: string, body?: unknown, owner = tenant) => {
  const reply = await owner.call(method, path, body);
  expect([reply.status < 300, reply.text]).toEqual([true, reply.text]);
  return reply.body;
};

const setLimit = (domainId: string, daily_limit: number | null, owner = tenant) =>
  call("PATCH", `${DOMAINS}/${domainId}`, { daily_limit }, owner);
const capToday = async (aliasId: string): Promise<number> =>
  (await call("GET", `${ALIASES}/${aliasId}`)).cap_today;

/** A campaign with three senders of one domain, which may send `limit` a day. */
async function limited(
  limit: number | null,
  { owner = tenant, aliases = 3 }: { owner?: Tenant; aliases?: number } = {},
) {
  const domain = await call("POST", DOMAINS, { domain: "sender.zz" }, owner);
  const made = await sending.campaign(owner, { leads: 80, aliases });
  for (const id of made.aliasIds)
    await call("PATCH", `${ALIASES}/${id}`, { domain_id: domain.id }, owner);
  if (limit !== null) await setLimit(domain.id, limit, owner);
  return { ...made, domainId: domain.id as string };
}

/** Another sender for the campaign, with an account that works. */
async function addSender(campaignId: string, like: string): Promise<string> {
  const [id] = await insertAliases(sending.api.sql, tenant, 1, { now: now() });
  await query`update mail_aliases a set transport_settings = b.transport_settings from mail_aliases b where a.id = ${id} and b.id = ${like}`;
  const secret = await sending.api.deps.vault.seal("secret", `mail_aliases:${id}:transport_secret`);
  await query`update mail_aliases set transport_secret = ${secret} where id = ${id}`;
  await query`insert into campaign_senders (campaign_id, lane_id) values (${campaignId}, ${id})`;
  await query`update campaigns set alias_ids = alias_ids || ${id}::uuid where id = ${campaignId}`;
  return id!;
}

const sentBy = async (campaignId: string): Promise<Map<string, number>> => {
  const counts = new Map<string, number>();
  for (const { lane_id, state } of await sending.sendsOf(campaignId)) {
    expect(state).toBe("accepted");
    counts.set(lane_id, (counts.get(lane_id) ?? 0) + 1);
  }
  return counts;
};
const sent = async (campaignId: string): Promise<number> =>
  [...(await sentBy(campaignId)).values()].reduce((sum, count) => sum + count, 0);

test("a sender that is added in the middle of the day gets what is left, and its part on the next", async () => {
  const { campaignId, aliasIds, domainId } = await limited(10);
  await ticks(2);
  const added = await addSender(campaignId, aliasIds[0]!);
  await call("PATCH", `${ALIASES}/${added}`, { domain_id: domainId });
  await ticks(5);
  expect(await sent(campaignId)).toBe(10);
  expect((await sentBy(campaignId)).get(added)).toBeUndefined();
  toHour(10);
  await ticks(5);
  expect(await sent(campaignId)).toBe(20);
  expect((await sentBy(campaignId)).get(added)).toBeGreaterThanOrEqual(2);
});

test("a sender that leaves the domain, or is deleted, leaves nothing that another could send again", async () => {
  const { campaignId, aliasIds, domainId } = await limited(10);
  await ticks(5);
  expect(await sent(campaignId)).toBe(10);
  await call("PATCH", `${ALIASES}/${aliasIds[0]}`, { domain_id: null, status: "paused" });
  await query`delete from campaign_senders where lane_id = ${aliasIds[1]}`;
  await query`delete from sender_lanes where id = ${aliasIds[1]}`;
  await query`delete from mail_aliases where id = ${aliasIds[1]}`;
  const added = await addSender(campaignId, aliasIds[2]!);
  await call("PATCH", `${ALIASES}/${added}`, { domain_id: domainId });
  await setLimit(domainId, 10);
  await ticks(4);
  expect(await sent(campaignId)).toBe(10);
});

test("a sender that comes from elsewhere brings along what it has sent today", async () => {
  const { campaignId, aliasIds, domainId } = await limited(null, { aliases: 1 });
  await call("PATCH", `${ALIASES}/${aliasIds[0]}`, { domain_id: null });
  await setLimit(domainId, 4);
  await ticks(3);
  await call("PATCH", `${ALIASES}/${aliasIds[0]}`, { domain_id: domainId });
  expect(await capToday(aliasIds[0]!)).toBe(4);
  await ticks(4);
  expect(await sent(campaignId)).toBe(4);
});

test("no change of a sender gives it more than its part", async () => {
  const { campaignId, aliasIds } = await limited(10);
  await ticks(2);
  for (const id of aliasIds) {
    await call("PATCH", `${ALIASES}/${id}`, { daily_limit: 500 });
    await call("PATCH", `${ALIASES}/${id}`, { status: "paused" });
    await call("PATCH", `${ALIASES}/${id}`, { status: "active" });
  }
  await ticks(6);
  expect(await sent(campaignId)).toBe(10);
});

test("a lower limit holds at once, and so does a higher one", async () => {
  const { campaignId, domainId, aliasIds } = await limited(30);
  await ticks(2);
  expect(await sent(campaignId)).toBe(6);
  expect((await setLimit(domainId, 5)).daily_limit).toBe(5);
  await ticks(3);
  expect(await sent(campaignId)).toBe(6);
  await setLimit(domainId, 9);
  expect(await capToday(aliasIds[0]!)).toBe(3);
  await ticks(3);
  expect(await sent(campaignId)).toBe(9);
  await setLimit(domainId, null);
  expect(await capToday(aliasIds[0]!)).toBe(1000);
  await ticks(2);
  expect(await sent(campaignId)).toBe(15);
});

test("a limit that is set in the middle of the day counts what was sent before", async () => {
  const { campaignId, aliasIds, domainId } = await limited(null);
  const others = aliasIds.slice(1);
  for (const id of others) await call("PATCH", `${ALIASES}/${id}`, { status: "paused" });
  await ticks(6);
  for (const id of others) await call("PATCH", `${ALIASES}/${id}`, { status: "active" });
  await ticks(1);
  expect([...(await sentBy(campaignId)).values()].sort()).toEqual([1, 1, 7]);
  await setLimit(domainId, 11);
  await ticks(5);
  expect(await sent(campaignId)).toBe(11);
});

test("a limit that is set late in the day counts what a sender sent that has gone on to tomorrow", async () => {
  const { campaignId, aliasIds, domainId } = await limited(null);
  const [first, ...others] = aliasIds;
  for (const id of others) await call("PATCH", `${ALIASES}/${id}`, { status: "paused" });
  await ticks(5);
  await query`update sender_lanes set used = 0, next_slot_at = day_until, day_from = day_until, day_until = day_until + interval '1 day' where id = ${first}`;
  for (const id of others) await call("PATCH", `${ALIASES}/${id}`, { status: "active" });
  await setLimit(domainId, 6);
  await ticks(3);
  expect(await sent(campaignId)).toBe(6);
});

test("once more than a lowered limit was used, a place that is given back stays unused", async () => {
  const { campaignId, domainId } = await limited(30);
  await ticks(2);
  await setLimit(domainId, 4);
  await query`update sender_lanes set used = used - 1, next_slot_at = ${now()} where workspace_id = ${tenant.workspaceId}`;
  await ticks(2);
  expect(await sent(campaignId)).toBe(6);
});

test("a workspace that moves to another time zone gives its domains no second limit", async () => {
  const { campaignId } = await limited(10);
  const move = (hour: number) => {
    const offset = ((hour - now().getUTCHours() + 36) % 24) - 12;
    const timezone =
      offset === 0 ? "Etc/GMT" : `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`;
    return call("PATCH", "/api/v1/workspace", { timezone });
  };
  await move(12);
  await ticks(5);
  expect(await sent(campaignId)).toBe(10);
  await move(9);
  await call("PATCH", `/api/v1/campaigns/${campaignId}`, { daily_limit: 99 });
  await ticks(3);
  expect(await sent(campaignId)).toBe(10);
  sending.api.advance(16 * HOUR);
  await ticks(5);
  expect(await sent(campaignId)).toBe(20);
});

test("the same domain in another workspace counts apart", async () => {
  const other = await sending.api.tenant();
  const mine = await limited(3);
  const theirs = await limited(6, { owner: other });
  await ticks(5);
  expect(await sent(mine.campaignId)).toBe(3);
  expect(await sent(theirs.campaignId)).toBe(6);
});

test("the sending status says what the domain leaves a sender, and until when", async () => {
  const { campaignId, aliasIds, domainId } = await limited(3);
  const statusOf = async () =>
    (await call("GET", `/api/v1/campaigns/${campaignId}/sending-status`)).senders;
  // Also before the day has begun.
  expect((await statusOf()).map(({ cap_today }: { cap_today: number }) => cap_today)).toEqual([
    1, 1, 1,
  ]);
  expect(await capToday(aliasIds[0]!)).toBe(1);
  await ticks(2);
  const [first] = await statusOf();
  expect(first).toMatchObject({ sent_today: 1, cap_today: 1 });
  const reason = first.reasons.find(
    ({ code }: { code: string }) => code === "domain_limit_reached",
  );
  expect(reason.message).toBe(
    `The domain sender.zz may send 3 a day, which its 3 senders share; 1 is the part of ${first.email}, and it has sent 1.`,
  );
  const midnight = new Date(now());
  midnight.setUTCHours(24, 0, 0, 0);
  expect(reason.until).toBe(midnight.toISOString());
  await setLimit(domainId, 2);
  const [lowered] = await statusOf();
  expect(lowered.reasons[0].message).toContain("none is left for");
});

test("a forecast knows the limit of the domain, and other senders of it, without one that is paused", async () => {
  const { campaignId, aliasIds, domainId } = await limited(7);
  const elsewhere = await sending.campaign(tenant, { leads: 20, aliases: 2, domain: "two.zz" });
  await call("PATCH", `${ALIASES}/${elsewhere.aliasIds[0]}`, { domain_id: domainId });
  const paused = { domain_id: domainId, status: "paused" };
  await call("PATCH", `${ALIASES}/${elsewhere.aliasIds[1]}`, paused);
  await ticks(1);
  const forecast = await call("GET", `/api/v1/campaigns/${campaignId}/forecast?days=2&limit=1000`);
  const planned = forecast.days.slice(0, 2).map(({ sends }: { sends: number }) => sends);
  const before = await sent(campaignId);
  await ticks(4);
  const today = await sent(campaignId);
  expect(today - before).toBe(planned[0]);
  toHour(10);
  await ticks(5);
  expect((await sent(campaignId)) - today).toBe(planned[1]);
  expect((await sent(campaignId)) + (await sent(elsewhere.campaignId))).toBe(14);
  expect(aliasIds).toHaveLength(3);
});
