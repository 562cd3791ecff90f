/** Ticks beside each other, senders beside each other, and what stands in each other's way. */
import { expect, test } from "vitest";
import { type SendStore } from "#db/engine/index.ts";
import { runTick } from "#src/domain/jobs/tick.ts";
import { campaignTick } from "#functions/campaign-tick.ts";
import type { QueueMessage } from "#src/providers/queue/index.ts";
import { createEagerClock } from "../../support/eager-clock.ts";
import { inFull } from "../../support/full.ts";
import { patience } from "../../support/patience.ts";
import { tickWith } from "../../support/run-engine.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();

const column = async (statement: string, params: unknown[]) =>
  (await sending.api.sql.query(statement, params)).rows[0].n as number;
const sentOf = (campaignId: string) =>
  column("select count(*)::int as n from sends where campaign_id = $1 and state = 'accepted'", [
    campaignId,
  ]);

/** Until the condition holds; the mailbox answers within milliseconds, a busy machine within seconds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + patience(15_000); Date.now() < end;) {
    if (await holds()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error("It never came to that.");
}

test("many ticks at once serve all due senders of one campaign in the first minute, and no cap gives way", async () => {
  const due = inFull(400, 100);
  const cap = due - 10;
  const campaign = { leads: due, aliases: due, dailyLimit: cap };
  const { campaignId } = await sending.campaign(tenant, campaign);
  const reports = await Promise.all(Array.from({ length: 8 }, () => runTick(sending.api.deps)));
  expect(reports.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(cap);
  expect(await sentOf(campaignId)).toBe(cap);
  expect(await column("select used as n from campaigns where id = $1", [campaignId])).toBe(cap);
  expect(new Set(sending.mailbox.wireLog().map(({ envelope }) => envelope.to[0])).size).toBe(cap);
});

test("hundreds of senders that are due at once are served in the first minute by the ticks that the fan-out asks for", async () => {
  const { api } = sending;
  const due = inFull(1_000, 200);
  const cap = due - 10;
  const campaign = { leads: due, aliases: due, dailyLimit: cap };
  const { campaignId } = await sending.campaign(tenant, campaign);
  await api.sql.query("update engine_state set sends_per_second = null");
  const asked: QueueMessage[] = [];
  const publishAll = async (messages: QueueMessage[]) => void asked.push(...messages);
  const deps = { ...api.deps, queue: { ...api.deps.queue, publishAll } };
  const startedAt = Date.now();
  const scheduled = campaignTick.run(deps, { version: 1, extra: false });
  await until(async () => asked.length > 0);
  // Of 50 senders each, but for the first.
  expect(asked).toHaveLength(due / 50 - 1);
  // As many at once as have a place; the others follow.
  const extra = asked.slice(0, 4).map(() => campaignTick.run(deps, { version: 1, extra: true }));
  await Promise.all([scheduled, ...extra]);
  expect(Date.now() - startedAt).toBeLessThan(patience(60_000));
  expect(await sentOf(campaignId)).toBe(cap);
  expect(await column("select used as n from campaigns where id = $1", [campaignId])).toBe(cap);
  const { rows } = await api.sql.query("select sends_per_second from engine_state");
  expect(rows[0].sends_per_second).toBeGreaterThan(1);
});

test("a run that may use little takes what it can, and leaves the rest unclaimed", async () => {
  const { campaignId } = await sending.campaign(tenant, { leads: 90, aliases: 90 });
  let calls = 0;
  const { accepted, claimed } = await tickWith({
    store: (own) => ({
      recordAndBegin(...args) {
        calls++;
        return own.recordAndBegin(...args);
      },
    }),
    limits: { sends: 1_000, calls: 100 },
  });
  expect(claimed).toBe(accepted);
  expect(accepted).toBeGreaterThanOrEqual(30);
  expect(accepted + calls).toBeLessThan(100);
  expect((await tickWith({ limits: { sends: 7, calls: 1_000 } })).accepted).toBe(7);
  const open =
    "select count(*)::int as n from campaign_leads where campaign_id = $1 and status = 'pending'";
  expect(await column(open, [campaignId])).toBe(90 - accepted - 7);
});

test("a relay that answers late holds up nobody else's messages", async () => {
  const other = await sending.api.tenant();
  const slow = await sending.campaign(other, { leads: 8, aliases: 8, domain: "slow.zz" });
  const healthy = await sending.campaign(tenant, { leads: 40, aliases: 40 });
  const gate = Promise.withResolvers<void>();
  const isSlow = (aliasId: string) => slow.aliasIds.includes(aliasId);
  const slowOnes = new Set<unknown>();
  const ticking = tickWith({
    channel: (own) => ({
      routeOf({ alias, workspace }) {
        const host = isSlow(alias.id) ? "slow" : "healthy";
        return { workspaceId: workspace.id, host, account: host };
      },
      async prepare(context, now) {
        const prepared = await own.prepare(context, now);
        if (prepared.ok && isSlow(context.alias.id)) slowOnes.add(prepared.ready);
        return prepared;
      },
      async perform(ready) {
        if (slowOnes.has(ready)) await gate.promise;
        return own.perform(ready);
      },
    }),
  });
  await until(async () => (await sentOf(healthy.campaignId)) === 40);
  expect(await sentOf(slow.campaignId)).toBe(0);
  gate.resolve();
  expect(await ticking).toMatchObject({ accepted: 48, unfinished: 0 });
});

test("messages that hang hold their own connections, and none of the others of their account", async () => {
  const { campaignId } = await sending.campaign(tenant, { leads: 20, aliases: 20 });
  const gate = Promise.withResolvers<void>();
  let hanging = 0;
  const ticking = tickWith({
    channel: (own) => ({
      async perform(ready) {
        if (++hanging <= 3) await gate.promise;
        return own.perform(ready);
      },
    }),
  });
  await until(async () => (await sentOf(campaignId)) === 17);
  gate.resolve();
  expect(await ticking).toMatchObject({ accepted: 20, unfinished: 0 });
});

test("leads that must not be written to cost their sender no slot", async () => {
  const { campaignId, campaignLeadIds, aliasIds } = await sending.campaign(tenant, {
    leads: 21,
    intervalSeconds: 300,
  });
  await sending.api.sql.query(
    `insert into suppressions (id, workspace_id, user_id, value, value_hash, kind, reason, created_at, updated_at)
     select gen_random_uuid(), $1, $2, e, encode(sha256(convert_to(e, 'UTF8')), 'hex'), 'email', 'manual', $3, $3
     from generate_series(1, 20) n, lateral (select 'lead' || n || '@example.zz' as e) x`,
    [tenant.workspaceId, tenant.userId, sending.api.deps.clock.now()],
  );
  await sending.tick();
  expect(await sentOf(campaignId)).toBe(1);
  expect((await sending.leadOf(campaignLeadIds[20]!)).status).toBe("completed");
  expect((await sending.leadOf(campaignLeadIds[0]!)).status).toBe("stopped");
  expect(await column("select used as n from sender_lanes where id = $1", [aliasIds[0]])).toBe(1);
});

test("a lead whose text lacks something costs its sender no slot", async () => {
  const { campaignId, campaignLeadIds } = await sending.campaign(tenant, {
    leads: 3,
    intervalSeconds: 300,
  });
  await sending.api.sql.query(
    "update leads set first_name = null where id in (select lead_id from campaign_leads where id = any($1))",
    [campaignLeadIds.slice(0, 2)],
  );
  await sending.tick();
  expect(await sentOf(campaignId)).toBe(1);
  expect((await sending.leadOf(campaignLeadIds[0]!)).status).toBe("skipped");
});

test("a campaign with a short interval does not starve one with a long one on the same sender", async () => {
  const slow = await sending.campaign(tenant, { leads: 60, intervalSeconds: 300 });
  const fast = await sending.campaign(tenant, {
    leads: 130,
    aliases: slow.aliasIds,
    intervalSeconds: 60,
    domain: "fast.zz",
  });
  const start = Math.ceil(Date.now() / 60_000) * 60_000;
  const clock = createEagerClock(start);
  for (let minute = 0; minute < 60; minute++) {
    clock.moveTo(start + minute * 60_000);
    await tickWith({ clock });
  }
  const [ofSlow, ofFast] = [await sentOf(slow.campaignId), await sentOf(fast.campaignId)];
  expect(ofSlow).toBeGreaterThanOrEqual(5);
  expect(Math.abs(ofSlow - ofFast)).toBeLessThanOrEqual(1);
});

test.each(["before", "after"] as const)(
  "a database that goes away %s it has committed a begin costs nothing: each lead gets its message, once",
  async (when) => {
    const { campaignId, aliasIds } = await sending.campaign(tenant, { leads: 20, aliases: 20 });
    let begins = 0;
    await tickWith({
      store: (own) => ({
        async recordAndBegin(...args) {
          const isLost = args[3].length > 0 && ++begins === 2;
          if (isLost && when === "before") throw new Error("connection lost");
          const begun = await own.recordAndBegin(...args);
          if (isLost) throw new Error("connection lost");
          return begun;
        },
      }),
    });
    expect(await sentOf(campaignId)).toBe(20);
    expect(new Set(sending.mailbox.wireLog().map(({ envelope }) => envelope.to[0])).size).toBe(20);
    expect(sending.mailbox.wireLog()).toHaveLength(20);
    expect(
      await column("select sum(used)::int as n from sender_lanes where id = any($1)", [aliasIds]),
    ).toBe(20);
  },
);

test("a database that is gone for good loses nothing that was not handed over", async () => {
  const { campaignId } = await sending.campaign(tenant, { leads: 10, aliases: 10 });
  let settles = 0;
  const gone = () => Promise.reject(new Error("connection refused"));
  const clock = createEagerClock(Date.now());
  const ticking = tickWith({
    clock,
    store: (own) => ({
      recordAndBegin: (...args) => (++settles > 1 ? gone() : own.recordAndBegin(...args)),
      statesOf: gone,
    }),
  });
  await expect(ticking).rejects.toThrow("could not be recorded");
  // Five began and were handed over; what became of them is written down nowhere, so they count as unknown later.
  expect(sending.mailbox.wireLog()).toHaveLength(5);
  expect(
    await column(
      "select count(*)::int as n from sends where campaign_id = $1 and state = 'claimed'",
      [campaignId],
    ),
  ).toBe(5);
});

test("once a drain was answered no first step begins, not even a claimed one; a follow-up does", async () => {
  const { api } = sending;
  const { campaignId, campaignLeadIds } = await sending.campaign(tenant, {
    leads: 12,
    aliases: 12,
    steps: [{ delayDays: 0 }, { delayDays: 1 }],
  });
  // Two leads have started.
  await tickWith({ store: firstOf(2) });
  api.advance(86_400 + 60);
  let isDrained = false;
  await tickWith({
    store: (own) => ({
      // Everything is claimed, and then the owner drains.
      async claim(order) {
        const claimed = await own.claim(order);
        if (!isDrained) {
          isDrained = true;
          const drained = await tenant.call("POST", `/api/v1/campaigns/${campaignId}/drain`);
          expect(drained.body.status).toBe("draining");
        }
        return claimed;
      },
    }),
  });
  const { rows } = await api.sql.query(
    "select step, count(*)::int as n from sends where campaign_id = $1 and state = 'accepted' group by 1 order by 1",
    [campaignId],
  );
  expect(rows).toEqual([
    { step: 1, n: 2 },
    { step: 2, n: 2 },
  ]);
  const statuses = await Promise.all(campaignLeadIds.map((id) => sending.leadOf(id)));
  expect(statuses.filter(({ status }) => status === "skipped")).toHaveLength(10);
});

/** Claims no more than so many. */
function firstOf(count: number) {
  let left = count;
  return (own: SendStore): Partial<SendStore> => ({
    async claim(order) {
      if (left === 0) return [];
      const claimed = await own.claim({ ...order, limit: left });
      left -= claimed.length;
      return claimed;
    },
  });
}
