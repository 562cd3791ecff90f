/** Places of a day that come back, and whom they wake. */
import { describe, expect, test } from "vitest";
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
  refused,
  rows,
  laneRow,
  refusalOf,
} from "./setting.ts";
import { plannedAt } from "../../../support/planned.ts";

export function describePlaces(): void {
  const returns: [string, (send: ClaimedSend) => Promise<unknown>][] = [
    ["its lease ran out", () => world.store.sweep(later(200))],
    ["its begin was refused", (send) => begin([send], later(179))],
    ["its tick was over", ({ id }) => settle([{ id, kind: "released", reason: "out of time" }])],
    ["its attempt reached nobody", (send) => settle([refused(send, "none")])],
  ];
  test.each(returns)("a new lead that goes back is for all senders: %s", async (name, goBack) => {
    await setUp(scenario({ lanes: 2, leads: 1, windows: [["08:00:00", "09:02:40"]] }));
    const send = await claimOne();
    expect(await claim(later(150))).toEqual([]);
    if (name.startsWith("its attempt")) await begin([send]);
    await goBack(send);
    const { lanes } = await rows();
    for (const { next_slot_at } of Object.values(lanes)) expect(next_slot_at).not.toBeNull();
  });

  test("a new lead that goes back together with a follow-up is for all senders still", async () => {
    await setUp(scenario({ lanes: 3, leads: 2 }));
    const [first, fresh] = await claim(later(20));
    await begin([first!], later(20));
    await settle([accepted(first!, later(60))], later(21));
    const followUp = await claimOne(later(150));
    expect(followUp).toMatchObject({ laneId: first!.laneId, step: 2 });
    const idle = data.lanes.find(({ id }) => id !== first!.laneId && id !== fresh!.laneId)!;
    expect((await rows()).lanes[idle.id]!["next_slot_at"]).toBeNull();
    await settle(
      [followUp, fresh!].map(({ id }) => ({ id, kind: "released", reason: "out of time" })),
      later(160),
    );
    expect((await rows()).lanes[idle.id]!["next_slot_at"]).toBe(later(160).toISOString());
  });

  test("of leads whose next step is for another channel the soonest wakes its senders", async () => {
    const made = scenario({ lanes: 2, accounts: 1, leads: 2, delays: [0, 1] });
    const [campaign] = made.campaigns;
    campaign!.type = "mixed";
    campaign!.steps = campaign!.steps.map((step, index) => ({
      ...step,
      channel: index === 0 ? "email" : "socialnet",
      action_type: index === 0 ? "send_email" : "connection_request",
    }));
    made.senders = made.lanes.map(({ id }) => ({
      campaignId: campaign!.id,
      laneId: id,
      lastServedAt: null,
    }));
    await setUp(made);
    const sends = await claim(later(20));
    await begin(sends, later(20));
    expect(sends.map(({ step }) => step)).toEqual([1, 1]);
    const next = { nextChannel: "socialnet", nextBudget: "connection" } as const;
    await settle(
      sends.map((send, index) => ({ ...accepted(send, later(7200 - 3600 * index)), ...next })),
      later(21),
    );
    const account = made.lanes.find(({ kind }) => kind === "socialnet")!;
    expect((await rows()).lanes[account.id]!["next_slot_at"]).toBe(later(3600).toISOString());
  });

  const roomier: [string, () => Promise<unknown>][] = [
    [
      "a higher limit of its domain",
      () => world.actions.limitDomain(data.domains[0]!.id, later(120), 9),
    ],
    ["another time zone", () => world.actions.moveWorkspace("Pacific/Kiritimati", later(120))],
  ];
  test.each(roomier)(
    "%s wakes a sender at its cap, though it was to look earlier than its next day",
    async (_, change) => {
      await setUp(scenario({ leads: 3, domainLimits: [1] }));
      const send = await beginOne();
      await settle([{ id: send.id, kind: "unknown", reason: "line lost" }]);
      expect(await claim(later(90))).toEqual([]);
      // A sign of the message in doubt: its lead's next step falls due this evening.
      const next = { nextStep: 2, nextActionAt: later(36_000), planned: plannedAt(NOW) };
      await settle(
        [{ id: send.id, kind: "confirmed", reason: "it was opened", ...next }],
        later(100),
      );
      expect((await laneRow())["next_slot_at"]).toBe(later(36_000).toISOString());
      await change();
      expect(String((await laneRow())["next_slot_at"]) <= later(200).toISOString()).toBe(true);
    },
  );

  test("a sender whose older claim goes back while it begins the newer one keeps its gap, and no more", async () => {
    await setUp(scenario({ leads: 3 }));
    const first = await beginOne();
    await settle([accepted(first, null)]);
    const older = await claimOne(later(20_000));
    const newer = await claimOne(later(20_100), 0, OTHER);
    await settle([{ id: older.id, kind: "released", reason: "out of time" }], later(20_110));
    const [begun] = await begin([newer], later(20_110), OTHER);
    expect(begun).toMatchObject({ begun: true });
    const { next_slot_at, last_slot_at } = await laneRow();
    expect(last_slot_at).toBe(newer.slotAt.toISOString());
    expect(Date.parse(next_slot_at as string)).toBeLessThan(later(20_200).getTime());
  });

  test("a place of the campaign's day that comes back is for all senders", async () => {
    const next = scenario({ lanes: 2, leads: 4 });
    next.campaigns[0]!.dailyLimit = 3;
    await setUp(next);
    const [first, other] = await claim(later(5));
    await begin([first!, other!], later(5));
    await settle([accepted(first!, later(70)), accepted(other!, null)]);
    // The day's last place goes to a follow-up, and the other sender sleeps until the next.
    const followUp = await claimOne(later(1800));
    expect(followUp).toMatchObject({ laneId: first!.laneId, step: 2 });
    expect(await claim(later(1810))).toEqual([]);
    await world.store.sweep(later(2100));
    const { lanes } = await rows();
    expect(lanes[other!.laneId]!["next_slot_at"]).toBe(later(2100).toISOString());
  });

  describe("a place of its day that comes back to a sender at its cap wakes it for its other leads", () => {
    /** The only send of its day is claimed, and its sender sleeps until the next. */
    const full = async () => {
      await setUp(scenario({ laneCaps: [1] }));
      const send = await claimOne();
      expect(await claim(later(70))).toEqual([]);
      expect(await laneRow()).toMatchObject({ used: 1, next_slot_at: "2026-03-03T00:00:00.000Z" });
      return send!;
    };
    test("from a message that could not be written", async () => {
      const { id } = await full();
      await settle([{ id, kind: "render_failed", reason: "no first name", skip: true }]);
      expect(await claim(later(90))).toHaveLength(1);
    });

    test("from a lead that has ended", async () => {
      const send = await full();
      await world.actions.endLead(send.campaignLeadId, later(75), "replied");
      await claim(later(76));
      expect(await refusalOf(send, later(80))).toBe("lead_not_active");
      expect(await claim(later(90))).toHaveLength(1);
    });

    test("from an address that was suppressed", async () => {
      const send = await full();
      const { emailKey } = data.leads.find(({ id }) => id === send.campaignLeadId)!;
      await world.actions.suppress(emailKey!, later(75), "manual");
      expect(await refusalOf(send, later(80))).toBe("suppressed");
      expect(await claim(later(90))).toHaveLength(1);
    });
  });

  test("leads of a sender that is gone wake the one that takes them over", async () => {
    await setUp(scenario({ lanes: 2, leads: 1 }));
    const send = await beginOne();
    await settle([accepted(send, later(60))]);
    await world.actions.changeSender(send.laneId, NOW, { status: "paused" });
    expect(await world.actions.replaceGoneSenders(later(6 * 86_400))).toBe(0);
    const then = later(8 * 86_400);
    expect(await claim(then)).toEqual([]);
    expect(await world.actions.replaceGoneSenders(then)).toBe(1);
    const next = await claimOne(then);
    expect(next).toMatchObject({ campaignLeadId: send.campaignLeadId, step: 2 });
    expect(next.laneId).not.toBe(send.laneId);
  });

  describe("a sender whose domain fails", () => {
    const afterFailing = async (meanwhile: (send: ClaimedSend) => Promise<unknown>) => {
      await setUp(scenario({ domainLimits: [100] }));
      const send = await beginOne();
      const { id } = data.domains[0]!;
      expect(await world.actions.failDomain(id, NOW)).toEqual([send.campaignId]);
      expect(await laneRow()).toMatchObject({ open: false, next_slot_at: null, alias: "error" });
      await meanwhile(send);
      await world.actions.healDomain(id, later(200));
    };
    const events: [string, (send: ClaimedSend) => Promise<unknown>][] = [
      ["an acceptance", (send) => settle([accepted(send, later(60))])],
      ["a limit", (send) => settle([refused(send, "limited")])],
      ["a server that is away", (send) => settle([refused(send, "down")])],
      [
        "a policy block of an earlier one",
        ({ laneId }) => world.actions.restSender(laneId, NOW, later(3600)),
      ],
    ];
    test.each(events)("comes back with it, whatever came in of its mail: %s", async (_, event) => {
      await afterFailing(event);
      expect(await laneRow()).toMatchObject({ open: true, alias: "active", last_error: null });
      await world.actions.resume(data.campaigns[0]!.id, later(200));
      expect(await claim(later(260))).toHaveLength(1);
    });

    test("stays closed if its account was refused meanwhile", async () => {
      await afterFailing((send) => settle([refused(send, "broken")]));
      expect(await laneRow()).toMatchObject({ open: false, alias: "error", last_error: "4xx" });
    });
  });
}
