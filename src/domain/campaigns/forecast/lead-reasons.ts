import type { Campaign } from "#db/campaigns/campaigns.ts";
import type { LeadSendInputs } from "#db/engine/sending-inputs.ts";
import { STALE_INVITATION_MS } from "#src/domain/senders/network-limits.ts";
import { ACCEPTANCE_HOLD, DRAFT_HOLDS, NOTES_HOLD } from "#db/schema/index.ts";
import { zoneToday } from "./lead-zones.ts";
import { because, type Reason } from "./reason.ts";
import {
  acceptanceWords,
  draftWords,
  endedWords,
  holdWords,
  leadAsleepWords,
  NOTES_WORDS,
} from "./status-messages.ts";

/** The lead's own reasons why its next message does not go now, apart from campaign and senders. */
export function leadReasons(
  lead: LeadSendInputs,
  campaign: Campaign,
  now: Date,
  isModelConfigured: boolean,
): Reason[] {
  if (lead.status !== "pending" && lead.status !== "active")
    return [because(`lead_${lead.status}`, endedWords(lead))];
  const reasons: Reason[] = [];
  if (lead.holdReason !== null) reasons.push(holdReasonOf(lead, isModelConfigured));
  if (lead.suppression !== null)
    reasons.push(
      because(
        "suppressed",
        `Its address is suppressed (${lead.suppression}); its turn will end it.`,
      ),
    );
  if (lead.nextActionAt === null) reasons.push(inFlightReason(lead));
  else if (lead.nextActionAt > now)
    reasons.push(
      because("step_not_due", `Step ${lead.nextStep ?? 1} is not due yet.`, lead.nextActionAt),
    );
  else if (lead.ahead > 0)
    reasons.push(
      because(
        "queued",
        lead.ahead === 1
          ? "One lead that is due comes before it."
          : `${lead.ahead} leads that are due come before it.`,
      ),
    );
  if (campaign.useLeadTimezone && lead.nextActionAt !== null) {
    const { timezone, interval, isOpen } = zoneToday(campaign, lead.zone, now);
    if (!isOpen)
      reasons.push(
        because("lead_window_closed", leadAsleepWords(timezone), interval?.openFrom ?? null),
      );
  }
  if (lead.guardedUntil !== null && lead.guardedUntil > now)
    reasons.push(
      because(
        "address_recently_mailed",
        "Another campaign wrote to this address within the last 24 hours.",
        lead.guardedUntil,
      ),
    );
  return reasons;
}

function holdReasonOf(lead: LeadSendInputs, isModelConfigured: boolean): Reason {
  if (lead.holdReason === ACCEPTANCE_HOLD) {
    const until = lead.invitedAt && new Date(lead.invitedAt.getTime() + STALE_INVITATION_MS);
    return because(ACCEPTANCE_HOLD, acceptanceWords(lead.nextStep ?? 1, lead.invitedAt), until);
  }
  if (lead.holdReason === NOTES_HOLD) return because(NOTES_HOLD, NOTES_WORDS, lead.holdUntil);
  const hold = DRAFT_HOLDS.find((each) => each === lead.holdReason);
  if (hold === undefined) return because("lead_held", holdWords(lead.holdReason!), lead.holdUntil);
  const text = { step: lead.nextStep ?? 1, draft: lead.draft };
  return because(hold, draftWords(hold, text, isModelConfigured));
}

function inFlightReason({ open }: LeadSendInputs): Reason {
  if (open?.state === "unknown")
    return because(
      "delivery_unknown",
      `It is not known whether step ${open.step} ${open.kind === "email" ? "arrived" : "was done; the network is asked"}; after 24 hours without a sign it counts as sent.${open.reason === null ? "" : ` ${open.reason}`}`,
    );
  return because("in_flight", "Its message is on its way.", open?.slotAt ?? null);
}
