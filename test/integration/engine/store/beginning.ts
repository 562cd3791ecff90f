/** What stands between a claim and the wire. */
import { beforeEach, describe, expect, test } from "vitest";
import type { ClaimedSend } from "#db/engine/index.ts";
import { beginWish } from "../../../support/begin-wish.ts";
import {
  NOW,
  later,
  OTHER,
  TOKEN,
  accepted,
  settle,
  data,
  world,
  setUp,
  scenario,
  claim,
  claimOne,
  begin,
  rows,
  one,
  leadRow,
  laneRow,
  refusalOf,
} from "./setting.ts";

export function describeBeginning(): void {
  describe("begin", () => {
    beforeEach(() => setUp(scenario()));

    test("what passes is transmitting, with an attempt more", async () => {
      const send = await claimOne();
      expect(await refusalOf(send)).toBeNull();
      expect(one((await rows()).sends)).toMatchObject({
        state: "transmitting",
        attempts: 1,
        claims: 0,
      });
    });

    test("only the worker that holds the lease begins, and only until its end", async () => {
      const send = await claimOne();
      expect(await begin([send], NOW, OTHER)).toMatchObject([{ reason: "lease_lost" }]);
      expect(await refusalOf(send, later(181))).toBe("lease_lost");
    });

    test("a begin that comes twice is its worker's own: begun, and nothing changes by it", async () => {
      const send = await claimOne();
      await begin([send]);
      const before = await rows();
      expect(await refusalOf(send)).toBeNull();
      expect(await refusalOf(send, later(1))).toBeNull();
      expect(await rows()).toEqual(before);
      const letter = beginWish(send.id, NOW, { messageId: "<another@sender.zz>" });
      expect(await world.store.recordAndBegin(NOW, TOKEN, [], [letter])).toMatchObject([
        { reason: "lease_lost" },
      ]);
      expect(await begin([send], NOW, OTHER)).toMatchObject([{ reason: "lease_lost" }]);
      await settle([accepted(send, null)]);
      expect(await refusalOf(send)).toBe("lease_lost");
    });

    const stops: [string, string, (send: ClaimedSend) => Promise<boolean>][] = [
      ["campaign_not_running", "pending", ({ campaignId }) => world.actions.pause(campaignId, NOW)],
      [
        "lead_not_active",
        "replied",
        (send) => world.actions.endLead(send.campaignLeadId, NOW, "replied"),
      ],
      ["lead_held", "pending", (send) => world.actions.hold(send.campaignLeadId, NOW, null)],
      [
        "sender_not_active",
        "pending",
        ({ laneId }) => world.actions.changeSender(laneId, NOW, { status: "paused" }),
      ],
    ];
    test.each(stops)("%s: refused, and given back", async (reason, status, stop) => {
      const send = await claimOne();
      await stop(send);
      expect(await refusalOf(send)).toBe(reason);
      const { campaigns, lanes, leads } = await rows();
      expect(one(campaigns)).toMatchObject({ used: 0, used_new: 0 });
      expect(one(lanes)).toMatchObject({ used: 0 });
      expect(leads[send.campaignLeadId]).toMatchObject({
        status,
        lane_id: status === "pending" ? null : send.laneId,
      });
    });

    test("a suppressed address is refused, and its lead has ended", async () => {
      const send = await claimOne();
      const { emailKey } = data.leads.find(({ id }) => id === send.campaignLeadId)!;
      await world.actions.suppress(emailKey!, NOW, "complaint");
      expect(await refusalOf(send)).toBe("lead_not_active");
      expect(await leadRow(send)).toMatchObject({ status: "complained", next_step: null });
    });

    test.each([
      ["has shut", 61],
      ["is not open yet, by the clock of who begins,", -61],
    ])("a window that %s is refused", async (_, seconds) => {
      await setUp(scenario({ windows: [["08:59:00", "09:01:00"]] }));
      const send = await claimOne();
      expect(await refusalOf(send, later(seconds))).toBe("window_closed");
    });

    test("a sender that began less than its gap ago is refused", async () => {
      const first = await claimOne();
      const second = await claimOne(NOW, 120);
      expect(second).toBeDefined();
      await begin([first], later(40));
      expect(await refusalOf(second, later(90))).toBe("sender_too_soon");
    });

    test("an address that another campaign has just written to waits a day", async () => {
      await setUp(
        scenario({ campaigns: 2, lanes: 2, lanesPerCampaign: 1, leads: 1, sharedAddresses: 1 }),
      );
      const [own, other] = await claim(later(5));
      await begin([own!], later(5));
      expect(await refusalOf(other!, later(6))).toBe("address_recently_mailed");
      expect((await leadRow(other!))["next_action_at"]).toBe(later(86_405).toISOString());
    });

    test("a limit lowered below what is claimed lets that go, and nothing more on its date", async () => {
      await setUp(scenario({ lanes: 3, leads: 9 }));
      const claimed = await claim(later(5));
      expect(claimed).toHaveLength(3);
      await world.actions.edit(data.campaigns[0]!.id, later(6), { dailyLimit: 1 });
      const answers = await begin(claimed, later(7));
      expect(answers.map(({ begun }) => begun)).toEqual([true, true, true]);
      expect(await claim(later(3600))).toEqual([]);
      expect(one((await rows()).campaigns)).toMatchObject({ used: 3 });
      expect(await claim(later(86_400))).toHaveLength(1);
    });

    const nextSlot = async () => Date.parse(String((await laneRow())["next_slot_at"]));

    test("a begin that is a little late leaves the plan; what follows waits for its gap", async () => {
      const send = await claimOne();
      const planned = await nextSlot();
      await begin([send], later(20));
      expect(await nextSlot()).toBe(planned);
      const next = await claimOne(later(50), 60);
      expect(next.slotAt.getTime()).toBe(planned);
      expect(next.beginsAt).toEqual(later(80));
      expect(await refusalOf(next, new Date(later(80).getTime() - 1))).toBe("sender_too_soon");
    });

    test("a begin that is later moves the plan, as far as it is too late for it", async () => {
      const send = await claimOne();
      const planned = await nextSlot();
      await begin([send], later(50));
      expect(await nextSlot()).toBe(planned + 30_000);
      const next = await claimOne(later(50), 90);
      expect(next.beginsAt).toEqual(later(110));
      expect(await refusalOf(next, later(110))).toBeNull();
    });

    test("another's new lead that goes back pulls no late begin's next slot back", async () => {
      await setUp(scenario({ lanes: 2, leads: 4 }));
      const claimed = await claim(later(5));
      await world.actions.hold(claimed[0]!.campaignLeadId, NOW, null);
      const planned = Date.parse(String((await rows()).lanes[claimed[1]!.laneId]!["next_slot_at"]));
      const lateMs = later(40).getTime() - claimed[1]!.slotAt.getTime();
      expect(await begin(claimed, later(40))).toMatchObject([{ begun: false }, { begun: true }]);
      const moved = Date.parse(String((await rows()).lanes[claimed[1]!.laneId]!["next_slot_at"]));
      expect(moved).toBe(planned + lateMs - 20_000);
    });
  });
}
