/** What no pause, midnight or sign adds to a limit or leaves asleep. */
import { expect, test } from "vitest";
import type { ClaimedSend } from "#db/engine/index.ts";
import {
  NOW,
  later,
  OTHER,
  data,
  world,
  setUp,
  scenario,
  claim,
  claimOne,
  begin,
  beginOne,
  settle,
  accepted,
  rows,
  one,
  laneRow,
  refusalOf,
} from "./setting.ts";
import { plannedAt } from "../../../support/planned.ts";

export function describeLimits(): void {
  const restarts: [string, () => Promise<unknown>][] = [
    [
      "a pause and a resume",
      async () => {
        await world.actions.pause(data.campaigns[0]!.id, later(6));
        await world.actions.resume(data.campaigns[0]!.id, later(6));
      },
    ],
    [
      "a change of its interval",
      () => world.actions.edit(data.campaigns[0]!.id, later(6), { minIntervalSeconds: 61 }),
    ],
  ];
  test.each(restarts)(
    "%s while its messages are claimed grants no second limit",
    async (_, act) => {
      await setUp(scenario({ lanes: 6, leads: 12, dailyLimits: [3], newLimits: [3] }));
      const claimed = await claim(later(5));
      expect(claimed).toHaveLength(3);
      await act();
      expect(one((await rows()).campaigns)).toMatchObject({ used: 3, used_new: 3 });
      expect(await claim(later(6))).toEqual([]);
      expect((await begin(claimed, later(7))).map(({ begun }) => begun)).toEqual([
        true,
        true,
        true,
      ]);
      await settle(claimed.map((send) => accepted(send, null)));
      expect(await claim(later(3600))).toEqual([]);
    },
  );

  test("what is refused after a pause and a resume gives its place back once", async () => {
    await setUp(scenario({ lanes: 2, leads: 6, dailyLimits: [2] }));
    const [first, second] = await claim(later(5));
    await world.actions.pause(first!.campaignId, later(6));
    expect(await refusalOf(first!, later(6))).toBe("campaign_not_running");
    await world.actions.resume(first!.campaignId, later(7));
    expect(one((await rows()).campaigns)).toMatchObject({ used: 1, used_new: 1 });
    expect(await refusalOf(second!, later(7))).toBeNull();
    expect(await claim(later(300))).toHaveLength(1);
    expect(await claim(later(450))).toEqual([]);
  });

  const lateReturns: [string, (send: ClaimedSend) => Promise<unknown>][] = [
    ["its lease ran out", () => world.store.sweep(new Date("2026-03-03T00:03:00Z"))],
    [
      "its begin was refused",
      async (send) => {
        await world.actions.hold(send.campaignLeadId, NOW, null);
        expect(await refusalOf(send, new Date("2026-03-03T00:01:30Z"))).toBe("lead_held");
      },
    ],
    ["its tick was over", ({ id }) => settle([{ id, kind: "released", reason: "out of time" }])],
  ];
  test.each(lateReturns)(
    "what was claimed before midnight gives no place back to the next day: %s",
    async (_, goBack) => {
      await setUp(scenario({ leads: 6 }));
      const yesterdays = await claimOne(new Date("2026-03-02T23:59:30Z"));
      expect(await claim(new Date("2026-03-03T00:01:00Z"), 0, OTHER)).toHaveLength(1);
      await goBack(yesterdays);
      expect(one((await rows()).campaigns)).toMatchObject({ used: 1, used_new: 1 });
      expect(await laneRow()).toMatchObject({ used: 1 });
    },
  );

  test("a sign of a message whose fate was unknown wakes its sender for the next step", async () => {
    await setUp(scenario({ leads: 1 }));
    const send = await beginOne();
    await settle([{ id: send.id, kind: "unknown", reason: "the line broke" }]);
    expect(await claim(later(150))).toEqual([]);
    expect(await laneRow()).toMatchObject({ next_slot_at: null });
    await settle(
      [
        {
          id: send.id,
          kind: "confirmed",
          reason: "",
          nextStep: 2,
          nextActionAt: later(86_400),
          planned: plannedAt(NOW),
        },
      ],
      later(200),
      OTHER,
    );
    expect(await laneRow()).toMatchObject({ next_slot_at: later(86_400).toISOString() });
    expect(await claim(later(86_400))).toMatchObject([{ step: 2 }]);
  });

  test("the end of a hold wakes the engine, though nothing else is to do", async () => {
    await setUp(scenario({ leads: 1 }));
    await world.actions.hold(data.leads[0]!.id, NOW, later(5000));
    expect(await claim(later(1))).toEqual([]);
    expect(await laneRow()).toMatchObject({ next_slot_at: null });
    expect(await world.store.nextWakeAt(86_400_000)).toEqual(later(5000));
  });

  test("the day's count goes on when a pause ends on the same day", async () => {
    await setUp(scenario({ lanes: 2, leads: 6, dailyLimits: [2] }));
    const send = await beginOne();
    await settle([accepted(send, null)]);
    const { campaignId } = send!;
    await world.actions.pause(campaignId, NOW);
    await world.actions.resume(campaignId, later(60));
    expect(one((await rows()).campaigns)).toMatchObject({ status: "active", used: 1 });
  });
}
