/** Steps that change while a message is under way. */
import { describe, expect, test } from "vitest";
import type { ClaimedSend, SendOutcome } from "#db/engine/index.ts";
import type { Step } from "#db/schema/index.ts";
import { nextStepOf } from "#src/domain/engine/outcome.ts";
import { record } from "#src/domain/engine/record.ts";
import {
  NOW,
  TOKEN,
  later,
  data,
  world,
  setUp,
  scenario,
  claim,
  claimOne,
  begin,
  beginOne,
  rows,
  one,
  leadRow,
} from "./setting.ts";

const DAY = 86_400;

export function describeChanging(): void {
  describe("a campaign that changes while a message of it is under way", () => {
    const campaign = () => data.campaigns[0]!;
    /** What the worker has planned by the steps as they were when it loaded the send. */
    const planned = async (send: ClaimedSend): Promise<SendOutcome> => {
      const [context] = await world.load("email", [send.id]);
      const next = nextStepOf(send.step, NOW, context!);
      return { id: send.id, kind: "accepted", reason: "250", acceptedAt: NOW, ...next };
    };
    const change = async (steps: Step[], at = later(5)) => {
      const { id } = campaign();
      expect(await world.actions.pause(id, at)).toBe(true);
      expect(await world.actions.changeSteps(id, at, steps)).toBe(true);
      expect(await world.actions.resume(id, at)).toBe(true);
    };
    const withDelays = (...delays: number[]) => scenario({ leads: 1, delays }).campaigns[0]!.steps;

    const changes: [string, number[], number[], object][] = [
      [
        "goes on with a step that was appended",
        [0],
        [0, 2],
        { status: "active", next_step: 2, next_action_at: later(2 * DAY).toISOString() },
      ],
      [
        "is completed where its next step was removed",
        [0, 1],
        [0],
        { status: "completed", next_step: null, next_action_at: null },
      ],
      [
        "waits as long as the next step's delay is now",
        [0, 1],
        [0, 3],
        { status: "active", next_step: 2, next_action_at: later(3 * DAY).toISOString() },
      ],
    ];
    test.each(changes)("its lead %s", async (_, before, after, lead) => {
      await setUp(scenario({ leads: 1, delays: before }));
      const send = await beginOne();
      const outcome = await planned(send);
      await change(withDelays(...after));
      await record(world.store, later(10), TOKEN, [outcome]);
      expect(one((await rows()).sends)).toMatchObject({ state: "accepted" });
      expect(await leadRow(send)).toMatchObject(lead);
    });

    test.each(["assumed", "confirmed"] as const)(
      "the same is true of what is %s to have arrived later",
      async (kind) => {
        await setUp(scenario({ leads: 1, delays: [0] }));
        const send = await beginOne();
        await world.store.sweep(later(700));
        const [unknown] = await world.store.overdueUnknown(later(800));
        await change(withDelays(0, 2), later(900));
        const next = nextStepOf(1, NOW, unknown!);
        const outcome = { id: send.id, kind, reason: "", ...next };
        await record(world.store, later(1000), TOKEN, [outcome]);
        expect(await leadRow(send)).toMatchObject({
          status: "active",
          next_step: 2,
          next_action_at: later(2 * DAY).toISOString(),
        });
      },
    );

    test("nothing is recorded by a plan that is not true any more, and what else ended is", async () => {
      await setUp(scenario({ lanes: 2, leads: 2, delays: [0] }));
      const [first, second] = await claim(later(5));
      await begin([first!, second!], later(5));
      const outcome = await planned(first!);
      await change(withDelays(0, 2));
      const refused = { id: second!.id, kind: "unknown", reason: "line lost" } as const;
      const answers = await world.store.recordAndBegin(later(10), TOKEN, [outcome, refused], []);
      expect(answers).toMatchObject([
        { id: first!.id, reason: "plan_overtaken", plan: { configVersion: 2, nextDelayDays: 2 } },
      ]);
      const states = Object.values((await rows()).sends).map(({ state }) => state);
      expect(states.sort()).toEqual(["transmitting", "unknown"]);
    });

    test("a change of anything else leaves the plan as it is", async () => {
      await setUp(scenario({ leads: 1, delays: [0, 1] }));
      const send = await beginOne();
      const outcome = await planned(send);
      await world.actions.edit(campaign().id, later(5), { dailyLimit: 17 });
      await record(world.store, later(10), TOKEN, [outcome]);
      const lead = { next_step: 2, next_action_at: later(DAY).toISOString() };
      expect(await leadRow(send)).toMatchObject(lead);
      expect(await claimOne(later(DAY + 5))).toMatchObject({ step: 2 });
    });
  });
}
