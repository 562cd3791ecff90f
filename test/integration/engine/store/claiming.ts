/** What a claim takes, and when a lane looks again. */
import { describe, expect, test } from "vitest";
import {
  NOW,
  later,
  data,
  world,
  setUp,
  scenario,
  claim,
  claimOne,
  beginOne,
  settle,
  accepted,
  laneRow,
} from "./setting.ts";

export function describeClaiming(): void {
  describe("claim", () => {
    test("new leads go in dataset order, one for each due lane", async () => {
      await setUp(scenario({ lanes: 2, leads: 3 }));
      const claimed = await claim(later(5));
      const order = data.leads.map(({ id }) => id);
      expect(claimed.map((send) => send.campaignLeadId).sort()).toEqual(order.slice(0, 2).sort());
      expect(await claim(later(5))).toEqual([]);
    });

    test("a follow-up goes before a new lead", async () => {
      await setUp(scenario());
      const first = await beginOne();
      await settle([accepted(first, later(30))]);
      const second = await claimOne(later(100));
      expect([second.campaignLeadId, second.step]).toEqual([first.campaignLeadId, 2]);
    });

    // Email campaigns by one clock are claimed by a statement of their own.
    test.each([
      ["the campaign's", {}],
      ["its leads'", { leadZones: ["UTC"] }],
    ])(
      "a follow-up goes before a new lead of a campaign served less recently, by %s clock",
      async (_, clock) => {
        await setUp(scenario({ campaigns: 2, lanes: 1, ...clock }));
        const first = await beginOne();
        await settle([accepted(first, later(30))]);
        const second = await claimOne(later(100));
        expect([second.campaignLeadId, second.step]).toEqual([first.campaignLeadId, 2]);
      },
    );

    test("a lane serves the campaign that it served least recently", async () => {
      await setUp(scenario({ campaigns: 2, lanes: 1 }));
      const first = await claimOne();
      const second = await claimOne(later(100));
      expect(new Set([first.campaignId, second.campaignId]).size).toBe(2);
    });

    test.each([
      ["the campaigns'", {}],
      ["their leads'", { leadZones: ["UTC"] }],
    ])(
      "what one lane loses to another is dealt again in the same claim, by %s clock",
      async (_, clock) => {
        await setUp(scenario({ campaigns: 9, lanes: 4, leads: 1, ...clock }));
        const claimed = await claim(later(5));
        const first = data.campaigns.map(({ id }) => id).toSorted();
        expect(claimed.map(({ campaignId }) => campaignId).toSorted()).toEqual(first.slice(0, 4));
        expect(new Set(claimed.map(({ laneId }) => laneId)).size).toBe(4);
      },
    );

    // A lane that one campaign has alone does not note when it served it.
    test.each<[string, Date | null, Date | null]>([
      ["neither was served before", null, null],
      ["one was served alone until the other came", later(-86_400), null],
      ["one was served alone for a while, by which the other was served last", later(-999), NOW],
    ])("its campaigns take turns: %s", async (_, first, second) => {
      const shared = scenario({ campaigns: 2, lanes: 1, leads: 9, intervals: [60] });
      shared.senders[0]!.lastServedAt = first;
      shared.senders[1]!.lastServedAt = second;
      await setUp(shared);
      const turns: string[] = [];
      for (let turn = 0; turn < 8; turn++)
        for (const { campaignId } of await claim(later(100 * turn))) turns.push(campaignId);
      expect(turns).toHaveLength(8);
      for (let turn = 1; turn < 8; turn++) expect(turns[turn]).not.toBe(turns[turn - 1]);
    });

    test("no more than the campaign's room, and none above its new leads a day", async () => {
      await setUp(scenario({ lanes: 5, leads: 9, dailyLimits: [3] }));
      expect(await claim(later(10))).toHaveLength(3);
      await setUp(scenario({ lanes: 5, leads: 9, newLimits: [2] }));
      expect(await claim(later(10))).toHaveLength(2);
    });

    test("a slot that has just passed keeps its place, an older one is now", async () => {
      await setUp(scenario());
      const send = await claimOne(later(19));
      expect([send.slotAt, send.beginsAt]).toEqual([NOW, later(19)]);
      await setUp(scenario());
      const old = await claimOne(later(20));
      expect([old.slotAt, old.beginsAt]).toEqual([later(20), later(20)]);
    });

    test("a lane at its cap sleeps until its next day", async () => {
      await setUp(scenario({ laneCaps: [1] }));
      expect(await claim()).toHaveLength(1);
      expect(await claim(later(150))).toEqual([]);
      expect((await laneRow())["next_slot_at"]).toBe("2026-03-03T00:00:00.000Z");
    });

    test("outside of the window nothing is claimed, and the lane sleeps until it opens", async () => {
      await setUp(scenario({ windows: [["11:00:00", "12:00:00"]] }));
      expect(await claim()).toEqual([]);
      expect((await laneRow())["next_slot_at"]).toBe("2026-03-02T11:00:00.000Z");
    });

    test("the gap is the longer of campaign and sender, lengthened by less than a third", async () => {
      const slow = scenario({ intervals: [60] });
      slow.lanes[0]!.minIntervalSeconds = 100;
      await setUp(slow);
      await claim();
      const gap = Date.parse(String((await laneRow())["next_slot_at"])) - NOW.getTime();
      expect(gap).toBeGreaterThanOrEqual(101_000);
      expect(gap).toBeLessThan(130_000);
    });

    test("a lane without work is parked until something wakes it", async () => {
      await setUp(scenario({ leads: 1 }));
      await claim();
      await claim(later(150));
      expect((await laneRow())["next_slot_at"]).toBeNull();
    });

    test("a held lead is passed over until its hold is over", async () => {
      await setUp(scenario({ leads: 1 }));
      await world.actions.hold(data.leads[0]!.id, NOW, later(500));
      expect(await claim()).toEqual([]);
      expect(await claim(later(600))).toHaveLength(1);
    });
  });

  test.each([
    ["the slower", [300, 60]],
    ["the faster", [60, 300]],
  ])("a lane that two campaigns wake at once looks for the faster: %s first", async (_, [a, b]) => {
    const made = scenario({ campaigns: 2, leads: 2 });
    Object.assign(made.campaigns[0]!, { minIntervalSeconds: a });
    Object.assign(made.campaigns[1]!, { minIntervalSeconds: b });
    await setUp(made);
    await claim();
    for (const { id } of data.leads) await world.actions.hold(id, NOW, later(50));
    await claim(later(40), 3600);
    expect((await laneRow())["next_slot_at"]).toBeNull();
    await world.store.sweep(later(50));
    const wakesIn = Date.parse(String((await laneRow())["next_slot_at"])) - NOW.getTime();
    expect(wakesIn).toBeLessThan(80_000);
  });
}
