/** In Postgres a lead wakes few of many senders (db/engine/wake-few.ts), on the model all: messages go out at the same instants. */
import { expect, test } from "vitest";
import type { ClaimedSend } from "#db/engine/index.ts";
import { maintain } from "#src/domain/engine/upkeep.ts";
import { beginWish } from "../../support/begin-wish.ts";
import { makeScenario } from "../../support/engine-scenario.ts";
import { memoryWorld, postgresWorld, type World } from "../../support/engine-worlds.ts";
import { plannedAt } from "../../support/planned.ts";
import { createRandom } from "../../support/random.ts";
import { api, useApi } from "../../support/use-api.ts";

useApi();

const START = new Date("2026-03-02T09:00:00Z");
const SENDERS = 40;
const LEADS = 90;
const WORKER = "00000000-0000-4000-8000-00000000000a";
const later = (seconds: number) => new Date(START.getTime() + seconds * 1000);

/** Leads whose texts a model writes. */
const campaign = () =>
  makeScenario(createRandom(5), {
    start: START,
    campaigns: 1,
    lanes: SENDERS,
    lanesPerCampaign: SENDERS,
    leads: LEADS,
    delays: [0],
    intervals: [300],
    sharedAddresses: 0,
    drafted: "launch_default",
  });

/**
 * Texts end by and by, some at once, and more of them in time than there are senders; each so manyth message cannot be
 * handed over. Answers when each began.
 */
async function slotsOf(world: World, leads: string[], failsEach: number) {
  const random = createRandom(7);
  const slots: number[] = [];
  let no = 0;
  const settle = async (send: ClaimedSend) => {
    const at = send.beginsAt;
    await world.store.recordAndBegin(at, WORKER, [], [beginWish(send.id, at)]);
    const fails = ++no % failsEach === 0;
    const retry = {
      kind: "retry",
      reason: "ECONNREFUSED",
      retryAt: at,
      attemptSpent: false,
    } as const;
    const accepted = {
      kind: "accepted",
      reason: "250",
      acceptedAt: at,
      nextStep: null,
      nextActionAt: null,
    } as const;
    const outcome = fails
      ? { ...retry, lane: "down" as const }
      : { ...accepted, planned: plannedAt(at) };
    await world.store.recordAndBegin(at, WORKER, [{ id: send.id, ...outcome }], []);
    slots.push(at.getTime());
  };
  const waiting = [...leads];
  for (let minute = 0; minute < 60; minute++) {
    const now = later(60 * minute);
    for (const id of waiting.splice(0, minute === 0 ? 0 : random.below(5)))
      await world.actions.endWait(id, 1, later(60 * minute - 40 + random.below(30)));
    await maintain(world.store, now, later(60 * minute + 60), new Set());
    for (;;) {
      const order = {
        now,
        until: later(60 * minute + 60),
        limit: 50,
        workerToken: WORKER,
        leaseSeconds: 600,
      };
      const claimed = await world.store.claim(order);
      if (claimed.length === 0) break;
      for (const send of claimed.toSorted((a, b) => a.beginsAt.getTime() - b.beginsAt.getTime()))
        await settle(send);
    }
    await world.store.recordTick(now, null);
  }
  return slots.toSorted((a, b) => a - b);
}

async function onBoth(failsEach: number): Promise<{ few: number[]; all: number[] }> {
  const data = campaign();
  const leads = data.leads.map(({ id }) => id);
  const all = await slotsOf(memoryWorld(structuredClone(data)), leads, failsEach);
  const { workspaceId, userId } = await api.tenant();
  const ports = { db: api.deps.db, sql: api.sql, owner: { workspaceId, userId } };
  const few = await slotsOf(await postgresWorld(ports, data, START), leads, failsEach);
  return { few, all };
}

test("a message whose text ends goes out when it would if all senders were woken", async () => {
  const { few, all } = await onBoth(Infinity);
  expect(few).toHaveLength(LEADS);
  expect(few).toEqual(all);
});

test("where every third hand-over fails, and most senders rest by that, none goes out two ticks later, and hardly one a tick", async () => {
  const { few, all } = await onBoth(3);
  const late = few.map((at, index) => at - all[index]!).filter((ms) => ms > 0);
  expect(few).toHaveLength(all.length);
  expect(few.length).toBeGreaterThan(1.4 * LEADS);
  expect(Math.max(0, ...late)).toBeLessThanOrEqual(60_000);
  expect(late.length).toBeLessThan(4);
});
