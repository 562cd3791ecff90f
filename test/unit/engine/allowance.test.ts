import { expect, test } from "vitest";
import type { SendStore } from "#db/engine/index.ts";
import { createAllowance, limitsOf, mostSends } from "#src/domain/engine/allowance.ts";
import { sendsOfTick } from "#src/domain/jobs/extra-ticks.ts";

const PAID = limitsOf({ cpuMs: 30_000, calls: 1_000 });
const FREE = limitsOf({ cpuMs: 10, calls: 50 });

test("a run takes what the platform's plan lets it: of the paid one its subrequests, of the free one its CPU", () => {
  expect([mostSends(PAID), mostSends(FREE)]).toEqual([490, 2]);
  expect(mostSends({ sends: 0, calls: 0 })).toBe(1);
});

const storeOf = () => ({ sweep: async () => [] }) as unknown as SendStore;

test("every call of the store and each send is taken from what is left", async () => {
  const { store, room, used } = createAllowance(storeOf(), { sends: 100, calls: 120 });
  expect(room()).toBe(50);
  for (let call = 0; call < 10; call++) await store.sweep(new Date());
  expect(room()).toBe(45);
  used(30);
  expect(room()).toBe(30);
  used(60);
  expect(room()).toBeNull();
});

test("a run that has used nothing may make one send, whatever it is allowed; refused claims end it", async () => {
  const { store, room } = createAllowance(storeOf(), { sends: 1, calls: 10 });
  expect(room()).toBe(1);
  for (let call = 0; call < 20; call++) await store.sweep(new Date());
  expect(room()).toBeNull();
});

test("a tick is reckoned by the speed that ticks had of late", () => {
  const of = (sendsPerSecond: number | null, limits = PAID) =>
    sendsOfTick({ batch: 50, limits }, sendsPerSecond);
  expect([of(null), of(1), of(20), of(500)]).toEqual([50, 50, 300, 490]);
  expect(of(500, FREE)).toBe(2);
});
