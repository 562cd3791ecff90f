/** What each verb of the engine's store promises; one suite for both stores. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ClaimedSend, SendOutcome } from "#db/engine.ts";
import type { ModelData } from "#src/domain/engine/memory/index.ts";
import { nextStepOf } from "#src/domain/engine/outcome.ts";
import { maintain } from "#src/domain/engine/upkeep.ts";
import { startApi, type TestApi } from "../../support/api.ts";
import { leadOf, makeScenario } from "../../support/engine-scenario.ts";
import {
  type EngineRows,
  memoryWorld,
  postgresWorld,
  type World,
} from "../../support/engine-worlds.ts";
import { createRandom } from "../../support/random.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** A Monday, so that weekday windows are open. */
const NOW = new Date("2026-03-02T09:00:00Z");
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const TOKEN = "00000000-0000-4000-8000-00000000000a";
const OTHER = "00000000-0000-4000-8000-00000000000b";

async function openWorld(kind: string, data: ModelData): Promise<World> {
  if (kind === "memory") return memoryWorld(structuredClone(data));
  const { workspaceId, userId } = await api.tenant();
  const owner = { workspaceId, userId };
  return postgresWorld({ db: api.deps.db, sql: api.sql, owner }, data, NOW);
}

function scenario(options: Partial<Parameters<typeof makeScenario>[1]> = {}): ModelData {
  const data = makeScenario(createRandom(5), {
    start: NOW,
    campaigns: 1,
    lanes: 1,
    lanesPerCampaign: 9,
    leads: 3,
    delays: [0, 1],
    sharedAddresses: 0,
    ...options,
  });
  for (const lane of data.lanes) Object.assign(lane, { ramp: null, minIntervalSeconds: null });
  return data;
}

describe.each(["memory", "postgres"])("%s", (kind) => {
  let data: ModelData;
  let world: World;
  const setUp = async (next: ModelData) => {
    data = next;
    world = await openWorld(kind, next);
  };
  const claim = async (now = NOW, horizonSeconds = 0, workerToken = TOKEN, limit = 50) => {
    const until = new Date(now.getTime() + horizonSeconds * 1000);
    await maintain(world.store, now, until, new Set());
    return world.store.claim({ now, until, limit, workerToken, leaseSeconds: 180 });
  };
  const begin = (sends: ClaimedSend[], now = NOW, token = TOKEN) =>
    world.store.recordAndBegin(
      now,
      token,
      [],
      sends.map(({ id }) => ({
        id,
        messageId: `<${id}@sender.zz>`,
        subject: "Hello",
        html: "",
        variantLabel: "A",
        templateId: null,
        templateVersion: null,
        senderProfileId: null,
        leaseUntil: new Date(now.getTime() + 660_000),
      })),
    );
  const settle = (outcomes: SendOutcome[], now = NOW, token = TOKEN) =>
    world.store.recordAndBegin(now, token, outcomes, []);
  const accepted = ({ id, step }: ClaimedSend, nextActionAt: Date | null): SendOutcome => ({
    id,
    kind: "accepted",
    reason: "250",
    acceptedAt: NOW,
    nextStep: nextActionAt === null ? null : step + 1,
    nextActionAt,
  });
  const refused = (
    { id }: ClaimedSend,
    lane: "none" | "limited" | "down" | "sealed" | "broken",
    attemptSpent = false,
  ): SendOutcome => ({ id, kind: "retry", reason: "4xx", retryAt: NOW, attemptSpent, lane });
  const rows = () => world.rows();
  const one = <T>(all: Record<string, T>): T => Object.values(all)[0]!;
  const leadRow = async (send: ClaimedSend) => (await rows()).leads[send.campaignLeadId]!;
  const laneRow = async () => one((await rows()).lanes);
  const refusalOf = async (send: ClaimedSend, now = NOW) => {
    const [answer] = await begin([send], now);
    return answer!.begun ? null : answer!.reason;
  };

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
      const [first] = await claim();
      await begin([first!]);
      await settle([accepted(first!, later(30))]);
      const [second] = await claim(later(100));
      expect([second!.campaignLeadId, second!.step]).toEqual([first!.campaignLeadId, 2]);
    });

    test("a lane serves the campaign that it served least recently", async () => {
      await setUp(scenario({ campaigns: 2, lanes: 1 }));
      const [first] = await claim();
      const [second] = await claim(later(100));
      expect(new Set([first!.campaignId, second!.campaignId]).size).toBe(2);
    });

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
      const [send] = await claim(later(19));
      expect([send!.slotAt, send!.beginsAt]).toEqual([NOW, later(19)]);
      await setUp(scenario());
      const [old] = await claim(later(20));
      expect([old!.slotAt, old!.beginsAt]).toEqual([later(20), later(20)]);
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

    test("lanes between whose slots a window ends take what is theirs, one claim after the other", async () => {
      const made = inZones(["", "Asia/Tokyo", "Asia/Tokyo"], { lanes: 2 });
      // 18:00:30 in Tokyo.
      Object.assign(made.campaigns[0]!, { end: "18:00:30" });
      made.leads[0]!.nextActionAt = later(10);
      Object.assign(made.lanes[0]!, { nextSlotAt: later(20) });
      Object.assign(made.lanes[1]!, { nextSlotAt: later(40) });
      await setUp(made);
      const [first, ...others] = await claim(NOW, 60);
      expect([claimedRows([first!]), others]).toEqual([[1], []]);
      expect(claimedRows(await claim(NOW, 60))).toEqual([0]);
      expect(await claim(NOW, 60)).toEqual([]);
    });

    test("a window that has shut for the lead is refused, whatever the campaign's own", async () => {
      await setUp(inZones(["Asia/Tokyo"]));
      Object.assign(data.campaigns[0]!, { end: "18:01:00" });
      await setUp(data);
      const [send] = await claim();
      expect(await refusalOf(send!, later(61))).toBe("window_closed");
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

  describe("begin", () => {
    beforeEach(() => setUp(scenario()));

    test("what passes is transmitting, with an attempt more", async () => {
      const [send] = await claim();
      expect(await refusalOf(send!)).toBeNull();
      expect(one((await rows()).sends)).toMatchObject({
        state: "transmitting",
        attempts: 1,
        claims: 0,
      });
    });

    test("only the worker that holds the lease begins, and only until its end", async () => {
      const [send] = await claim();
      expect(await begin([send!], NOW, OTHER)).toMatchObject([{ reason: "lease_lost" }]);
      expect(await refusalOf(send!, later(181))).toBe("lease_lost");
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
      const [send] = await claim();
      await stop(send!);
      expect(await refusalOf(send!)).toBe(reason);
      const { campaigns, lanes, leads } = await rows();
      expect(one(campaigns)).toMatchObject({ used: 0, used_new: 0 });
      expect(one(lanes)).toMatchObject({ used: 0 });
      expect(leads[send!.campaignLeadId]).toMatchObject({
        status,
        lane_id: status === "pending" ? null : send!.laneId,
      });
    });

    test("a suppressed address is refused, and its lead has ended", async () => {
      const [send] = await claim();
      const { emailKey } = data.leads.find(({ id }) => id === send!.campaignLeadId)!;
      await world.actions.suppress(emailKey!, NOW, "complaint");
      expect(await refusalOf(send!)).toBe("lead_not_active");
      expect(await leadRow(send!)).toMatchObject({ status: "complained", next_step: null });
    });

    test("a window that has shut is refused", async () => {
      await setUp(scenario({ windows: [["08:00:00", "09:01:00"]] }));
      const [send] = await claim();
      expect(await refusalOf(send!, later(61))).toBe("window_closed");
    });

    test("a sender that began less than its gap ago is refused", async () => {
      const [first] = await claim();
      const [second] = await claim(NOW, 120);
      expect(second).toBeDefined();
      await begin([first!], later(40));
      expect(await refusalOf(second!, later(90))).toBe("sender_too_soon");
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
      const [send] = await claim();
      const planned = await nextSlot();
      await begin([send!], later(20));
      expect(await nextSlot()).toBe(planned);
      const [next] = await claim(later(50), 60);
      expect(next!.slotAt.getTime()).toBe(planned);
      expect(next!.beginsAt).toEqual(later(80));
      expect(await refusalOf(next!, new Date(later(80).getTime() - 1))).toBe("sender_too_soon");
    });

    test("a begin that is later moves the plan, as far as it is too late for it", async () => {
      const [send] = await claim();
      const planned = await nextSlot();
      await begin([send!], later(50));
      expect(await nextSlot()).toBe(planned + 30_000);
      const [next] = await claim(later(50), 90);
      expect(next!.beginsAt).toEqual(later(110));
      expect(await refusalOf(next!, later(110))).toBeNull();
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

  describe("settle", () => {
    let send: ClaimedSend;
    beforeEach(async () => {
      await setUp(scenario());
      [send] = (await claim()) as [ClaimedSend];
      await begin([send]);
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
      [send] = (await claim()) as [ClaimedSend];
      await begin([send]);
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
      const [again] = await claim(later(301));
      await begin([again!], later(301));
      await settle([refused(again!, "down")], later(301));
      expect(await laneRow()).toMatchObject({
        closed_until: later(901).toISOString(),
        alias: "active",
        last_error_kind: "line",
      });
      const [third] = await claim(later(902));
      await begin([third!], later(902));
      await settle([accepted(third!, null)], later(902));
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
      [send] = (await claim()) as [ClaimedSend];
      await begin([send]);
      await world.actions.restSender(send.laneId, NOW, until);
      await settle([refused(send, "limited")]);
      expect(await laneRow()).toMatchObject({ closed_until: until.toISOString() });
    });

    test("a broken account closes its lane; a new lead that goes back wakes the others", async () => {
      await setUp(scenario({ lanes: 2, leads: 1 }));
      const [only] = await claim();
      expect(await claim(later(150))).toEqual([]);
      await begin([only!], later(160));
      await settle([refused(only!, "broken")], later(201));
      const { lanes } = await rows();
      const other = Object.entries(lanes).find(([id]) => id !== only!.laneId)![1];
      expect(lanes[only!.laneId]).toMatchObject({ open: false, next_slot_at: null });
      expect(other["next_slot_at"]).not.toBeNull();
    });

    test("a refused send's standing: how often, at how many domains in a row, and whether others were accepted since", async () => {
      data = scenario({ leads: 4, delays: [0] });
      for (const [index, domain] of ["one.zz", "two.zz", "one.zz", "two.zz"].entries())
        data.leads[index]!.emailKey = `lead${index}@${domain}`;
      await setUp(data);
      const begun: ClaimedSend[] = [];
      for (const seconds of [0, 300, 600, 900]) {
        const [next] = await claim(later(seconds));
        await begin([next!], later(seconds));
        begun.push(next!);
        const refusal = { ...refused(next!, "none", true), retryAt: later(9000), isRefusal: true };
        if (seconds < 900) await settle([refusal as SendOutcome], later(seconds));
      }
      const standingOf = ({ id }: ClaimedSend) => world.store.standingOf(id);
      const refusedOnce = { refusals: 1, refusedDomains: 2, acceptedSince: false };
      expect(await standingOf(begun[0]!)).toEqual(refusedOnce);
      expect(await standingOf(begun[3]!)).toEqual({ ...refusedOnce, refusals: 0 });
      await settle(
        [{ ...accepted(begun[3]!, null), acceptedAt: later(901) } as SendOutcome],
        later(901),
      );
      const sinceThen = { refusals: 1, refusedDomains: 1, acceptedSince: true };
      expect(await standingOf(begun[2]!)).toEqual(sinceThen);
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
        data = scenario({ campaigns: 3, leads: 1, delays: [0] });
        for (const lead of data.leads) lead.emailKey = "ann@one.zz";
        await setUp(data);
        for (const [index, until] of [first, second].entries()) {
          const [{ id } = send] = await claim(later(index * 100));
          const gone = { kind: "rejected", scope: "recipient", suppress: true } as const;
          const end = { id, reason: "550", ...gone, ...(until && { suppressUntil: until }) };
          await settle([end], later(index * 100 + 1));
        }
        const [third] = await claim(at);
        expect(await refusalOf(third!, at)).toBe(refusal);
      },
    );
  });

  const returns: [string, (send: ClaimedSend) => Promise<unknown>][] = [
    ["its lease ran out", () => world.store.sweep(later(200))],
    ["its begin was refused", (send) => begin([send], later(179))],
    ["its tick was over", ({ id }) => settle([{ id, kind: "released", reason: "out of time" }])],
    ["its attempt reached nobody", (send) => settle([refused(send, "none")])],
  ];
  test.each(returns)("a new lead that goes back is for all senders: %s", async (name, goBack) => {
    await setUp(scenario({ lanes: 2, leads: 1, windows: [["08:00:00", "09:02:40"]] }));
    const [send] = (await claim()) as [ClaimedSend];
    expect(await claim(later(150))).toEqual([]);
    if (name.startsWith("its attempt")) await begin([send]);
    await goBack(send);
    const { lanes } = await rows();
    for (const { next_slot_at } of Object.values(lanes)) expect(next_slot_at).not.toBeNull();
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
      const [send] = await claim();
      await begin([send!]);
      await settle([{ id: send!.id, kind: "unknown", reason: "line lost" }]);
      expect(await claim(later(90))).toEqual([]);
      // A sign of the message in doubt: its lead's next step falls due this evening.
      const next = { nextStep: 2, nextActionAt: later(36_000) };
      await settle(
        [{ id: send!.id, kind: "confirmed", reason: "it was opened", ...next }],
        later(100),
      );
      expect((await laneRow())["next_slot_at"]).toBe(later(36_000).toISOString());
      await change();
      expect(String((await laneRow())["next_slot_at"]) <= later(200).toISOString()).toBe(true);
    },
  );

  test("a sender whose older claim goes back while it begins the newer one keeps its gap, and no more", async () => {
    await setUp(scenario({ leads: 3 }));
    const [first] = await claim();
    await begin([first!]);
    await settle([accepted(first!, null)]);
    const [older] = await claim(later(20_000));
    const [newer] = await claim(later(20_100), 0, OTHER);
    await settle([{ id: older!.id, kind: "released", reason: "out of time" }], later(20_110));
    const [begun] = await begin([newer!], later(20_110), OTHER);
    expect(begun).toMatchObject({ begun: true });
    const { next_slot_at, last_slot_at } = await laneRow();
    expect(last_slot_at).toBe(newer!.slotAt.toISOString());
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
    const [followUp] = await claim(later(1800));
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
      const [send] = await claim();
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
    const [send] = await claim();
    await begin([send!]);
    await settle([accepted(send!, later(60))]);
    await world.actions.changeSender(send!.laneId, NOW, { status: "paused" });
    expect(await world.actions.replaceGoneSenders(later(6 * 86_400))).toBe(0);
    const then = later(8 * 86_400);
    expect(await claim(then)).toEqual([]);
    expect(await world.actions.replaceGoneSenders(then)).toBe(1);
    const [next] = await claim(then);
    expect(next).toMatchObject({ campaignLeadId: send!.campaignLeadId, step: 2 });
    expect(next!.laneId).not.toBe(send!.laneId);
  });

  describe("a sender whose domain fails", () => {
    const afterFailing = async (meanwhile: (send: ClaimedSend) => Promise<unknown>) => {
      await setUp(scenario({ domainLimits: [100] }));
      const [send] = await claim();
      await begin([send!]);
      const { id } = data.domains[0]!;
      expect(await world.actions.failDomain(id, NOW)).toEqual([send!.campaignId]);
      expect(await laneRow()).toMatchObject({ open: false, next_slot_at: null, alias: "error" });
      await meanwhile(send!);
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

  describe("sweep", () => {
    test("a claim that was lost goes back, however often; one that was lost alone twice is held", async () => {
      await setUp(scenario({ leads: 1 }));
      for (let round = 0; round < 6; round++) {
        const [send] = await claim(later(round * 1000));
        expect(send!.claims).toBe(round + 1);
        if (round >= 4) expect(await world.store.isolate(TOKEN, send!.id)).toBe(true);
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
      const [send] = await claim();
      await begin([send!]);
      const wakeAt = await world.store.nextWakeAt(86_400_000);
      expect(wakeAt!.getTime()).toBeLessThanOrEqual(later(660).getTime());
      expect(await world.store.sweep(later(661))).toMatchObject([{ to: "unknown" }]);
      expect(one((await rows()).campaigns)).toMatchObject({ used: 1 });
      expect(await world.store.overdueUnknown(later(-1))).toEqual([]);
      expect(await world.store.overdueUnknown(later(1))).toMatchObject([
        { step: 1, nextDelayDays: 1 },
      ]);
      await settle(
        [{ id: send!.id, kind: "assumed", reason: "", nextStep: 2, nextActionAt: later(86_400) }],
        later(90_000),
        OTHER,
      );
      expect(one((await rows()).sends)).toMatchObject({ state: "assumed_sent" });
      expect(await leadRow(send!)).toMatchObject({ status: "active", next_step: 2 });
    });

    test("the worker itself may still say that it was accepted", async () => {
      await setUp(scenario());
      const [send] = await claim();
      await begin([send!]);
      await world.store.sweep(later(661));
      await settle([accepted(send!, later(86_400))], later(700));
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
      const [send] = await claim();
      await begin([send!]);
      await settle([accepted(send!, null)]);
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
      const [send] = await claim();
      await begin([send!]);
      await world.actions.drain(ids()[0]!, NOW);
      expect(await claim(later(150))).toEqual([]);
      expect((await world.store.complete(NOW, ids())).completed).toEqual([]);
      await settle([accepted(send!, null)], later(150));
      expect((await world.store.complete(NOW, ids())).completed).toEqual(ids());
      const { leads }: EngineRows = await rows();
      expect(leads[send!.campaignLeadId]).toMatchObject({ status: "completed" });
      expect(Object.values(leads).filter(({ status }) => status === "skipped")).toHaveLength(1);
    });
  });

  const restarts: [string, () => Promise<unknown>][] = [
    [
      "a pause and a resume",
      async () => {
        await world.actions.pause(data.campaigns[0]!.id, later(6));
        await world.actions.resume(data.campaigns[0]!.id, later(6));
      },
    ],
    [
      "a change of its interval",
      () => world.actions.edit(data.campaigns[0]!.id, later(6), { minIntervalSeconds: 61 }),
    ],
  ];
  test.each(restarts)(
    "%s while its messages are claimed grants no second limit",
    async (_, act) => {
      await setUp(scenario({ lanes: 6, leads: 12, dailyLimits: [3], newLimits: [3] }));
      const claimed = await claim(later(5));
      expect(claimed).toHaveLength(3);
      await act();
      expect(one((await rows()).campaigns)).toMatchObject({ used: 3, used_new: 3 });
      expect(await claim(later(6))).toEqual([]);
      expect((await begin(claimed, later(7))).map(({ begun }) => begun)).toEqual([
        true,
        true,
        true,
      ]);
      await settle(claimed.map((send) => accepted(send, null)));
      expect(await claim(later(3600))).toEqual([]);
    },
  );

  test("what is refused after a pause and a resume gives its place back once", async () => {
    await setUp(scenario({ lanes: 2, leads: 6, dailyLimits: [2] }));
    const [first, second] = await claim(later(5));
    await world.actions.pause(first!.campaignId, later(6));
    expect(await refusalOf(first!, later(6))).toBe("campaign_not_running");
    await world.actions.resume(first!.campaignId, later(7));
    expect(one((await rows()).campaigns)).toMatchObject({ used: 1, used_new: 1 });
    expect(await refusalOf(second!, later(7))).toBeNull();
    expect(await claim(later(300))).toHaveLength(1);
    expect(await claim(later(450))).toEqual([]);
  });

  const lateReturns: typeof returns = [
    ["its lease ran out", () => world.store.sweep(new Date("2026-03-03T00:03:00Z"))],
    [
      "its begin was refused",
      async (send) => {
        await world.actions.hold(send.campaignLeadId, NOW, null);
        expect(await refusalOf(send, new Date("2026-03-03T00:01:30Z"))).toBe("lead_held");
      },
    ],
    ["its tick was over", ({ id }) => settle([{ id, kind: "released", reason: "out of time" }])],
  ];
  test.each(lateReturns)(
    "what was claimed before midnight gives no place back to the next day: %s",
    async (_, goBack) => {
      await setUp(scenario({ leads: 6 }));
      const [yesterdays] = (await claim(new Date("2026-03-02T23:59:30Z"))) as [ClaimedSend];
      expect(await claim(new Date("2026-03-03T00:01:00Z"), 0, OTHER)).toHaveLength(1);
      await goBack(yesterdays);
      expect(one((await rows()).campaigns)).toMatchObject({ used: 1, used_new: 1 });
      expect(await laneRow()).toMatchObject({ used: 1 });
    },
  );

  test("a sign of a message whose fate was unknown wakes its sender for the next step", async () => {
    await setUp(scenario({ leads: 1 }));
    const [send] = (await claim()) as [ClaimedSend];
    await begin([send]);
    await settle([{ id: send.id, kind: "unknown", reason: "the line broke" }]);
    expect(await claim(later(150))).toEqual([]);
    expect(await laneRow()).toMatchObject({ next_slot_at: null });
    await settle(
      [{ id: send.id, kind: "confirmed", reason: "", nextStep: 2, nextActionAt: later(86_400) }],
      later(200),
      OTHER,
    );
    expect(await laneRow()).toMatchObject({ next_slot_at: later(86_400).toISOString() });
    expect(await claim(later(86_400))).toMatchObject([{ step: 2 }]);
  });

  test("the end of a hold wakes the engine, though nothing else is to do", async () => {
    await setUp(scenario({ leads: 1 }));
    await world.actions.hold(data.leads[0]!.id, NOW, later(5000));
    expect(await claim(later(1))).toEqual([]);
    expect(await laneRow()).toMatchObject({ next_slot_at: null });
    expect(await world.store.nextWakeAt(86_400_000)).toEqual(later(5000));
  });

  test("the day's count goes on when a pause ends on the same day", async () => {
    await setUp(scenario({ lanes: 2, leads: 6, dailyLimits: [2] }));
    const [send] = await claim();
    await begin([send!]);
    await settle([accepted(send!, null)]);
    const { campaignId } = send!;
    await world.actions.pause(campaignId, NOW);
    await world.actions.resume(campaignId, later(60));
    expect(one((await rows()).campaigns)).toMatchObject({ status: "active", used: 1 });
  });

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
      const [send] = await claim(later(5));
      await begin([send!], later(5));
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
      const [message] = await claim(later(4 * 86_400 + 5));
      expect(message).toMatchObject({ campaignLeadId: send.campaignLeadId, step: 2 });
      expect(message!.laneId).toBe(send.laneId);
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
      const [message] = await claim(later(86_400 + 100));
      const wait = { hold: "awaiting_acceptance", approvedAt: null, reason: "not yet" } as const;
      await settle([{ id: message!.id, kind: "held", ...wait }], later(86_400 + 110));
      expect(await leadRow(send)).toMatchObject({ waits_for: "awaiting_acceptance" });
      // Whoever accepts while that is written is not held back by it.
      await world.actions.accept(send.campaignLeadId, later(86_400 + 200));
      const [again] = await claim(later(86_400 + 400));
      await settle([{ id: again!.id, kind: "held", ...wait }], later(86_400 + 410));
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
      const [email] = await claim(later(then + 2 * 86_400 + 5));
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

  describe("a send that is looked up", () => {
    const lose = async () => {
      await setUp(scenario());
      const [send] = await claim();
      await begin([send!]);
      await settle([{ id: send!.id, kind: "unknown", reason: "line lost" }]);
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
      const [again] = await claim(later(720));
      expect(again).toMatchObject({ id: send.id, step: 1 });
      await begin([again!], later(720));
      expect(await stateOf(send)).toMatchObject({ state: "transmitting", attempts: 2 });
    });

    test("and was not done for the last time fails its lead", async () => {
      const send = await lose();
      const end = { id: send.id, kind: "given_up", reason: "too often", lookedUp: true } as const;
      await settle([end], later(660), OTHER);
      expect(await stateOf(send)).toMatchObject({ state: "failed" });
      expect(await leadRow(send)).toMatchObject({ status: "failed", stop_reason: "too often" });
    });

    test("is put back by nobody who has not looked", async () => {
      const send = await lose();
      await settle([refused(send, "none", true)], later(660), OTHER);
      await settle([refused(send, "none", true)], later(660));
      expect(await stateOf(send)).toMatchObject({ state: "unknown" });
    });
  });
});
