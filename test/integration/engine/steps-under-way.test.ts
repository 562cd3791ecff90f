/** What a campaign becomes while its messages are being handed over. */
import { expect, test } from "vitest";
import { createPostgresStore, loadContexts, type SendOutcome } from "#db/engine/index.ts";
import { nextStepOf } from "#src/domain/engine/outcome.ts";
import { record } from "#src/domain/engine/record.ts";
import { maintain } from "#src/domain/engine/upkeep.ts";
import { beginWish } from "../../support/begin-wish.ts";
import { meetAtRow } from "../../support/locks.ts";
import { tickWith } from "../../support/run-engine.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();

const DAY = 86_400;

const stepOf = (step: number, delayDays: number) => ({
  step,
  delay_days: delayDays,
  variants: [
    { type: "INLINE", subject: step === 1 ? "Hello {{ first_name }}" : "", body: "Hello" },
  ],
});

/** Three messages are handed over, and while the first of them is, the campaign gets these steps. */
async function changeUnderWay(before: number[], after: number[]) {
  const { campaignId, campaignLeadIds } = await sending.campaign(tenant, {
    leads: 3,
    aliases: 3,
    steps: before.map((delayDays) => ({ delayDays })),
  });
  const path = `/api/v1/campaigns/${campaignId}`;
  const { steps_config: steps } = (await tenant.call("GET", path)).body;
  const change = async () => {
    const own = after.map((delayDays, index) =>
      index === 0 ? steps[0] : stepOf(index + 1, delayDays),
    );
    return [
      await tenant.call("POST", `${path}/pause`),
      await tenant.call("PATCH", path, { steps: own }),
      await tenant.call("POST", `${path}/resume`),
    ];
  };
  let changed: ReturnType<typeof change> | undefined;
  const report = await tickWith({
    channel: (own) => ({
      async perform(ready) {
        await (changed ??= change());
        return own.perform(ready);
      },
    }),
  });
  expect(await changed).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }]);
  expect(report.accepted).toBe(3);
  return { path, campaignId, leads: () => Promise.all(campaignLeadIds.map(sending.leadOf)) };
}

const statusOf = async (path: string) => (await tenant.call("GET", path)).body.status;

test("a step that is appended meanwhile goes to the leads under way, too", async () => {
  const { path, leads } = await changeUnderWay([0], [0, 1]);
  expect((await leads()).map(({ status, next_step }) => `${status} ${next_step}`)).toEqual(
    Array(3).fill("active 2"),
  );
  expect(await statusOf(path)).toBe("active");
  sending.api.advance(DAY + 60);
  await sending.tick();
  expect(sending.mailbox.wireLog()).toHaveLength(6);
  expect(await statusOf(path)).toBe("completed");
});

test("a step that is removed meanwhile is missed by nobody: the leads are completed", async () => {
  const { path, leads } = await changeUnderWay([0, 1], [0]);
  expect((await leads()).map(({ status }) => status)).toEqual(Array(3).fill("completed"));
  sending.api.advance(DAY + 60);
  await sending.tick();
  expect(sending.mailbox.wireLog()).toHaveLength(3);
  expect(await statusOf(path)).toBe("completed");
});

test("a delay that is changed meanwhile is the one that the leads under way wait for", async () => {
  const { campaignId, leads } = await changeUnderWay([0, 1], [0, 3]);
  const [send] = await sending.sendsOf(campaignId);
  for (const { next_action_at } of await leads())
    expect((next_action_at - send.slot_at) / 1000 / DAY).toBeCloseTo(3, 2);
});

const TOKEN = "00000000-0000-4000-8000-00000000000a";

test.each(["before", "after"])(
  "an outcome that is recorded just %s its lead's next step is removed completes the lead",
  async (when) => {
    const { db, clock } = sending.api.deps;
    const { campaignId, campaignLeadIds, aliasIds } = await sending.campaign(tenant, {
      leads: 1,
      steps: [{ delayDays: 0 }, { delayDays: 1 }],
    });
    const path = `/api/v1/campaigns/${campaignId}`;
    const { steps_config: steps } = (await tenant.call("GET", path)).body;
    const store = createPostgresStore(db);
    const now = clock.now();
    await maintain(store, now, now, new Set());
    const order = { now, until: now, limit: 1, workerToken: TOKEN, leaseSeconds: 180 };
    const [send] = await store.claim(order);
    await store.recordAndBegin(now, TOKEN, [], [beginWish(send!.id, now)]);
    await tenant.call("POST", `${path}/pause`);
    const [context] = await loadContexts(db, [send!.id]);
    const next = nextStepOf(1, now, context!);
    const accepted = { id: send!.id, kind: "accepted" as const, reason: "250", acceptedAt: now };
    const outcome: SendOutcome = { ...accepted, ...next };
    const calls = [
      () => record(store, now, TOKEN, [outcome]),
      () => tenant.call("PATCH", path, { steps: steps.slice(0, 1) }),
    ];
    const lock = "select from sender_lanes where id = $1 for update";
    const inOrder = when === "before" ? calls : calls.toReversed();
    const answers = await meetAtRow(sending.api.sql, lock, aliasIds, inOrder);
    expect(answers).toContainEqual(expect.objectContaining({ status: 200 }));
    expect(await sending.leadOf(campaignLeadIds[0]!)).toMatchObject({
      status: "completed",
      current_step: 1,
      next_step: null,
    });
  },
);
