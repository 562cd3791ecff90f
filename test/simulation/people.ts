import type { ModelData } from "#src/domain/engine/memory/index.ts";
import { leadOf, SIMULATED_ZONES } from "../support/engine-scenario.ts";
import type { World } from "../support/engine-worlds.ts";
import type { Random } from "../support/random.ts";
import type { Machine } from "./machine.ts";
import { createSenderPeople } from "./sender-people.ts";
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
  /** After each act, before anything else happens. */
  look(): Promise<void>;
  /** A lead is held, and none of the people did it. */
  onSuspect(leadId: string): void;
}

export interface People {
  /** Does something, now and perhaps again later; to just this lead, its campaign or sender, if one is named. */
  act(aim?: { campaignId: string; leadId: string; laneId: string }): Promise<void>;
  /** Somebody got a message: opens it, or answers, sooner or later. */
  receive(leadId: string, step: number): void;
  /** Somebody finds the leads that the engine holds as suspects, and lets them go on. */
  lookAtSuspects(): Promise<void>;
  /** Undoes what still holds back: nobody pauses, holds or closes anything for good. */
  settle(): Promise<void>;
}

export interface Target {
  campaign: ModelData["campaigns"][number];
  lead: ModelData["leads"][number];
  lane: ModelData["lanes"][number];
}

/** What the verbs share: the instant, what happens later, and campaigns that stand still for a while. */
export interface Hands {
  now(): Date;
  later(hours: number, act: () => Promise<void>): void;
  resume(campaignId: string): Promise<void>;
  /** Paused, or draining for a while. */
  stoppedIds: Set<string>;
}

export type Verb = (target: Target) => Promise<void>;

const HOUR_MS = 3_600_000;

/** Users and leads: each act happens at one instant, between any two steps of any worker. */
export function createPeople(ports: PeoplePorts): People {
  const { machine, random, world, data, note, look } = ports;
  const { actions } = world;
  const stoppedIds = new Set<string>();
  const heldIds = new Set<string>();
  const leads = [...data.leads];
  const leadById = new Map(leads.map((row) => [row.id, row]));
  // People change aliases; an account of a network has no verbs yet.
  const aliases = data.lanes.filter(({ kind }) => kind === "email");
  const laneById = new Map(aliases.map((row) => [row.id, row]));
  const campaignById = new Map(data.campaigns.map((row) => [row.id, row]));
  const rows = new Map<string, number>();

  const alone = (act: () => Promise<void>) =>
    machine.alone(async () => {
      await act();
      await look();
    });
  const now = () => new Date(machine.now());
  const later = (hours: number, act: () => Promise<void>) =>
    void machine.turn(machine.now() + hours * HOUR_MS).then(() => alone(act));

  const resume = async (campaignId: string) => {
    if (!stoppedIds.has(campaignId) || !(await actions.resume(campaignId, now()))) return;
    stoppedIds.delete(campaignId);
    note({ kind: "resumed", campaignId });
  };
  const release = async (leadId: string) => {
    if (!heldIds.delete(leadId)) return;
    if (await actions.release(leadId, now())) note({ kind: "released", leadId });
  };
  /** Second thoughts: whatever is claimed meanwhile is still under way. */
  const blink: Verb = async ({ campaign: { id } }) => {
    if (!(await actions.pause(id, now()))) return;
    note({ kind: "paused", campaignId: id });
    stoppedIds.add(id);
    later(random.next() * 0.001, () => resume(id));
  };
  const senders = createSenderPeople(ports, { now, later, resume, stoppedIds });

  const verbs: Verb[] = [
    async function pause({ campaign: { id } }) {
      if (!(await actions.pause(id, now()))) return;
      note({ kind: "paused", campaignId: id });
      stoppedIds.add(id);
      later(random.next() * random.pick([0.02, 1, 30]), () => resume(id));
    },
    async function drain({ campaign: { id } }) {
      if (!random.chance(0.3) || !(await actions.drain(id, now()))) return;
      note({ kind: "drained", campaignId: id });
      if (!random.chance(0.8)) return;
      stoppedIds.add(id);
      later(random.next() * 20, () => resume(id));
    },
    async function end({ lead }) {
      if (await actions.endLead(lead.id, now(), random.pick(["replied", "stopped"])))
        note({ kind: "lead_ended", leadId: lead.id });
    },
    async function suppress({ lead }) {
      const emailKey = lead.emailKey!;
      const reason = random.pick(["unsubscribe", "complaint", "manual"] as const);
      if (await actions.suppress(emailKey, now(), reason))
        note({ kind: "suppressed", address: emailKey });
    },
    async function hold({ lead }) {
      const until = random.chance(0.5)
        ? null
        : new Date(machine.now() + random.next() * 50 * HOUR_MS);
      if (!(await actions.hold(lead.id, now(), until))) return;
      note({ kind: "held", leadId: lead.id, until: until && until.getTime() });
      heldIds.add(lead.id);
      if (until === null) later(random.next() * 50, () => release(lead.id));
    },
    async function move({ lead }) {
      const timezone = random.pick([...SIMULATED_ZONES, null]);
      if (await actions.moveLead(lead.id, now(), timezone))
        note({ kind: "lead_moved", leadId: lead.id, timezone });
    },
    async function addLeads({ campaign }) {
      const status = await world.statusOf(campaign.id);
      const at = now();
      const no = (rows.get(campaign.id) ?? 100_000) + 10;
      rows.set(campaign.id, no);
      const added = Array.from({ length: 1 + random.below(4) }, (_, index) =>
        leadOf(random, campaign, no + index, at, `late${no + index}@${campaign.id}.zz`),
      );
      if (!(await actions.addLeads(campaign.id, at, added))) return;
      // A campaign that was done, draining or not, runs again by it.
      if (status === "completed") note({ kind: "resumed", campaignId: campaign.id });
      leads.push(...added);
      for (const row of added) leadById.set(row.id, row);
      note({ kind: "leads_added", campaignId: campaign.id, leads: added });
    },
    async function edit({ campaign: { id, dailyLimit: before } }) {
      const dailyLimit = Math.max(3, Math.floor(before * (0.5 + random.next())));
      const change = { dailyLimit, minIntervalSeconds: random.pick([60, 90, 120, 300]) };
      if (await actions.edit(id, now(), change))
        note({ kind: "limits", campaignId: id, ...change });
    },
    ...senders.verbs,
  ];
  return {
    act: (aim) =>
      alone(() =>
        (aim !== undefined && random.chance(0.25) ? blink : random.pick(verbs))({
          campaign: campaignById.get(aim?.campaignId ?? "") ?? random.pick(data.campaigns),
          lead: leadById.get(aim?.leadId ?? "") ?? random.pick(leads),
          lane: laneById.get(aim?.laneId ?? "") ?? random.pick(aliases),
        }),
      ),
    receive(leadId, step) {
      later(random.next() * random.pick([0.02, 1, 30]), async () => {
        const sign = random.chance(0.7) ? "opened" : "answered";
        if (!(await actions.hear(leadId, step, now(), sign))) return;
        const address = leadById.get(leadId)!.emailKey!;
        // Who answers gets nothing more, from no campaign.
        note(sign === "opened" ? { kind: "opened", leadId } : { kind: "answered", address });
      });
    },
    lookAtSuspects: () =>
      alone(async () => {
        for (const id of await world.heldForGood()) {
          if (heldIds.has(id)) continue;
          ports.onSuspect(id);
          if (await actions.release(id, now())) note({ kind: "released", leadId: id });
        }
      }),
    settle: () =>
      alone(async () => {
        await senders.settle();
        for (const { id } of data.campaigns) await resume(id);
        for (const id of heldIds) await release(id);
      }),
  };
}
