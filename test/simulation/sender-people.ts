import { SIMULATED_ZONES } from "../support/engine-scenario.ts";
import type { Hands, PeoplePorts, Verb } from "./people.ts";

const HOUR_MS = 3_600_000;
/** A sender closed for so long is replaced. */
const GONE_HOURS = 7 * 24;

/** What happens to senders, their domains and the days that they count by. */
export function createSenderPeople(
  { machine, random, world, data, note }: PeoplePorts,
  { now, later, resume, stoppedIds }: Hands,
): { verbs: Verb[]; settle(): Promise<void> } {
  const { actions } = world;
  const closedIds = new Set<string>();
  /** Domains out of order, with the senders and campaigns that stand still for it. */
  const failing = new Map<string, { laneIds: Set<string>; campaignIds: string[] }>();

  const close = async (laneId: string) => {
    await actions.changeSender(laneId, now(), { status: "paused" });
    closedIds.add(laneId);
    for (const { laneIds } of failing.values()) laneIds.delete(laneId);
    note({ kind: "senders_closed", laneIds: [laneId] });
  };
  const open = async (laneId: string) => {
    await actions.changeSender(laneId, now(), { status: "active" });
    closedIds.delete(laneId);
    for (const { laneIds } of failing.values()) laneIds.delete(laneId);
    note({ kind: "senders_opened", laneIds: [laneId], by: "owner" });
  };
  const limit = async (
    laneId: string,
    change: { dailyLimit: number; minIntervalSeconds: number | null },
  ) => {
    await actions.changeSender(laneId, now(), change);
    note({ kind: "sender_limits", laneId, ...change });
  };
  const limitDomain = async (domainId: string, dailyLimit: number) => {
    await actions.limitDomain(domainId, now(), dailyLimit);
    note({ kind: "domain_limit", domainId, dailyLimit });
  };
  const fail = async (domainId: string) => {
    const { lanes } = await world.view();
    const active = new Set(
      lanes.filter(({ aliasStatus }) => aliasStatus === "active").map(({ id }) => id),
    );
    const campaignIds = await actions.failDomain(domainId, now());
    failing.set(domainId, { laneIds: new Set(), campaignIds });
    // A look at one domain closes as well what its owner has opened of another that still fails.
    const closed = data.lanes.filter(
      ({ id, limitedDomainId }) => active.has(id) && failing.has(limitedDomainId ?? ""),
    );
    for (const row of closed) failing.get(row.limitedDomainId!)!.laneIds.add(row.id);
    note({ kind: "senders_closed", laneIds: closed.map(({ id }) => id).sort() });
    for (const campaignId of campaignIds) {
      note({ kind: "paused", campaignId });
      stoppedIds.add(campaignId);
    }
  };
  const heal = async (domainId: string) => {
    const stopped = failing.get(domainId);
    if (stopped === undefined) return;
    failing.delete(domainId);
    await actions.healDomain(domainId, now());
    note({ kind: "senders_opened", laneIds: [...stopped.laneIds], by: "domain" });
    for (const id of stopped.campaignIds) await resume(id);
  };

  const replace = async () => {
    if ((await actions.replaceGoneSenders(now())) > 0) note({ kind: "senders_replaced" });
  };

  const verbs: Verb[] = [
    async function closeSender({ lane: { id } }) {
      if (closedIds.has(id)) return;
      await close(id);
      const reopen = async () => {
        if (closedIds.has(id)) await open(id);
      };
      if (random.chance(0.7)) return later(random.next() * 10, reopen);
      later(GONE_HOURS + random.next() * 12, replace);
      later(GONE_HOURS + 24, reopen);
    },
    async function limitSender({ lane: { id, dailyLimit: before } }) {
      const dailyLimit = Math.max(2, Math.floor(before * (0.3 + 1.5 * random.next())));
      await limit(id, { dailyLimit, minIntervalSeconds: random.pick([null, 60, 120, 400]) });
    },
    async function restSender({ lane: { id } }) {
      const until = new Date(machine.now() + Math.floor(random.next() * 6 * HOUR_MS));
      await actions.restSender(id, now(), until);
      note({ kind: "sender_rests", laneId: id, until: until.getTime() });
    },
    async function failDomain() {
      if (data.domains.length === 0 || !random.chance(0.4)) return;
      const { id } = random.pick(data.domains);
      if (failing.has(id)) return;
      await fail(id);
      later(random.next() * 20, () => heal(id));
    },
    async function changeDomain() {
      if (data.domains.length === 0) return;
      const { id, dailyLimit: before } = random.pick(data.domains);
      await limitDomain(id, Math.max(3, Math.floor(before * (0.3 + 1.5 * random.next()))));
    },
    async function moveWorkspace() {
      if (!random.chance(0.3)) return;
      const timezone = random.pick(SIMULATED_ZONES);
      await actions.moveWorkspace(timezone, now());
      note({ kind: "moved", timezone });
    },
  ];
  return {
    verbs,
    async settle() {
      for (const id of [...failing.keys()]) await heal(id);
      // Those whose account broke, too: their owner mends them.
      const closed = (await world.view()).lanes.filter((lane) => !lane.open);
      for (const { id } of closed.toSorted((a, b) => (a.id < b.id ? -1 : 1))) await open(id);
      for (const { id, dailyLimit, minIntervalSeconds, kind } of data.lanes)
        if (kind === "email") await limit(id, { dailyLimit, minIntervalSeconds });
      for (const { id, dailyLimit } of data.domains) await limitDomain(id, dailyLimit);
    },
  };
}
