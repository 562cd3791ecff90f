/** Windows by the clocks of the leads. */
import { describe, expect, test } from "vitest";
import type { ClaimedSend } from "#db/engine/index.ts";
import type { ModelData } from "#src/domain/engine/memory/index.ts";
import { leadOf } from "../../../support/engine-scenario.ts";
import { createRandom } from "../../../support/random.ts";
import {
  NOW,
  later,
  data,
  world,
  setUp,
  scenario,
  claim,
  claimOne,
  rows,
  one,
  laneRow,
  refusalOf,
} from "./setting.ts";

export function describeZones(): void {
  describe("zones of leads", () => {
    /** Leads in these zones, in this order, of a campaign by whose leads' clocks it goes: 9:00 in UTC is 10:00 in Berlin, 4:00 in New York. */
    const inZones = (
      zones: string[],
      options: Parameters<typeof scenario>[0] = {},
      campaign: Partial<ModelData["campaigns"][number]> = {},
    ) => {
      const windows: [string, string][] = [["08:00:00", "17:00:00"]];
      const made = scenario({ leads: zones.length, windows, leadZones: zones, ...options });
      const own = Object.assign(made.campaigns[0]!, campaign);
      made.leads.forEach((lead, index) => (lead.zone = zones[index]!));
      made.zones = [...new Set(zones)].map((zone) => ({
        campaignId: own.id,
        zone,
        openFrom: NOW,
        openUntil: NOW,
      }));
      return made;
    };
    const claimedRows = (claimed: ClaimedSend[]) =>
      claimed.map((send) => data.leads.findIndex(({ id }) => id === send.campaignLeadId));
    const NEW_YORK = "America/New_York";

    test("leads whose window is shut stand before nobody, and '' is the campaign's zone", async () => {
      await setUp(inZones([NEW_YORK, "Europe/Berlin", NEW_YORK, ""], { lanes: 2 }));
      expect(claimedRows(await claim(later(5))).toSorted()).toEqual([1, 3]);
      expect(claimedRows(await claim(later(4 * 3600 + 5))).toSorted()).toEqual([0, 2]);
    });

    test("a lane sleeps until the first of its leads' windows opens", async () => {
      await setUp(inZones([NEW_YORK, "America/Havana", "America/Los_Angeles"]));
      expect(await claim()).toEqual([]);
      expect((await laneRow())["next_slot_at"]).toBe("2026-03-02T13:00:00.000Z");
    });

    test("a follow-up goes before new leads once its own window is open", async () => {
      await setUp(inZones(["Europe/Berlin", "Europe/Berlin", NEW_YORK]));
      Object.assign(data.leads[2]!, { status: "active", nextStep: 2, laneId: data.lanes[0]!.id });
      await setUp(data);
      expect(claimedRows(await claim())).toEqual([0]);
      expect(claimedRows(await claim(later(4 * 3600)))).toEqual([2]);
      expect(claimedRows(await claim(later(4 * 3600 + 100)))).toEqual([1]);
    });

    test("a zone that nobody knows any more is the campaign's", async () => {
      await setUp(inZones(["Mars/Olympus"], {}, { timezone: NEW_YORK }));
      expect(await claim()).toEqual([]);
      expect(await claim(later(4 * 3600))).toHaveLength(1);
    });

    test("caps count by the campaign's date", async () => {
      const tokyo = { timezone: "Asia/Tokyo", dailyLimit: 1 };
      await setUp(inZones([NEW_YORK, NEW_YORK], {}, tokyo));
      expect(await claim(later(4 * 3600))).toHaveLength(1);
      expect(await claim(later(4 * 3600 + 100))).toEqual([]);
      // Midnight in Tokyo, 10:00 in New York.
      expect((await laneRow())["next_slot_at"]).toBe("2026-03-02T15:00:00.000Z");
      expect(await claim(later(6 * 3600))).toHaveLength(1);
      expect(one((await rows()).campaigns)).toMatchObject({ used: 1, open_day: "2026-03-03" });
    });

    test("lanes between whose slots a window ends take what is theirs", async () => {
      const made = inZones(["", "Asia/Tokyo", "Asia/Tokyo"], { lanes: 2 });
      // 18:00:30 in Tokyo.
      Object.assign(made.campaigns[0]!, { end: "18:00:30" });
      made.leads[0]!.nextActionAt = later(10);
      Object.assign(made.lanes[0]!, { nextSlotAt: later(20) });
      Object.assign(made.lanes[1]!, { nextSlotAt: later(40) });
      await setUp(made);
      expect(claimedRows(await claim(NOW, 60))).toEqual([1, 0]);
      expect(await claim(NOW, 60)).toEqual([]);
    });

    test("a tick that read a zone before another rolled it on leaves it as it is", async () => {
      await setUp(inZones([NEW_YORK]));
      const { id: campaignId } = data.campaigns[0]!;
      await claim();
      const { zones } = await rows();
      const stale = { openFrom: NOW, openUntil: later(60), after: NOW };
      await world.store.rollOver(NOW, [], [], [{ campaignId, zone: NEW_YORK, ...stale }]);
      expect((await rows()).zones).toEqual(zones);
    });

    test("a window that has shut for the lead is refused, whatever the campaign's own", async () => {
      await setUp(inZones(["Asia/Tokyo"]));
      Object.assign(data.campaigns[0]!, { end: "18:01:00" });
      await setUp(data);
      const send = await claimOne();
      expect(await refusalOf(send, later(61))).toBe("window_closed");
      await claim(later(62));
      expect((await laneRow())["next_slot_at"]).toBe("2026-03-02T23:00:00.000Z");
    });

    test("an added lead brings its zone along", async () => {
      await setUp(inZones([NEW_YORK]));
      expect(await claim()).toEqual([]);
      const added = { ...leadOf(createRandom(1), data.campaigns[0]!, 7, NOW, "late@c0.zz") };
      await world.actions.addLeads(data.campaigns[0]!.id, NOW, [{ ...added, zone: "Asia/Tokyo" }]);
      await claim(later(1));
      expect((await laneRow())["next_slot_at"]).toBe("2026-03-02T13:00:00.000Z");
      expect(await claim(later(14 * 3600))).toHaveLength(1);
    });

    test("the zones of a campaign that does not run are forgotten; a resume brings them back", async () => {
      await setUp(inZones([NEW_YORK, ""]));
      const { id } = data.campaigns[0]!;
      await world.actions.pause(id, NOW);
      await claim();
      expect((await rows()).zones).toEqual({});
      await world.actions.resume(id, NOW);
      expect(claimedRows(await claim())).toEqual([1]);
      expect(claimedRows(await claim(later(4 * 3600)))).toEqual([0]);
    });

    test("a step is planned by the lead's clocks", async () => {
      await setUp(inZones(["Europe/Berlin", ""], { lanes: 2 }));
      const claimed = await claim(later(5));
      const contexts = await world.load(
        "email",
        claimed.map(({ id }) => id),
      );
      expect(contexts.map(({ zone, timezone }) => [zone, timezone]).toSorted()).toEqual([
        ["", "UTC"],
        ["Europe/Berlin", "UTC"],
      ]);
    });
  });
}
