/** Servers that answer late, and those whose messages must not wait for them. */
import { beforeEach, expect, test } from "vitest";
import { inFull } from "../../support/full.ts";
import { ENGINE_TABLES } from "../../support/engine-rows.ts";
import { createRelayWorld, placeAt, type RelayWorld } from "../../support/slow-relays.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
// A test goes ahead in virtual time: what it leaves under way would be of the future of the next.
beforeEach(() => sending.api.sql.query(`truncate ${ENGINE_TABLES.join(", ")} cascade`));

const HEALTHY = 20;
const MINUTES = 6;
const LATE_MS = 100_000;
const isSlow = (host: string) => host.startsWith("slow-");

/** Twenty senders that are due each minute, once at least. */
const dueEachMinute = (of = tenant, minutes = MINUTES) =>
  sending.campaign(of, {
    leads: HEALTHY * minutes * 2,
    aliases: HEALTHY,
    intervalSeconds: 30,
    dailyLimit: 10_000,
  });
const allOf = (count: number, minutes = MINUTES) => Array.from({ length: minutes }, () => count);

/** Accounts of a tenant, spread over so many servers. */
async function slowOnes(accounts: number, hosts: number, leads = 8, of = sending.api.tenant()) {
  const slow = await sending.campaign(await of, {
    leads: accounts * leads,
    aliases: accounts,
    domain: "slow.zz",
    dailyLimit: 10_000,
  });
  await placeAt(sending, slow.aliasIds, (index) => `slow-${index % hosts}.zz`);
  return slow;
}

function relays(): RelayWorld {
  const world = createRelayWorld(sending);
  world.answersIn = (host) => (isSlow(host) ? LATE_MS : 200);
  return world;
}

const sentBy = ({ handovers }: RelayWorld, aliasIds: readonly string[]) =>
  aliasIds.map((id) => handovers.filter(({ aliasId }) => aliasId === id).length);

test.each([
  { accounts: 1, hosts: 1 },
  { accounts: 60, hosts: 1 },
  { accounts: 60, hosts: 60 },
])(
  "$accounts accounts of another tenant at $hosts relays that answer after 100 s hold up nobody",
  async ({ accounts, hosts }) => {
    await slowOnes(accounts, hosts);
    const healthy = await dueEachMinute();
    const world = relays();
    await world.runMinutes(MINUTES);
    expect(world.sendersByMinute(healthy.aliasIds)).toEqual(allOf(HEALTHY));
  },
  60_000,
);

test("nor do hundreds, who are due before all others", async () => {
  await slowOnes(inFull(600, 200), 1, 2);
  const healthy = await dueEachMinute();
  const world = relays();
  await world.runMinutes(4);
  expect(world.sendersByMinute(healthy.aliasIds)).toEqual(allOf(HEALTHY, 4));
}, 120_000);

test("nor do three tenants with 40 slow relays each, of which nobody has heard before", async () => {
  const healthy = await dueEachMinute();
  const world = relays();
  await world.runMinutes(1);
  for (let count = 0; count < 3; count++) await slowOnes(40, 40);
  await world.runMinutes(MINUTES - 1);
  expect(world.sendersByMinute(healthy.aliasIds)).toEqual(allOf(HEALTHY));
}, 60_000);

test("beside slow tenants a new one sends within two minutes", async () => {
  for (let count = 0; count < 3; count++) await slowOnes(40, 40);
  const world = relays();
  await world.runMinutes(3);
  const healthy = await dueEachMinute();
  await world.runMinutes(MINUTES);
  expect(world.sendersByMinute(healthy.aliasIds).slice(5)).toEqual(allOf(HEALTHY, MINUTES - 2));
}, 60_000);

test("who shares a workspace with slow relays loses nothing by it", async () => {
  const healthy = await dueEachMinute();
  const world = relays();
  await world.runMinutes(1);
  await slowOnes(60, 60, 8, Promise.resolve(tenant));
  await world.runMinutes(MINUTES - 1);
  expect(world.sendersByMinute(healthy.aliasIds)).toEqual(allOf(HEALTHY));
}, 60_000);

test("a host that is slow for one tenant alone is as fast as ever for the others", async () => {
  const slow = await slowOnes(60, 1);
  const healthy = await dueEachMinute();
  for (const { aliasIds } of [slow, healthy]) await placeAt(sending, aliasIds, () => "shared.zz");
  const world = createRelayWorld(sending);
  world.answersIn = (_host, _at, aliasId) => (slow.aliasIds.includes(aliasId) ? LATE_MS : 200);
  await world.runMinutes(MINUTES);
  expect(world.sendersByMinute(healthy.aliasIds)).toEqual(allOf(HEALTHY));
}, 60_000);

test("a server that takes two seconds loses nothing", async () => {
  const two = await dueEachMinute(await sending.api.tenant());
  await placeAt(sending, two.aliasIds, (index) => `two-${index}.zz`);
  const world = relays();
  const { answersIn } = world;
  world.answersIn = (host, ...more) => (host.startsWith("two-") ? 2_000 : answersIn(host, ...more));
  await world.runMinutes(1);
  await slowOnes(60, 60);
  await world.runMinutes(MINUTES - 1);
  expect(world.sendersByMinute(two.aliasIds)).toEqual(allOf(HEALTHY));
}, 60_000);

test("the accounts of a slow server take turns, and use all places that there are for them", async () => {
  const slow = await slowOnes(30, 1);
  await dueEachMinute(tenant, 16);
  const world = relays();
  await world.runMinutes(16);
  const sent = sentBy(world, slow.aliasIds);
  expect(Math.min(...sent), `messages by sender: ${sent.join(" ")}`).toBeGreaterThan(0);
  expect(sent.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(2 * 16);
}, 60_000);

test("a server that has recovered is as fast as ever within five minutes", async () => {
  const slow = await slowOnes(30, 1, 15);
  const healthy = await dueEachMinute(tenant, 10);
  const world = relays();
  await world.runMinutes(3);
  const recoveredAt = world.machine.now();
  const { answersIn } = world;
  world.answersIn = (host, at, ...more) => (at >= recoveredAt ? 200 : answersIn(host, at, ...more));
  await world.runMinutes(7);
  // With gaps of 61 to 78 s 23 of thirty at least send in each minute.
  const minutes = world.sendersByMinute(slow.aliasIds).slice(3 + 5);
  expect(Math.min(...minutes)).toBeGreaterThanOrEqual(20);
  expect(world.sendersByMinute(healthy.aliasIds)).toEqual(allOf(HEALTHY, 10));
}, 60_000);

test("a server that was fast and becomes slow costs the others one run at most", async () => {
  const slow = await slowOnes(60, 1, 20);
  const healthy = await dueEachMinute(tenant, 8);
  const world = relays();
  const { answersIn } = world;
  const slowFrom = world.startMs + 2 * 60_000;
  world.answersIn = (host, at, ...more) => (at < slowFrom ? 200 : answersIn(host, at, ...more));
  await world.runMinutes(8);
  expect(world.sendersByMinute(slow.aliasIds).slice(0, 2)).toEqual([60, expect.any(Number)]);
  const [, , , ...later] = world.sendersByMinute(healthy.aliasIds);
  expect(later).toEqual(allOf(HEALTHY, 5));
}, 60_000);
