import type { Campaign } from "#db/campaigns/campaigns.ts";
import type { LeadSendInputs } from "#db/engine/sending-inputs.ts";
import type { Deps } from "#src/deps.ts";
import type { Model } from "#src/domain/engine/memory/index.ts";
import type { PlannedSend } from "#src/domain/engine/run-ahead.ts";
import { lookAhead } from "./forecast.ts";
import { RUNNING } from "./reasons.ts";

/** When the campaign, each of its senders and one lead send next, by the forecast; null where nothing is sent within it. */
export interface NextSends {
  campaign: Date | null;
  bySender: Map<string, Date>;
  lead: Date | null;
}

/** How far ahead the next message is looked for. */
const LOOK_AHEAD_DAYS = 31;

/** Of a campaign that does not run there is no next message: that it could be resumed is another question. */
export async function findNext(
  deps: Pick<Deps, "db" | "clock" | "settings">,
  campaign: Campaign,
  senderCount: number,
  lead: LeadSendInputs | undefined,
): Promise<NextSends> {
  const bySender = new Map<string, Date>();
  if (!RUNNING.includes(campaign.status)) return { campaign: null, bySender, lead: null };
  const asked = lead !== undefined && mayBeSent(lead) ? lead : null;
  const { sends } = await lookAhead(deps, campaign, {
    days: LOOK_AHEAD_DAYS,
    depths: depthsFor(senderCount, asked?.ahead ?? 0),
    enough: enoughFor(campaign.id, asked?.campaignLeadId ?? null),
  });
  for (const { laneId, at } of sends) if (!bySender.has(laneId)) bySender.set(laneId, at);
  const ofLead = sends.find(({ campaignLeadId }) => campaignLeadId === lead?.campaignLeadId);
  return { campaign: sends[0]?.at ?? null, bySender, lead: ofLead?.at ?? null };
}

/** The first message of each sender is to one of the first leads, unless many of these get none; `ahead` is a lead's place. */
export function depthsFor(senderCount: number, ahead: number, days = LOOK_AHEAD_DAYS) {
  return [
    { newLeads: 2 * senderCount + 200 + ahead, followUps: 5 + ahead, days: days + 1 },
    { newLeads: 4 * senderCount + 4_000 + ahead, followUps: 200 + ahead, days: days + 1 },
  ];
}

/** Whether it may have a message before a user does something about it. */
export const mayBeSent = ({ status, holdReason, holdUntil }: LeadSendInputs): boolean =>
  (status === "pending" || status === "active") &&
  (holdReason === null || holdReason === "awaiting_draft" || holdUntil !== null);

/** Asked for a lead: when its message went out. Else when each sender that is open has sent one, or the campaign is done. */
export function enoughFor(campaignId: string, leadId: string | null) {
  return ({ state }: Model) => {
    const campaign = state.campaigns.get(campaignId);
    const waiting = new Set(
      campaign?.senders.filter(({ lane }) => lane.open).map(({ lane }) => lane.id),
    );
    let seen = 0;
    let hasSent = false;
    return (sends: PlannedSend[]): boolean => {
      for (; seen < sends.length; seen++) {
        const send = sends[seen]!;
        if (send.campaignId !== campaignId) continue;
        waiting.delete(send.laneId);
        hasSent ||= send.campaignLeadId === leadId;
      }
      if (leadId !== null && hasSent) return true;
      return (leadId === null && waiting.size === 0) || !RUNNING.includes(campaign?.status ?? "");
    };
  };
}
