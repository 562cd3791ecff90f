import { beforeEach, expect, test } from "vitest";
import { campaignTick } from "#functions/campaign-tick.ts";
import type { QueueMessage } from "#src/providers/queue/index.ts";
import { activeCampaign } from "../../support/campaigns.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);
beforeEach(async () => {
  await sending.api.deps.cache.delete("engine:next_wake");
});

/** What the schedule calls. */
const fire = (extra = false) =>
  campaignTick.run(sending.api.deps, { version: 1, extra }) as Promise<{
    skipped?: true;
    claimed?: number;
    nextWakeAt: Date | null;
  }>;

/** The service's parts, whose note of the next wake, the last that a tick writes, waits until it is let go. */
function heldNote() {
  const { deps } = sending.api;
  const [look, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const set: typeof deps.cache.set = async (key, ...rest) => {
    if (key === "engine:next_wake") {
      look.resolve();
      await gate.promise;
    }
    return deps.cache.set(key, ...rest);
  };
  const held = { ...deps, cache: { ...deps.cache, set } };
  return { deps: held, looked: look.promise, release: gate.resolve };
}

test("an idle hour asks the database four times", async () => {
  let ran = 0;
  for (let minute = 0; minute < 60; minute++) {
    if (!(await fire()).skipped) ran++;
    sending.api.advance(60);
  }
  expect(ran).toBe(4);
});

test("after a change the next tick looks, however sure the note was", async () => {
  await fire();
  expect((await fire()).skipped).toBe(true);
  await activeCampaign(sending.api, tenant, {}, [{ email: "ada@example.zz" }]);
  await sending.api.settled();
  expect((await fire()).claimed).toBe(1);
});

test("a wake that is counted while a tick runs is not lost", async () => {
  // The wake comes between the tick's look and its note.
  const slow = heldNote();
  const running = campaignTick.run(slow.deps, { version: 1, extra: false });
  await activeCampaign(sending.api, tenant, {}, [{ email: "ada@example.zz" }]);
  await sending.api.settled();
  slow.release();
  await running;
  expect((await fire()).skipped).toBeUndefined();
});

test("a tick that fails leaves no sign of life, one that has nothing to do does", async () => {
  const { api } = sending;
  const alive = () => api.deps.cache.get("engine:alive");
  await fire();
  const before = await alive();
  api.advance(60);
  await fire();
  expect(Number(await alive())).toBeGreaterThan(Number(before));
  const last = await alive();
  await api.deps.cache.delete("engine:next_wake");
  api.advance(60);
  const broken = {
    ...api.deps,
    openMail: () => {
      throw new Error("no mail today");
    },
  };
  await expect(campaignTick.run(broken, { version: 1, extra: false })).rejects.toThrow(
    "no mail today",
  );
  expect(await alive()).toBe(last);
});

test("a tick runs when its time comes, and without the cache always", async () => {
  const { campaignLeadIds } = await sending.campaign(tenant, {
    leads: 1,
    steps: [{ delayDays: 0 }, { delayDays: 0 }],
    intervalSeconds: 600,
  });
  expect((await fire()).claimed).toBe(1);
  // A tick that did something leaves no note: one beside it may have done more.
  expect((await fire()).claimed).toBe(0);
  expect((await fire()).skipped).toBe(true);
  sending.api.advance(540);
  await fire();
  sending.api.advance(300);
  await fire();
  expect((await sending.leadOf(campaignLeadIds[0]!)).status).toBe("completed");
  sending.api.redis.faults.order("unavailable", 10);
  expect((await fire()).skipped).toBeUndefined();
  sending.api.redis.faults.clear();
});

test("more due lanes than a tick takes: as many further ticks as it needs, once per period", async () => {
  const { api } = sending;
  // At the beginning of a period, so that all of this falls into one.
  api.advance(60 - ((api.deps.clock.now().getTime() / 1000) % 60));
  await sending.campaign(tenant, { leads: 120, aliases: 120 });
  const asked: QueueMessage[] = [];
  const queue = {
    ...api.deps.queue,
    async publishAll(messages: QueueMessage[]) {
      asked.push(...messages);
    },
  };
  const deps = { ...api.deps, queue };
  await query`update engine_state set sends_per_second = null`;
  await campaignTick.run(deps, { version: 1, extra: false });
  // 120 lanes, and nobody knows yet that one tick takes more than a batch of 50: two more.
  expect(asked.map(({ payload }) => payload)).toEqual(
    Array.from({ length: 2 }, () => ({ version: 1, extra: true })),
  );
  const ids = asked.map(({ deduplicationId }) => deduplicationId);
  expect(new Set(ids).size).toBe(2);
  expect(asked[0]!.flow).toEqual({ key: "campaign-tick", parallelism: 200 });
  // The schedule delivered twice in a period asks under the same names; an extra tick asks for none.
  await query`update engine_state set sends_per_second = 3.4`;
  await sending.campaign(tenant, { leads: 120, aliases: 120, domain: "again.zz" });
  asked.length = 0;
  await campaignTick.run(deps, { version: 1, extra: false });
  expect(asked.map(({ deduplicationId }) => deduplicationId)).toEqual(
    expect.arrayContaining(ids as string[]),
  );
  asked.length = 0;
  await campaignTick.run(deps, { version: 1, extra: true });
  expect(asked).toEqual([]);
});

test("a tick that ends after one beside it did something leaves no note that hides it", async () => {
  const slow = heldNote();
  const idle = campaignTick.run(slow.deps, { version: 1, extra: false });
  await slow.looked;
  // Rows that come about past the API: nothing but the tick counts a wake.
  const { campaignLeadIds } = await sending.campaign(tenant, {
    leads: 1,
    steps: [{ delayDays: 0 }, { delayDays: 0 }],
  });
  const beside = campaignTick.run(sending.api.deps, { version: 1, extra: true });
  expect(await beside).toMatchObject({ claimed: 1 });
  slow.release();
  await idle;
  sending.api.advance(100);
  await fire();
  expect((await sending.leadOf(campaignLeadIds[0]!)).status).toBe("completed");
});
