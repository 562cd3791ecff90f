import { windowPiece } from "#src/domain/engine/window.ts";
import type { ModelData } from "#src/domain/engine/memory/index.ts";
import { leadOf } from "../support/engine-scenario.ts";
import type { World } from "../support/engine-worlds.ts";
import type { Random } from "../support/random.ts";
import type { Machine } from "./machine.ts";
import type { StopEntry } from "./wire.ts";

type What = StopEntry extends infer Entry
  ? Entry extends StopEntry
    ? Omit<Entry, "no" | "at">
    : never
  : never;

export interface PeoplePorts {
  machine: Machine;
  random: Random;
  world: World;
  data: ModelData;
  /** Numbers what took effect, and tells the checks. */
  note(what: What): void;
}

export interface People {
  /** Does something, now and perhaps again later; to just this lead, its campaign or sender, if one is named. */
  act(aim?: { campaignId: string; leadId: string; laneId: string }): Promise<void>;
  /** Undoes what still holds back: nobody pauses, holds or closes anything for good. */
  settle(): Promise<void>;
}

interface Target {
  campaign: ModelData["campaigns"][number];
  lead: ModelData["leads"][number];
  lane: ModelData["lanes"][number];
}

const HOUR_MS = 3_600_000;

/** Users and leads: each act happens at one instant, between any two steps of any worker. */
export function createPeople(ports: PeoplePorts): People {
  const { machine, random, world, data, note } = ports;
  const { actions } = world;
  const pausedIds = new Set<string>();
  const heldIds = new Set<string>();
  const closedIds = new Set<string>();
  const leads = [...data.leads];
  const leadById = new Map(leads.map((row) => [row.id, row]));
  const laneById = new Map(data.lanes.map((row) => [row.id, row]));
  const campaignById = new Map(data.campaigns.map((row) => [row.id, row]));
  const rows = new Map<string, number>();
  const limits = new Map(data.campaigns.map((row) => [row.id, { ...row }]));

  const pieceOf = (campaign: ModelData["campaigns"][number]) =>
    windowPiece(campaign, new Date(machine.now()));
  const now = () => new Date(machine.now());
  const later = (hours: number, act: () => Promise<void>) =>
    void machine
      .turn(machine.now() + random.next() * hours * HOUR_MS)
      .then(() => machine.alone(act));

  const resume = async (campaign: ModelData["campaigns"][number]) => {
    if (!pausedIds.delete(campaign.id)) return;
    await actions.resume(campaign.id, now(), pieceOf(campaign));
    note({ kind: "resumed", campaignId: campaign.id });
  };
  const release = async (leadId: string) => {
    if (!heldIds.delete(leadId)) return;
    await actions.release(leadId, now());
    note({ kind: "released", leadId });
  };
  const open = async (laneId: string) => {
    if (closedIds.delete(laneId)) await actions.setSenderOpen(laneId, now(), true);
  };

  const verbs: ((target: Target) => Promise<void>)[] = [
    async function pause({ campaign }) {
      const status = await world.statusOf(campaign.id);
      if (status !== "active" && status !== "draining") return;
      await actions.pause(campaign.id);
      note({ kind: "paused", campaignId: campaign.id });
      pausedIds.add(campaign.id);
      later(random.pick([0.02, 1, 30]), () => resume(campaign));
    },
    async function drain({ campaign }) {
      if (!random.chance(0.3) || (await world.statusOf(campaign.id)) !== "active") return;
      await actions.drain(campaign.id);
      note({ kind: "drained", campaignId: campaign.id });
      if (random.chance(0.8)) {
        pausedIds.add(campaign.id);
        later(20, () => resume(campaign));
      }
    },
    async function reply({ lead }) {
      await actions.endLead(lead.id, "replied");
      note({ kind: "lead_ended", leadId: lead.id });
    },
    async function unsubscribe({ lead }) {
      await actions.suppress(lead.emailKey, random.pick(["unsubscribe", "complaint"]));
      note({ kind: "suppressed", address: lead.emailKey });
    },
    async function hold({ lead }) {
      const until = random.chance(0.5)
        ? null
        : new Date(machine.now() + random.next() * 50 * HOUR_MS);
      await actions.hold(lead.id, until);
      note({ kind: "held", leadId: lead.id, until: until && until.getTime() });
      heldIds.add(lead.id);
      if (until === null) later(50, () => release(lead.id));
    },
    async function addLeads({ campaign }) {
      const status = await world.statusOf(campaign.id);
      if (status === "paused") return;
      // A campaign that was done, draining or not, runs again by it.
      if (status === "completed") note({ kind: "resumed", campaignId: campaign.id });
      const at = now();
      const no = (rows.get(campaign.id) ?? 100_000) + 10;
      rows.set(campaign.id, no);
      const added = Array.from({ length: 1 + random.below(4) }, (_, index) =>
        leadOf(random, campaign.id, no + index, at, `late${no + index}@${campaign.id}.zz`),
      );
      leads.push(...added);
      for (const row of added) leadById.set(row.id, row);
      note({ kind: "leads_added", leads: added });
      await actions.addLeads(campaign.id, at, pieceOf(campaign), added);
    },
    async function edit({ campaign: { id } }) {
      const campaign = limits.get(id)!;
      const status = await world.statusOf(campaign.id);
      if (status !== "active" && status !== "paused") return;
      const dailyLimit = Math.max(3, Math.floor(campaign.dailyLimit * (0.5 + random.next())));
      const minIntervalSeconds = random.pick([60, 90, 120, 300]);
      const change = { dailyLimit, minIntervalSeconds };
      await actions.edit(campaign.id, now(), change);
      note({ kind: "limits", campaignId: campaign.id, ...change });
    },
    async function closeSender({ lane }) {
      if (closedIds.has(lane.id)) return;
      await actions.setSenderOpen(lane.id, now(), false);
      closedIds.add(lane.id);
      later(10, () => open(lane.id));
    },
  ];
  return {
    act: (aim) =>
      machine.alone(() =>
        random.pick(verbs)({
          campaign: campaignById.get(aim?.campaignId ?? "") ?? random.pick(data.campaigns),
          lead: leadById.get(aim?.leadId ?? "") ?? random.pick(leads),
          lane: laneById.get(aim?.laneId ?? "") ?? random.pick(data.lanes),
        }),
      ),
    settle: () =>
      machine.alone(async () => {
        // Those whose account broke, too: their owner mends them.
        for (const lane of (await world.view()).lanes)
          if (!lane.open) await actions.setSenderOpen(lane.id, now(), true);
        closedIds.clear();
        for (const campaign of data.campaigns) await resume(campaign);
        for (const id of heldIds) await release(id);
      }),
  };
}
