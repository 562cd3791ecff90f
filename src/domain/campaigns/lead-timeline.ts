import { getCampaign } from "#db/campaigns/campaigns.ts";
import {
  readTimeline,
  type TimelineEntry,
  type TimelinePlace,
  type UnderWay,
} from "#db/campaigns/lead-timeline.ts";
import { loadSendingInputs } from "#db/engine/sending-inputs.ts";
import { ACTIONS } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireFound } from "#src/domain/owned.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { lookAhead } from "./forecast/forecast.ts";
import { depthsFor, mayBeSent } from "./forecast/next-sends.ts";

export { TIMELINE_KINDS } from "#db/campaigns/lead-timeline.ts";
export interface TimelineItem extends TimelineEntry {
  /** It has not happened: it will, as long as nothing changes. */
  forecast: boolean;
}

/** Campaigns under way of one lead that are looked ahead in, those that write next. */
const MOST_CAMPAIGNS = 5;

/**
 * What happened with a lead and, by the forecast, what will within so many days: the newest first, one more than
 * `limit`. The forecast is that of all its leads, not of this one alone.
 */
export async function timelineOf(
  deps: Deps,
  principal: Principal,
  leadId: string,
  { days, after, limit }: { days: number; after: TimelinePlace | undefined; limit: number },
): Promise<TimelineItem[]> {
  const found = await readTimeline(deps.db, principal.workspaceId, leadId, { after, limit });
  const { entries, scheduled, underWay } = requireFound(found, "Lead");
  const past = entries.map((entry) => ({ ...entry, forecast: false }));
  const now = deps.clock.now();
  if (after !== undefined && after.at <= now) return past;
  const until = new Date(now.getTime() + days * DAY_MS);
  const sends: TimelineEntry[] = scheduled.filter(({ at }) => at <= until);
  for (const way of underWay.slice(0, MOST_CAMPAIGNS))
    sends.push(...(await nextOf(deps, principal, way, days)));
  return [...sends.map((entry) => ({ ...entry, forecast: true })), ...past]
    .filter((entry) => after === undefined || isBehind(entry, after))
    .sort((a, b) => (isBehind(a, b) ? 1 : -1))
    .slice(0, limit + 1);
}

const isBehind = (a: TimelinePlace, b: TimelinePlace) =>
  a.at.getTime() === b.at.getTime() ? a.key < b.key : a.at < b.at;

/** What a campaign will send to one of its leads within so many days. */
async function nextOf(
  deps: Deps,
  { workspaceId }: Principal,
  { campaignId, campaignLeadId }: UnderWay,
  days: number,
): Promise<TimelineEntry[]> {
  if (days === 0) return [];
  const campaign = await getCampaign(deps.db, workspaceId, campaignId);
  if (campaign === undefined) return [];
  const { lead, senders } = await loadSendingInputs(
    deps.db,
    campaign,
    campaignLeadId,
    deps.clock.now(),
  );
  if (lead === undefined || !mayBeSent(lead)) return [];
  const last = campaign.steps.length;
  const { sends } = await lookAhead(deps, campaign, {
    days,
    depths: depthsFor(senders.length, lead.ahead, days),
    enough: () => (all) =>
      all.some((send) => send.campaignLeadId === campaignLeadId && send.step === last),
  });
  return sends
    .filter((send) => send.campaignLeadId === campaignLeadId)
    .map(({ at, step }) => ({
      key: `step:${campaignLeadId}:${step}`,
      at,
      kind: ACTIONS[campaign.steps[step - 1]?.action_type ?? "send_email"].deed,
      campaignId,
      step,
      emailId: null,
      conversationId: null,
      machine: false,
      detail: null,
    }));
}
