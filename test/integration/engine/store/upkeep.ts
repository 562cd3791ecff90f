/** What is lost, dealt out and completed. */
import { describe, expect, test } from "vitest";
import type { EngineRows } from "../../../support/engine-worlds.ts";
import {
  NOW,
  later,
  TOKEN,
  OTHER,
  data,
  world,
  setUp,
  scenario,
  claim,
  claimOne,
  beginOne,
  settle,
  accepted,
  rows,
  one,
  leadRow,
  laneRow,
} from "./setting.ts";
import { plannedAt } from "../../../support/planned.ts";

export function describeUpkeep(): void {
  describe("sweep", () => {
    test("a claim that was lost goes back, however often; one that was lost alone twice is held", async () => {
      await setUp(scenario({ leads: 1 }));
      for (let round = 0; round < 6; round++) {
        const send = await claimOne(later(round * 1000));
        expect(send.claims).toBe(round + 1);
        if (round >= 4) expect(await world.store.isolate(TOKEN, send.id)).toBe(true);
        const swept = await world.store.sweep(later(round * 1000 + 200));
        expect(swept[0]!.to).toBe("released");
        expect(one((await rows()).leads)).toMatchObject({ status: "pending", held: round === 5 });
      }
      expect(await claim(later(6_000))).toEqual([]);
      expect(one((await rows()).campaigns)).toMatchObject({ used: 0 });
      await world.actions.release(data.leads[0]!.id, later(6_001));
      expect((await claim(later(6_002)))[0]!.claims).toBe(1);
    });

    test("what was transmitting is unknown, keeps its reservation, and is assumed sent when asked", async () => {
      await setUp(scenario());
      const send = await beginOne();
      const wakeAt = await world.store.nextWakeAt(86_400_000);
      expect(wakeAt!.getTime()).toBeLessThanOrEqual(later(660).getTime());
      expect(await world.store.sweep(later(661))).toMatchObject([{ to: "unknown" }]);
      expect(one((await rows()).campaigns)).toMatchObject({ used: 1 });
      expect(await world.store.overdueUnknown(later(-1))).toEqual([]);
      expect(await world.store.overdueUnknown(later(1))).toMatchObject([
        { step: 1, nextDelayDays: 1 },
      ]);
      await settle(
        [
          {
            id: send.id,
            kind: "assumed",
            reason: "",
            nextStep: 2,
            nextActionAt: later(86_400),
            planned: plannedAt(NOW),
          },
        ],
        later(90_000),
        OTHER,
      );
      expect(one((await rows()).sends)).toMatchObject({ state: "assumed_sent" });
      expect(await leadRow(send)).toMatchObject({ status: "active", next_step: 2 });
    });

    test("the worker itself may still say that it was accepted", async () => {
      await setUp(scenario());
      const send = await beginOne();
      await world.store.sweep(later(661));
      await settle([accepted(send, later(86_400))], later(700));
      expect(one((await rows()).sends)).toMatchObject({ state: "accepted" });
    });
  });

  describe("roll", () => {
    const DAY_S = 86_400;
    const dayOf = (days: number) => ({
      dayFrom: new Date(Date.parse("2026-03-02") + days * DAY_S * 1000),
      dayUntil: new Date(Date.parse("2026-03-03") + days * DAY_S * 1000),
    });
    const caps = (dayCap: number) => ({ dayCap, connectionCap: null });
    const rollTo = (laneIds: string[], days: number) =>
      world.store.rollOver(
        NOW,
        laneIds.map((id) => ({ id, slotAt: later(days * DAY_S), ...dayOf(days), ...caps(1000) })),
        [],
        [],
      );
    const capsOf = async (laneIds: string[]) => {
      const { lanes } = await rows();
      return laneIds.map((id) => lanes[id]!["day_cap"]);
    };
    const ofDomain = (laneCount: number, limit: number) => {
      const made = scenario({ lanes: laneCount, domainLimits: [limit] });
      for (const lane of made.lanes) lane.limitedDomainId = made.domains[0]!.id;
      return made;
    };
    const idsInOrder = () => data.lanes.map(({ id }) => id).sort();

    test("the limit of a domain is dealt out in even parts, and what does not divide goes round", async () => {
      await setUp(ofDomain(3, 10));
      const ids = idsInOrder();
      const turns: unknown[] = [];
      for (let day = 0; day < 3; day++) {
        await rollTo(ids, day);
        turns.push((await capsOf(ids)).indexOf(4));
        expect((await capsOf(ids)).toSorted()).toEqual([3, 3, 4]);
      }
      expect(turns.toSorted()).toEqual([0, 1, 2]);
    });

    test("a lane without such a domain keeps its own cap, and so does one whose cap is lower", async () => {
      await setUp(scenario({ lanes: 3, domainLimits: [10] }));
      const [inside, other, outside] = data.lanes.map(({ id }) => id);
      await rollTo([inside!, outside!], 0);
      expect(await capsOf([inside!, outside!])).toEqual([5, 1000]);
      await world.store.rollOver(
        NOW,
        [{ id: other!, slotAt: NOW, ...dayOf(0), ...caps(2) }],
        [],
        [],
      );
      expect(await capsOf([other!])).toEqual([2]);
    });

    test("what a lane was dealt for a day stays dealt when it has gone on to the next", async () => {
      await setUp(ofDomain(2, 10));
      const [first, second] = idsInOrder();
      await world.actions.changeSender(second!, NOW, { status: "paused" });
      await rollTo([first!], 0);
      expect(await capsOf([first!])).toEqual([10]);
      await rollTo([first!], 1);
      await world.actions.changeSender(second!, NOW, { status: "active" });
      await rollTo([second!], 0);
      expect(await capsOf([second!])).toEqual([0]);
      await rollTo([second!], 1);
      expect(await capsOf([first!, second!])).toEqual([10, 0]);
      await rollTo([first!, second!], 2);
      expect(await capsOf([first!, second!])).toEqual([5, 5]);
    });

    test("a tick that read a lane before another rolled it on leaves it as it is", async () => {
      await setUp(scenario({ laneCaps: [1] }));
      const [id] = idsInOrder();
      await claim();
      await rollTo([id!], 1);
      expect(await claim(later(DAY_S))).toHaveLength(1);
      const before = await laneRow();
      await rollTo([id!], 0);
      await rollTo([id!], 1);
      expect(await laneRow()).toEqual(before);
    });
  });

  describe("complete", () => {
    const ids = () => data.campaigns.map(({ id }) => id);

    test("a campaign ends with its last lead, not before", async () => {
      await setUp(scenario({ leads: 1 }));
      expect((await world.store.complete(NOW, ids())).completed).toEqual([]);
      const send = await beginOne();
      await settle([accepted(send, null)]);
      expect((await world.store.complete(NOW, ids())).completed).toEqual(ids());
    });

    test("a paused campaign waits for its resume, which completes it, and a completed one is not completed again", async () => {
      await setUp(scenario({ leads: 1 }));
      await world.actions.pause(ids()[0]!, NOW);
      await world.actions.endLead(data.leads[0]!.id, NOW, "replied");
      expect((await world.store.complete(NOW, ids())).completed).toEqual([]);
      await world.actions.resume(ids()[0]!, NOW);
      const { campaigns }: EngineRows = await rows();
      expect(campaigns[ids()[0]!]).toMatchObject({ status: "completed" });
      expect((await world.store.complete(NOW, ids())).completed).toEqual([]);
    });

    test("while draining, leads never started are skipped", async () => {
      await setUp(scenario({ leads: 2 }));
      const send = await beginOne();
      await world.actions.drain(ids()[0]!, NOW);
      expect(await claim(later(150))).toEqual([]);
      expect((await world.store.complete(NOW, ids())).completed).toEqual([]);
      await settle([accepted(send, null)], later(150));
      expect((await world.store.complete(NOW, ids())).completed).toEqual(ids());
      const { leads }: EngineRows = await rows();
      expect(leads[send.campaignLeadId]).toMatchObject({ status: "completed" });
      expect(Object.values(leads).filter(({ status }) => status === "skipped")).toHaveLength(1);
    });
  });
}
