/** The parts of an account's day, connections and messages. */
import { describe, expect, test } from "vitest";
import type { ClaimedSend, SendOutcome } from "#db/engine/index.ts";
import type { ActionType } from "#db/schema/index.ts";
import { accountScenario } from "../../../support/account-scenario.ts";
import {
  begin as beginAll,
  claim as claimFor,
  data,
  laneRow,
  later,
  NOW,
  rows,
  setUp,
  settle as settleAll,
  TOKEN,
  TOMORROW,
  world,
} from "./setting.ts";
import { plannedAt } from "../../../support/planned.ts";

const LEASE_SECONDS = 8 * 86_400;
const INVITE_THEN_TALK: ActionType[] = ["message", "connection_request", "message"];
const accounts = (leads: number[], connections: number, messages: number) =>
  accountScenario(NOW, { actions: INVITE_THEN_TALK, leads, connections, messages });

const claim = (now = NOW, horizonSeconds = 0) =>
  claimFor(now, horizonSeconds, TOKEN, LEASE_SECONDS);
const begin = (send: ClaimedSend, now = NOW) => beginAll([send], now);
const settle = (outcome: SendOutcome, now = NOW) => settleAll([outcome], now);
const spent = ({ id }: ClaimedSend, now = NOW): SendOutcome => ({
  id,
  kind: "retry",
  reason: "422",
  retryAt: now,
  attemptSpent: false,
  lane: "spent",
});
const placeOf = ({ campaignLeadId }: ClaimedSend) =>
  data.leads.findIndex(({ id }) => id === campaignLeadId);

export function describeBudgets(): void {
  test("leads of a used-up budget stand before nobody of the other", async () => {
    await setUp(accounts([2, 2, 2, 3, 3], 1, 5));
    const claimed: number[] = [];
    for (let round = 0; round < 4; round++)
      claimed.push(...(await claim(later(round * 100))).map(placeOf));
    // The oldest, and then the messages.
    expect(claimed).toEqual([0, 3, 4]);
    expect(await laneRow()).toMatchObject({
      used: 3,
      day_cap: 6,
      connections_used: 1,
      connection_cap: 1,
      next_slot_at: TOMORROW,
    });
    expect((await claim(new Date(TOMORROW))).map(placeOf)).toEqual([1]);
  });

  test("new leads start only while the budget of their first step is open", async () => {
    const actions: ActionType[] = ["connection_request", "message"];
    await setUp(accountScenario(NOW, { actions, leads: [1, 1, 2], connections: 1, messages: 5 }));
    expect((await claim()).map(placeOf)).toEqual([2]);
    expect((await claim(later(100))).map(placeOf)).toEqual([0]);
    expect(await claim(later(200))).toEqual([]);
    expect((await laneRow())["next_slot_at"]).toBe(TOMORROW);
  });

  test("a lane whose other leads fall due later sleeps until then, not out the day", async () => {
    const made = accounts([2, 2, 3], 1, 5);
    made.leads[2]!.nextActionAt = later(5000);
    await setUp(made);
    await claim();
    expect(await claim(later(100))).toEqual([]);
    expect((await laneRow())["next_slot_at"]).toBe(later(5000).toISOString());
  });

  test("a profile view takes from the messages", async () => {
    const actions: ActionType[] = ["connection_request", "profile_view", "message"];
    await setUp(accountScenario(NOW, { actions, leads: [2, 3], connections: 9, messages: 1 }));
    expect((await claim()).map(placeOf)).toEqual([0]);
    expect(await claim(later(100))).toEqual([]);
    expect(await laneRow()).toMatchObject({ used: 1, connections_used: 0 });
  });

  const returns: [string, (send: ClaimedSend) => Promise<unknown>][] = [
    ["its lease ran out", () => world.store.sweep(later(LEASE_SECONDS))],
    [
      "its begin was refused",
      async (send) => {
        await world.actions.pause(send.campaignId, NOW);
        await begin(send);
      },
    ],
    ["its tick was over", ({ id }) => settle({ id, kind: "released", reason: "out of time" })],
    [
      "it could not be written",
      ({ id }) => settle({ id, kind: "render_failed", reason: "no name", skip: true }),
    ],
    [
      "its attempt reached nobody",
      async (send) => {
        await begin(send);
        await settle({ ...spent(send), lane: "none" } as SendOutcome);
      },
    ],
  ];
  test.each(returns)(
    "what comes back is given back to the budget it came from: %s",
    async (_, goBack) => {
      await setUp(accounts([2, 3], 5, 5));
      const [send] = (await claim()) as [ClaimedSend];
      expect(await laneRow()).toMatchObject({ used: 1, connections_used: 1 });
      await goBack(send);
      expect(await laneRow()).toMatchObject({ used: 0, connections_used: 0 });
    },
  );

  test("a connection that was charged to yesterday gives nothing back today", async () => {
    await setUp(accounts([2, 2], 1, 1));
    const evening = new Date("2026-03-02T23:50:00Z");
    const [first] = (await claim(evening)) as [ClaimedSend];
    expect(await claim(new Date(TOMORROW))).toHaveLength(1);
    const late = new Date("2026-03-03T00:00:30Z");
    await settle({ id: first.id, kind: "released", reason: "out of time" }, late);
    expect(await laneRow()).toMatchObject({ used: 1, connections_used: 1 });
  });

  describe("a budget that the network says is used up", () => {
    test("is closed until the lane's next day, and the other goes on", async () => {
      await setUp(accounts([2, 2, 3], 5, 4));
      const [send] = (await claim()) as [ClaimedSend];
      await begin(send);
      await settle(spent(send));
      expect(await laneRow()).toMatchObject({
        used: 0,
        connections_used: 0,
        connection_cap: 0,
        day_cap: 4,
        closed_until: null,
        failures: 0,
      });
      expect((await rows()).sends[`${send.campaignLeadId}/2`]).toMatchObject({
        state: "retry_wait",
        attempts: 0,
      });
      expect((await claim(later(100))).map(placeOf)).toEqual([2]);
      expect(await claim(later(200))).toEqual([]);
      expect((await claim(new Date(TOMORROW))).map(placeOf)).toEqual([1]);
      expect(await laneRow()).toMatchObject({ connection_cap: 5, day_cap: 9 });
    });

    test("so it is with messages", async () => {
      await setUp(accounts([3, 3, 2], 5, 4));
      const [send] = (await claim()) as [ClaimedSend];
      await begin(send);
      await settle(spent(send));
      expect(await laneRow()).toMatchObject({ connection_cap: 5, day_cap: 5, used: 0 });
      expect((await claim(later(100))).map(placeOf)).toEqual([2]);
    });

    test("an answer of yesterday's closes nothing today", async () => {
      await setUp(accounts([2, 2], 2, 4));
      const evening = new Date("2026-03-02T23:50:00Z");
      const [first] = (await claim(evening)) as [ClaimedSend];
      await begin(first, evening);
      await claim(new Date(TOMORROW));
      await settle(spent(first, new Date(TOMORROW)), new Date(TOMORROW));
      expect(await laneRow()).toMatchObject({ connection_cap: 2, connections_used: 1, day_cap: 6 });
    });
  });

  test("of leads that any account may take, each takes from what it has left", async () => {
    const leads = [2, 2, 2, 2, 3, 3];
    const limits = { connections: 3, messages: 3, accounts: 3 };
    const made = accountScenario(NOW, { actions: INVITE_THEN_TALK, leads, ...limits });
    Object.assign(made.campaigns[0]!, { type: "mixed" });
    for (const lead of made.leads) Object.assign(lead, { laneId: null, nextChannel: "socialnet" });
    // In the order in which they take, the one in the middle has no connections left.
    made.lanes.sort((a, b) => (a.id < b.id ? -1 : 1));
    const today = { dayFrom: new Date("2026-03-02"), dayUntil: new Date(TOMORROW) };
    for (const [no, lane] of made.lanes.entries()) {
      const used = no === 1 ? 3 : 0;
      Object.assign(lane, { ...today, dayCap: 6, connectionCap: 3, used, connectionsUsed: used });
    }
    await setUp(made);
    const taken = made.lanes.map((): number[] => []);
    for (let round = 0; round < 8; round++)
      for (const send of await claim(later(round * 50), 5))
        taken[made.lanes.findIndex(({ id }) => id === send.laneId)]!.push(placeOf(send));
    expect(taken[1]).toEqual([4, 5]);
    expect([...taken[0]!, ...taken[2]!].toSorted()).toEqual([0, 1, 2, 3]);
  });

  const due: [string, number][] = [
    ["at once", 0],
    ["in an hour", 3600],
  ];
  test.each(due)(
    "the next step's budget is the lead's once its step went out: %s",
    async (_, seconds) => {
      await setUp(accounts([1], 5, 5));
      const [send] = (await claim()) as [ClaimedSend];
      await begin(send);
      const [context] = await world.load("socialnet", [send.id]);
      expect(context!.nextBudget).toBe("connection");
      await settle({
        id: send.id,
        kind: "accepted",
        reason: "",
        acceptedAt: NOW,
        nextStep: 2,
        nextActionAt: later(seconds),
        nextBudget: context!.nextBudget,
        planned: plannedAt(NOW),
      });
      expect((await rows()).leads[send.campaignLeadId]).toMatchObject({
        next_budget: "connection",
      });
      await claim(later(100 + seconds));
      expect(await laneRow()).toMatchObject({ used: 2, connections_used: 1 });
    },
  );

  test("with another time zone both counts are taken from the ledger anew", async () => {
    await setUp(accounts([2, 3], 5, 5));
    await claim();
    await claim(later(100));
    await world.actions.moveWorkspace("Pacific/Kiritimati", later(200));
    expect(await laneRow()).toMatchObject({ used: 2, connections_used: 1 });
  });

  test("a hundred connections in any seven dates, however many a day may have", async () => {
    const leads = Array.from({ length: 120 }, () => 2);
    await setUp(accounts(leads, 40, 1));
    const perDate: number[] = [];
    for (let date = 0; date < 8; date++) {
      let claimed = 0;
      for (let at = Date.parse("2026-03-02") + date * 86_400_000 + 36_000_000; ; at += 100_000) {
        if ((await claim(new Date(at))).length === 0) break;
        claimed++;
      }
      perDate.push(claimed);
    }
    expect(perDate).toEqual([40, 40, 20, 0, 0, 0, 0, 20]);
  });
}
