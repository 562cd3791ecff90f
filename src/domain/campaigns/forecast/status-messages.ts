import type { Campaign } from "#db/campaigns/campaigns.ts";
import type { DomainQuota } from "#db/engine/index.ts";
import type { LastDraft, LeadSendInputs, SenderInputs } from "#db/engine/sending-inputs.ts";
import { STALE_INVITATION_MS } from "#src/domain/senders/network-limits.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { GUARDRAILS } from "#src/domain/senders/guard-rates.ts";
import type { AliasStatus, DraftHold, PausedReason } from "#db/schema/index.ts";

const ACCEPTANCE_DAYS = STALE_INVITATION_MS / DAY_MS;

/** The cause of a pause and its remedy, in words for the campaign's owner. */
const PAUSED: Record<PausedReason, string> = {
  user_requested: "It was paused by hand; resume it to go on.",
  missed_schedule:
    "Its launch was missed by more than a day, so it did not start by itself; resume it to launch.",
  bounce_rate_exceeded: `Too many of its messages bounced (${GUARDRAILS.bouncesPerThousand / 10} % within a week); look at the leads' addresses before you resume it.`,
  complaint_rate_exceeded:
    "Too many people reported its messages as spam; look at whom it writes to and what before you resume it.",
  personalization_failing: "Its texts could not be written; mend the prompt, then resume it.",
  personalization_review_pending:
    "Its AI drafts have never been reviewed, and its policy holds it until they are.",
  no_sender_available: "None of its mail aliases can send; mend one, then resume it.",
  sender_domain_failing:
    "The DNS records of its senders' domain have been wrong for three days; mend them, then resume it.",
  connected_account_unavailable: "Its network account is not connected; connect it again.",
  credits_exhausted: "The workspace has no credits left; buy some, then resume it.",
};

/** Why a campaign that does not run does not. */
export function statusWords(
  campaign: Pick<Campaign, "status" | "pausedReason" | "launchError">,
): string {
  switch (campaign.status) {
    case "paused":
      return PAUSED[campaign.pausedReason ?? "user_requested"];
    case "draft":
      return "It is a draft; launch it to send.";
    case "scheduled":
      return "Its launch is scheduled; it starts at that time.";
    case "launching":
      return "It is being launched; its leads are being prepared.";
    case "completed":
      return "It is completed; every lead has had its messages or has ended.";
    case "failed":
      return `Its launch failed: ${campaign.launchError ?? "the reason is not known"} Mend that and launch it again.`;
    case "active":
    case "draining":
      return "It is running.";
  }
}

/** Reasons that the service gives by a code; what receivers and people said is told as they said it. */
const STOPPED: Record<string, string> = {
  user_requested: "it was stopped by hand",
  lead_deleted: "the lead was deleted",
  left_company: "the person has left the company",
  campaign_drained: "the campaign was drained before its turn came",
  no_email: "it has no email address",
  no_profile_url: "it has no profile URL",
  suppressed: "its address is suppressed",
  not_accepted: `the person did not accept the invitation within ${ACCEPTANCE_DAYS} days`,
};

/** Why a lead is held; people give reasons of their own. */
export const holdWords = (holdReason: string): string =>
  holdReason === "suspect"
    ? "It is held: twice the service broke off while it prepared this message and nothing else. Look at its data, then release it."
    : `It is held: ${holdReason}.`;

/** The state of a lead's text that a model writes, in words. */
export function draftWords(
  hold: DraftHold,
  { step, draft }: { step: number; draft: LastDraft | null },
  isModelConfigured: boolean,
): string {
  if (hold === "personalization_review_pending") {
    const why = draft?.heldReason == null ? "" : ` ${draft.heldReason}`;
    return `Its draft for step ${step} waits for somebody to approve it (POST /api/v1/campaigns/{campaign_id}/leads/{campaign_lead_id}/approve).${why}`;
  }
  const waits = `It waits for its draft for step ${step}`;
  if (!isModelConfigured) return `${waits}, and this deployment has no model to write it.`;
  if (draft === null) return `${waits}; it will be asked for within the hour before it is due.`;
  const trouble = draft.error === null ? "" : ` The last attempt failed: ${draft.error}`;
  if (draft.status === "pending" || draft.status === "running")
    return `${waits}, which is being written since ${draft.at.toISOString()}.${trouble}`;
  return `${waits}, which will be asked for again.${trouble}`;
}

/** The state of a lead with an open invitation, in words. */
export function acceptanceWords(step: number, invitedAt: Date | null): string {
  const since = invitedAt === null ? "" : ` of ${invitedAt.toISOString().slice(0, 10)}`;
  return `Step ${step} waits for the person to accept the invitation${since}. After ${ACCEPTANCE_DAYS} days without an answer it is withdrawn, and the lead goes on with its next email.`;
}

/** Why a lead waits whose invitation has a note. */
export const NOTES_WORDS =
  "The network takes no more notes from its account for now; with note_optional in the step it goes without.";

/** Words for the code of an end, or else what went wrong last, which led to it. */
const said = ({ stopReason, lastError }: Ended): string =>
  STOPPED[stopReason ?? ""] ?? (lastError ?? "").replace(/\.$/, "");

type Ended = Pick<LeadSendInputs, "status" | "stopReason" | "lastError">;

/** Why a lead that has ended gets nothing more. */
export function endedWords(lead: Ended): string {
  const { status, stopReason } = lead;
  const why = said(lead);
  const colon = why === "" ? "" : `: ${why}`;
  switch (status) {
    case "replied":
      return stopReason === "marked_replied"
        ? "Somebody marked it as replied; the lead is done in this campaign."
        : stopReason === "auto_replied"
          ? "An automatic answer came back, and this campaign stops at those."
          : "The person has replied; the lead is done in this campaign.";
    case "bounced":
      return stopReason === "soft_bounces"
        ? `Its address takes no mail for now${colon}.`
        : `Its address takes no mail${colon}.`;
    case "unsubscribed":
      return "The person has asked for no more mail.";
    case "complained":
      return "The person has reported a message as spam.";
    case "completed":
      return stopReason === "not_accepted"
        ? `It has had every step that does without a connection: ${STOPPED["not_accepted"]}.`
        : "It has had every step.";
    case "stopped":
      return `It was ended${colon}.`;
    case "skipped":
      return `It was left out${colon}.`;
    case "failed":
      return `Its message could not be sent${colon}.`;
    case "pending":
    case "active":
      return "It is under way.";
  }
}

/** Why a lead waits that is due by the campaign's clock. */
export const leadAsleepWords = (timezone: string): string =>
  `It waits for its sending window in ${timezone}.`;

/** Why no lead is served where the clocks of the leads decide. */
export const zonesClosedWords = (firstToOpen: string): string =>
  `The sending window is closed in every time zone with a lead that is due; ${firstToOpen} comes first.`;

/** Why an alias that is not usable does not send. */
export function senderWords(email: string, status: AliasStatus, lastError: string | null): string {
  const error = lastError === null ? "" : ` ${lastError}`;
  switch (status) {
    case "paused":
      return `${email} is paused; make it active again.`;
    case "disabled":
      return `${email} is disabled.`;
    case "pending":
      return `${email} is not set up yet.`;
    case "error":
      return `${email} cannot send until its account is mended.${error}`;
    case "active":
      return `${email} is closed.${error}`;
  }
}

/** Why a sender that could send more by itself may not. */
export function domainLimitWords(
  { email, used }: Pick<SenderInputs, "email" | "used">,
  { domain, limit, senders }: DomainQuota,
  capToday: number,
): string {
  const many = senders === 1 ? "" : `, which its ${senders} senders share`;
  const part =
    capToday === 0
      ? "none is left for"
      : `${capToday} ${capToday === 1 ? "is" : "are"} the part of`;
  return `The domain ${domain} may send ${limit} a day${many}; ${part} ${email}, and it has sent ${used}.`;
}

/** The assumptions of every forecast. */
export const FORECAST_ASSUMES: readonly string[] = [
  "Every tick of the engine is on time.",
  "Nobody changes anything in between: campaigns, senders, leads, suppressions.",
  "Every message is accepted at once: nothing is refused, deferred or of unknown fate.",
  "What a model writes is written in time, and what waits for an approval goes on waiting.",
  "Nobody accepts an invitation: what waits for that goes on waiting.",
  "A network that has refused a note takes notes again on the date at which the next is tried.",
  "Nobody answers, unsubscribes or complains, and nothing bounces.",
];
