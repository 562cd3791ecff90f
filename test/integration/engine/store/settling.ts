/** What became of a message, and what it does to its lead and its sender. */
import { beforeEach, describe, expect, test } from "vitest";
import type { ClaimedSend, SendOutcome } from "#db/engine/index.ts";
import {
  NOW,
  later,
  OTHER,
  world,
  setUp,
  scenario,
  claim,
  claimOne,
  begin,
  beginOne,
  settle,
  accepted,
  refused,
  rows,
  one,
  leadRow,
  laneRow,
  refusalOf,
} from "./setting.ts";

export function describeSettling(): void {
  describe("settle", () => {
    let send: ClaimedSend;
    beforeEach(async () => {
      await setUp(scenario());
      send = await beginOne();
    });
    const stateOf = async () => one((await rows()).sends)["state"];

    test("accepted plans the next step; the last completes the lead", async () => {
      await settle([accepted(send, later(86_400))]);
      expect(await leadRow(send)).toMatchObject({
        status: "active",
        current_step: 1,
        next_step: 2,
      });
      await setUp(scenario());
      send = await beginOne();
      await settle([accepted(send, null)]);
      expect(await leadRow(send)).toMatchObject({ status: "completed", next_action_at: null });
    });

    test("another worker's outcome counts for nothing", async () => {
      await settle([accepted(send, null)], NOW, OTHER);
      expect(await stateOf()).toBe("transmitting");
    });

    test("an acceptance that is recorded again changes nothing", async () => {
      await settle([accepted(send, later(86_400))]);
      const once = await rows();
      await settle([accepted(send, null)], later(5));
      expect(await rows()).toEqual(once);
    });

    test("a lead that has ended meanwhile stays ended; the ledger learns", async () => {
      await world.actions.endLead(send.campaignLeadId, NOW, "replied");
      await settle([accepted(send, later(600))]);
      const ended = { status: "replied", next_step: null, next_action_at: null };
      expect(await leadRow(send)).toMatchObject(ended);
      expect(await stateOf()).toBe("accepted");
    });

    const ends: [
      SendOutcome extends infer O ? (O extends { kind: infer K } ? K : never) : never,
      Partial<SendOutcome>,
      string,
      string,
    ][] = [
      ["rejected", { scope: "recipient", suppress: false } as never, "rejected", "bounced"],
      ["rejected", { scope: "message", suppress: false } as never, "rejected", "failed"],
      ["given_up", {}, "failed", "failed"],
      ["unknown", {}, "unknown", "active"],
    ];
    test.each(ends)("%s %o: the send is %s, the lead %s", async (outcome, more, state, status) => {
      await settle([{ id: send.id, kind: outcome, reason: "why", ...more } as SendOutcome]);
      expect(await stateOf()).toBe(state);
      expect(await leadRow(send)).toMatchObject({ status, next_action_at: null });
    });

    test("an attempt that reached nobody is given back, and the lead is new again", async () => {
      await settle([refused(send, "none")]);
      expect(one((await rows()).campaigns)).toMatchObject({ used: 0, used_new: 0 });
      expect(await laneRow()).toMatchObject({ used: 0 });
      expect(await leadRow(send)).toMatchObject({ status: "pending", lane_id: null });
    });

    test("an attempt that was spent is not, and the lead keeps its sender", async () => {
      await settle([refused(send, "none", true)]);
      expect(one((await rows()).campaigns)).toMatchObject({ used: 1 });
      expect(await leadRow(send)).toMatchObject({ status: "active", lane_id: send.laneId });
    });

    test("limits close the lane for 5 minutes, doubled in a row; success ends it", async () => {
      await settle([refused(send, "limited")]);
      expect(await laneRow()).toMatchObject({
        closed_until: later(300).toISOString(),
        failures: 1,
      });
      const again = await beginOne(later(301));
      await settle([refused(again, "down")], later(301));
      expect(await laneRow()).toMatchObject({
        closed_until: later(901).toISOString(),
        alias: "active",
        last_error_kind: "line",
      });
      const third = await beginOne(later(902));
      await settle([accepted(third, null)], later(902));
      expect(await laneRow()).toMatchObject({
        closed_until: null,
        failures: 0,
        last_error_kind: null,
      });
    });

    test.each([
      ["limited", "active", null],
      ["down", "active", "line"],
      ["sealed", "active", "vault"],
      ["broken", "error", "account"],
    ] as const)("a sender that is %s shows %s, and as its fault %s", async (lane, alias, kind) => {
      await settle([refused(send, lane)]);
      expect(await laneRow()).toMatchObject({ alias, last_error: "4xx", last_error_kind: kind });
    });

    test("who is to rest is left alone until then, whatever goes back meanwhile, and says why; who is closed stays so", async () => {
      await setUp(scenario({ lanes: 2, leads: 4, delays: [0] }));
      const [own, other] = await claim(NOW, 60);
      await begin([other!]);
      await settle([refused(other!, "broken")], later(5));
      const turn = (laneId: string, seconds: number) => ({ laneId, until: later(seconds) });
      await world.store.rest(
        later(10),
        [turn(own!.laneId, 300), turn(other!.laneId, 300)],
        "it waits",
      );
      await settle([{ id: own!.id, kind: "released", reason: "it waits" }], later(11));
      const { lanes } = await rows();
      expect(lanes[own!.laneId]).toMatchObject({
        closed_until: later(300).toISOString(),
        next_slot_at: later(300).toISOString(),
        used: 0,
        failures: 0,
        alias: "active",
        last_error: "it waits",
        last_error_kind: null,
      });
      expect(lanes[other!.laneId]).toMatchObject({
        open: false,
        closed_until: null,
        next_slot_at: null,
        last_error: "4xx",
      });
      expect(await claim(later(60), 200)).toEqual([]);
      expect(await claim(later(300))).toMatchObject([{ laneId: own!.laneId }]);
      // A shorter one takes nothing from it.
      await world.store.rest(later(301), [turn(own!.laneId, 900)], "it waits");
      await world.store.rest(later(302), [turn(own!.laneId, 600)], "it waits");
      expect((await rows()).lanes[own!.laneId]).toMatchObject({
        closed_until: later(900).toISOString(),
        next_slot_at: later(900).toISOString(),
      });
    });

    test("of two rests the longer holds", async () => {
      await world.actions.restSender(send.laneId, NOW, later(600));
      await world.actions.restSender(send.laneId, NOW, later(300));
      expect(await laneRow()).toMatchObject({ closed_until: later(600).toISOString() });
    });

    test("neither an acceptance nor limits shorten a rest that a policy block brought", async () => {
      const until = later(6 * 3600);
      await world.actions.restSender(send.laneId, NOW, until);
      await settle([accepted(send, null)]);
      expect(await laneRow()).toMatchObject({ closed_until: until.toISOString() });
      await setUp(scenario());
      send = await beginOne();
      await world.actions.restSender(send.laneId, NOW, until);
      await settle([refused(send, "limited")]);
      expect(await laneRow()).toMatchObject({ closed_until: until.toISOString() });
    });

    test("a broken account closes its lane; a new lead that goes back wakes the others", async () => {
      await setUp(scenario({ lanes: 2, leads: 1 }));
      const only = await claimOne();
      expect(await claim(later(150))).toEqual([]);
      await begin([only], later(160));
      await settle([refused(only, "broken")], later(201));
      const { lanes } = await rows();
      const other = Object.entries(lanes).find(([id]) => id !== only.laneId)![1];
      expect(lanes[only.laneId]).toMatchObject({ open: false, next_slot_at: null });
      expect(other["next_slot_at"]).not.toBeNull();
    });

    test("a refused send's history: how often, at how many domains in a row, and whether others were accepted since", async () => {
      const made = scenario({ leads: 4, delays: [0] });
      for (const [index, domain] of ["one.zz", "two.zz", "one.zz", "two.zz"].entries())
        made.leads[index]!.emailKey = `lead${index}@${domain}`;
      await setUp(made);
      const begun: ClaimedSend[] = [];
      for (const seconds of [0, 300, 600, 900]) {
        const next = await beginOne(later(seconds));
        begun.push(next);
        const refusal = { ...refused(next, "none", true), retryAt: later(9000), isRefusal: true };
        if (seconds < 900) await settle([refusal as SendOutcome], later(seconds));
      }
      const historyOf = ({ id }: ClaimedSend) => world.store.historyOf(id);
      const refusedOnce = { refusals: 1, refusedOperators: 2, acceptedSince: false };
      expect(await historyOf(begun[0]!)).toEqual(refusedOnce);
      expect(await historyOf(begun[3]!)).toEqual({ ...refusedOnce, refusals: 0 });
      await settle(
        [{ ...accepted(begun[3]!, null), acceptedAt: later(901) } as SendOutcome],
        later(901),
      );
      const sinceThen = { refusals: 1, refusedOperators: 1, acceptedSince: true };
      expect(await historyOf(begun[2]!)).toEqual(sinceThen);
    });

    test("a hard bounce that says the address is gone suppresses it", async () => {
      await settle([
        { id: send.id, kind: "rejected", reason: "550", scope: "recipient", suppress: true },
      ]);
      await world.actions.addLeads(send.campaignId, NOW, []);
      expect(await leadRow(send)).toMatchObject({ status: "bounced" });
    });

    const DAY_ON = later(86_400);
    test.each([
      ["another end before it", DAY_ON, later(200), later(80_000), "suppressed"],
      ["another end before it", DAY_ON, later(200), later(86_500), null],
      ["a later end", later(200), DAY_ON, later(80_000), "suppressed"],
      ["none that is for good", undefined, later(200), later(86_500), "suppressed"],
      ["for good after all", later(200), undefined, later(86_500), "suppressed"],
    ] as const)(
      "a suppression with an end holds until the later one: %s",
      async (_, first, second, at, refusal) => {
        const made = scenario({ campaigns: 3, leads: 1, delays: [0] });
        for (const lead of made.leads) lead.emailKey = "ann@one.zz";
        await setUp(made);
        for (const [index, until] of [first, second].entries()) {
          const [{ id } = send] = await claim(later(index * 100));
          const gone = { kind: "rejected", scope: "recipient", suppress: true } as const;
          const end = { id, reason: "550", ...gone, ...(until && { suppressUntil: until }) };
          await settle([end], later(index * 100 + 1));
        }
        const third = await claimOne(at);
        expect(await refusalOf(third, at)).toBe(refusal);
      },
    );
  });
}
