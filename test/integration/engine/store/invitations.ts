/** Messages that wait for an invitation to be accepted. */
import { describe, expect, test } from "vitest";
import type { ClaimedSend } from "#db/engine/index.ts";
import { nextStepOf } from "#src/domain/engine/outcome.ts";
import {
  NOW,
  later,
  world,
  setUp,
  scenario,
  claim,
  claimOne,
  beginOne,
  settle,
  leadRow,
} from "./setting.ts";

export function describeInvitations(): void {
  describe("a message after an invitation", () => {
    const ACTIONS = ["connection_request", "message", "send_email"] as const;
    /** One account whose lead is asked to connect; a message follows, and then, where it is mixed, an email. */
    const invite = async (type: "socialnet" | "mixed" = "socialnet") => {
      const next = scenario({
        accounts: 1,
        leads: 1,
        delays: type === "mixed" ? [0, 1, 2] : [0, 1],
      });
      const [campaign] = next.campaigns;
      Object.assign(campaign!, { type });
      campaign!.steps = campaign!.steps.map((step, index) => ({
        ...step,
        channel: index === 2 ? "email" : "socialnet",
        action_type: ACTIONS[index]!,
      }));
      const [alias, account] = next.lanes;
      for (const lead of next.leads) lead.nextBudget = "connection";
      const senders = type === "mixed" ? [alias!, account!] : [account!];
      next.senders = senders.map(({ id }) => ({
        campaignId: campaign!.id,
        laneId: id,
        lastServedAt: null,
      }));
      await setUp(next);
      const send = await beginOne(later(5));
      return send!;
    };
    const planned = async (send: ClaimedSend) => {
      const [context] = await world.load("socialnet", [send.id]);
      return nextStepOf(1, NOW, context!);
    };
    const done = async (send: ClaimedSend, at = NOW) =>
      settle(
        [
          {
            id: send.id,
            kind: "accepted",
            reason: "Invited.",
            acceptedAt: at,
            ...(await planned(send)),
          },
        ],
        at,
      );

    test("waits until the person has accepted, and no lane for it", async () => {
      const send = await invite();
      await done(send);
      expect(await leadRow(send)).toMatchObject({ held: true, waits_for: "awaiting_acceptance" });
      expect(await claim(later(3 * 86_400))).toEqual([]);
      expect(await world.actions.accept(send.campaignLeadId, later(4 * 86_400))).toBe(true);
      expect(await leadRow(send)).toMatchObject({ held: false, waits_for: null });
      const message = await claimOne(later(4 * 86_400 + 5));
      expect(message).toMatchObject({ campaignLeadId: send.campaignLeadId, step: 2 });
      expect(message.laneId).toBe(send.laneId);
    });

    test("does not wait for who accepted before the invitation was recorded", async () => {
      const send = await invite();
      expect(await world.actions.accept(send.campaignLeadId, later(6))).toBe(true);
      await done(send, later(7));
      expect(await leadRow(send)).toMatchObject({ held: false, next_step: 2 });
    });

    test("is not waited for twice: the first acceptance counts", async () => {
      const send = await invite();
      await done(send);
      await world.actions.accept(send.campaignLeadId, later(60));
      expect(await world.actions.accept(send.campaignLeadId, later(600))).toBe(false);
      expect(await leadRow(send)).toMatchObject({ connected_at: later(60).toISOString() });
    });

    test("goes back to wait when its turn comes and nobody has accepted", async () => {
      const send = await invite();
      await done(send);
      await world.actions.hold(send.campaignLeadId, later(60), null);
      await world.actions.release(send.campaignLeadId, later(70));
      const message = await claimOne(later(86_400 + 100));
      const wait = { hold: "awaiting_acceptance", approvedAt: null, reason: "not yet" } as const;
      await settle([{ id: message.id, kind: "held", ...wait }], later(86_400 + 110));
      expect(await leadRow(send)).toMatchObject({ waits_for: "awaiting_acceptance" });
      // Whoever accepts while that is written is not held back by it.
      await world.actions.accept(send.campaignLeadId, later(86_400 + 200));
      const again = await claimOne(later(86_400 + 400));
      await settle([{ id: again.id, kind: "held", ...wait }], later(86_400 + 410));
      expect(await leadRow(send)).toMatchObject({ held: false });
    });

    test("is sent to who is released by hand", async () => {
      const send = await invite();
      await done(send);
      await world.actions.release(send.campaignLeadId, later(60));
      expect(await leadRow(send)).toMatchObject({ connected_at: later(60).toISOString() });
      expect(await claim(later(86_400 + 100))).toMatchObject([{ step: 2 }]);
    });

    test("is passed over when nobody answers: the next email follows, or the lead is completed", async () => {
      const mixed = await invite("mixed");
      await done(mixed);
      const then = 14 * 86_400;
      expect(await world.actions.giveUpWaiting(mixed.campaignLeadId, later(then))).toBe(true);
      expect(await leadRow(mixed)).toMatchObject({
        next_step: 3,
        lane_id: null,
        next_channel: "email",
        held: false,
        next_action_at: later(then + 2 * 86_400).toISOString(),
      });
      const email = await claimOne(later(then + 2 * 86_400 + 5));
      expect(email).toMatchObject({ step: 3, kind: "email" });

      const alone = await invite();
      await done(alone);
      await world.actions.giveUpWaiting(alone.campaignLeadId, later(then));
      expect(await leadRow(alone)).toMatchObject({
        status: "completed",
        stop_reason: "not_accepted",
        held: false,
        next_step: null,
      });
      expect(await world.statusOf(alone.campaignId)).toBe("completed");
    });

    test("is not given up once the person has accepted, nor accepted once it is given up", async () => {
      const send = await invite();
      await done(send);
      await world.actions.accept(send.campaignLeadId, later(60));
      expect(await world.actions.giveUpWaiting(send.campaignLeadId, later(61))).toBe(false);
      expect(await leadRow(send)).toMatchObject({ status: "active", next_step: 2 });

      const late = await invite();
      await done(late);
      await world.actions.giveUpWaiting(late.campaignLeadId, later(60));
      await world.actions.accept(late.campaignLeadId, later(61));
      expect(await leadRow(late)).toMatchObject({ status: "completed", next_step: null });
    });
  });
}
