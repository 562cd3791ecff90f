import { createHash } from "node:crypto";
import { allotQuotas } from "#src/domain/engine/memory/domain-quotas.ts";
import {
  earlier,
  type Lane,
  later,
  type Lead,
  type Sender,
} from "#src/domain/engine/memory/rows.ts";
import {
  earliestSlot,
  fileLane,
  fileLead,
  gapOver,
  isRunning,
  type State,
} from "#src/domain/engine/memory/state.ts";
import { dayCap } from "#src/domain/senders/ramp.ts";
import type { Actions, Workspace } from "./actions.ts";

/** As the service writes it. */
export const RESTING = "554 5.7.1 blocked";

const GONE_AFTER_MS = 7 * 86_400_000;

export function senderActions({
  state,
}: Workspace): Pick<Actions, "changeSender" | "restSender" | "replaceGoneSenders"> {
  return {
    changeSender(id, at, { status, ...size }) {
      const lane = state.lanes.get(id)!;
      if (status !== undefined) lane.aliasStatus = status;
      if (status === "active") Object.assign(lane, { lastError: null, lastErrorKind: null });
      Object.assign(lane, size);
      lane.dayCap = dayCap(lane, at, state.timezone);
      if (status === "active") openLane(state, lane, at);
      else if (status === "paused") closeLane(state, lane, at);
      else wakeLane(state, lane, at);
      redeal(state, [lane], at);
      return true;
    },
    restSender(id, _at, until) {
      const lane = state.lanes.get(id)!;
      if (!lane.open) return true;
      lane.lastError = RESTING;
      lane.lastErrorKind = null;
      lane.closedUntil = later(lane.closedUntil, until.getTime());
      if (lane.nextSlotAt !== null) lane.nextSlotAt = later(lane.nextSlotAt, until.getTime());
      fileLane(state, lane);
      return true;
    },
    replaceGoneSenders(at) {
      const gone = [...state.lanes.values()].filter(
        ({ open, closedSince }) => !open && closedSince! <= at.getTime() - GONE_AFTER_MS,
      );
      const moves = gone.flatMap(({ senders }) => senders).flatMap(movesFrom);
      for (const { lead, lane } of moves) {
        lead.laneId = lane.id;
        fileLead(lead);
        const wakeAt = earliestSlot(at.getTime(), lane, lead.campaign);
        lane.nextSlotAt = earlier(lane.nextSlotAt, wakeAt);
        fileLane(state, lane);
      }
      return moves.length;
    },
  };
}

/** Each started lead of a sender's campaign, with the open sender of its channel that its hash chooses. */
function movesFrom({ campaign, lane: own, followUps }: Sender): { lead: Lead; lane: Lane }[] {
  const open = campaign.senders
    .map(({ lane }) => lane)
    .filter((lane) => lane.open && lane.kind === own.kind);
  if (!isRunning(campaign) || open.length === 0) return [];
  return [...followUps.values()]
    .flat()
    .map((lead) => ({ lead, lane: firstBy(open, ({ id }) => md5(lead.id + id)) }));
}

const md5 = (text: string) => createHash("md5").update(text).digest("hex");
const firstBy = <T>(items: T[], key: (item: T) => string): T =>
  items.reduce((first, item) => (key(item) < key(first) ? item : first));

/** A sender without an interval of its own keeps the shortest that a campaign may have. */
const ownGapOver = (lane: Lane) => gapOver(lane, lane.minIntervalSeconds ?? 60);

/** When it may act for whatever work it has: after its rest and its gap. */
export const earliestOwnSlot = (lane: Lane, at: Date): number =>
  later(later(at.getTime(), lane.closedUntil), ownGapOver(lane))!;

/** With a clean slate: what failed before is forgiven, and a rest is over. */
export function openLane(state: State, lane: Lane, at: Date): void {
  lane.open = true;
  lane.closedSince = null;
  lane.closedUntil = null;
  lane.failures = 0;
  wakeLane(state, lane, at);
}

export function closeLane(state: State, lane: Lane, at: Date): void {
  lane.open = false;
  lane.closedSince ??= at.getTime();
  lane.nextSlotAt = null;
  fileLane(state, lane);
}

export function wakeLane(state: State, lane: Lane, at: Date): void {
  if (!lane.open) return;
  lane.nextSlotAt = earlier(lane.nextSlotAt, earliestOwnSlot(lane, at));
  fileLane(state, lane);
}

/** Deals anew to lanes whose day has begun, from the caps that they have now. */
export function redeal(state: State, lanes: Iterable<Lane>, at: Date): void {
  const asked = [...lanes]
    .filter(({ dayUntil }) => dayUntil !== null && dayUntil > at.getTime())
    .map(({ id, dayFrom, dayCap, used }) => ({ id, dayFrom: new Date(dayFrom!), dayCap, used }));
  for (const [id, cap] of allotQuotas(state, asked)) state.lanes.get(id)!.dayCap = cap;
}
