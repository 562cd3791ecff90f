import type { Campaign } from "#db/campaigns/campaigns.ts";
import type { EngineSnapshot } from "#db/engine/snapshot.ts";
import { NOTES_HOLD } from "#db/schema/index.ts";
import { gapMsOf } from "#src/domain/engine/memory/state.ts";
import { ownInterval } from "#src/domain/engine/window-columns.ts";
import { isNoted } from "#src/domain/campaigns/network-text.ts";

/** Does to the model what a launch or a resume does: a current interval of window, and senders that look at once. */
export function setRunning(snapshot: EngineSnapshot, campaign: Campaign, start: Date): void {
  const row = snapshot.campaigns.find(({ id }) => id === campaign.id)!;
  const interval = ownInterval(campaign, start);
  row.status = campaign.pausedFrom === "draining" ? "draining" : "active";
  const sameDay = interval !== null && interval.day === row.openDay;
  row.openFrom = interval?.openFrom ?? null;
  row.openUntil = interval?.openUntil ?? null;
  row.openDay = interval?.day ?? null;
  if (!sameDay) Object.assign(row, { used: 0, usedNew: 0 });
  if (campaign.useLeadTimezone) openZones(snapshot, campaign.id, start);
  const own = snapshot.senders.filter(({ campaignId }) => campaignId === campaign.id);
  const laneIds = new Set(own.map(({ laneId }) => laneId));
  for (const lane of snapshot.lanes) {
    if (!laneIds.has(lane.id)) continue;
    const interval = Math.max(campaign.minIntervalSeconds, lane.minIntervalSeconds ?? 0);
    const gapOver =
      lane.lastSlotAt === null
        ? 0
        : lane.lastSlotAt.getTime() + gapMsOf(interval, lane.id, lane.slotNo);
    const earliest = Math.max(start.getTime(), gapOver, lane.closedUntil?.getTime() ?? 0);
    lane.nextSlotAt = new Date(Math.min(lane.nextSlotAt?.getTime() ?? Infinity, earliest));
  }
}

/** A text that the prefetch writes is there for its slot; one that a user has to approve is not. */
export function writeInTime({ campaigns, leads }: EngineSnapshot): void {
  for (const campaign of campaigns)
    if (campaign.unreviewedLaunchPolicy !== "hold")
      campaign.steps = campaign.steps.map((step) => ({
        ...step,
        ai_personalization_enabled: false,
      }));
  for (const lead of leads)
    if (lead.waitsFor === "awaiting_draft") Object.assign(lead, { held: false, waitsFor: null });
}

/** A note goes out once the network takes notes of its account again; the claim finds that lead by lead. */
export function waitForNotes(
  { campaigns, senders, leads }: EngineSnapshot,
  closed: ReadonlyMap<string, Date>,
): void {
  if (closed.size === 0) return;
  const untilOf = new Map(
    senders.flatMap(({ campaignId, laneId }) => {
      const until = closed.get(laneId);
      return until === undefined ? [] : [[campaignId, until] as const];
    }),
  );
  const steps = new Map(campaigns.map((campaign) => [campaign.id, campaign.steps]));
  for (const lead of leads) {
    const holdUntil = untilOf.get(lead.campaignId);
    const step = steps.get(lead.campaignId)?.[lead.nextStep - 1];
    if (holdUntil === undefined || step === undefined || lead.held) continue;
    if (isNoted(step) && step.note_optional !== true)
      Object.assign(lead, { held: true, waitsFor: NOTES_HOLD, holdUntil });
  }
}

/** Every zone of its leads, to be read anew by the first tick. */
function openZones(snapshot: EngineSnapshot, campaignId: string, start: Date): void {
  const own = snapshot.leads.filter((lead) => lead.campaignId === campaignId);
  const names = new Set(own.map(({ zone }) => zone));
  const read = { campaignId, openFrom: start, openUntil: start };
  snapshot.zones = [
    ...snapshot.zones.filter((zone) => zone.campaignId !== campaignId),
    ...[...names].map((zone) => ({ ...read, zone })),
  ];
}
