/** Sends of which nobody knows what became of them. */
import { describe, expect, test } from "vitest";
import type { ClaimedSend, SendOutcome } from "#db/engine/index.ts";
import {
  NOW,
  later,
  OTHER,
  world,
  setUp,
  scenario,
  claimOne,
  begin,
  beginOne,
  settle,
  refused,
  rows,
  leadRow,
} from "./setting.ts";

export function describeLookups(): void {
  describe("a send that is looked up", () => {
    const lose = async () => {
      await setUp(scenario());
      const send = await beginOne();
      await settle([{ id: send.id, kind: "unknown", reason: "line lost" }]);
      return send!;
    };
    const stateOf = async (send: ClaimedSend) =>
      (await rows()).sends[`${send.campaignLeadId}/${send.step}`];

    test("is told with its kind while nobody knows what became of it", async () => {
      const { id, campaignId } = await lose();
      const lost = { id, campaignId, kind: "email", transmittingAt: NOW };
      expect(await world.store.unknownOf(["email"], 5)).toEqual([lost]);
      expect(await world.store.unknownOf(["socialnet"], 5)).toEqual([]);
      expect(await world.store.unknownOf(["email"], 0)).toEqual([]);
    });

    test("and was not done is tried again, by anybody, with its attempt counted", async () => {
      const send = await lose();
      await settle(
        [{ ...refused(send, "none", true), lookedUp: true } as SendOutcome],
        later(660),
        OTHER,
      );
      expect(await stateOf(send)).toMatchObject({ state: "retry_wait", attempts: 1 });
      const again = await claimOne(later(720));
      expect(again).toMatchObject({ id: send.id, step: 1 });
      await begin([again], later(720));
      expect(await stateOf(send)).toMatchObject({ state: "transmitting", attempts: 2 });
    });

    test("and was not done for the last time fails its lead", async () => {
      const send = await lose();
      const end = { id: send.id, kind: "given_up", reason: "too often", lookedUp: true } as const;
      await settle([end], later(660), OTHER);
      expect(await stateOf(send)).toMatchObject({ state: "failed" });
      expect(await leadRow(send)).toMatchObject({
        status: "failed",
        stop_reason: "given_up",
        last_error: "too often",
      });
    });

    test("is put back by nobody who has not looked", async () => {
      const send = await lose();
      await settle([refused(send, "none", true)], later(660), OTHER);
      await settle([refused(send, "none", true)], later(660));
      expect(await stateOf(send)).toMatchObject({ state: "unknown" });
    });
  });
}
