import { confirmEmailSent } from "#db/messages/email-delivery.ts";
import { findFeedbackSend } from "#db/campaigns/feedback.ts";
import { endAddress, endPerson } from "#db/replies/inbound.ts";
import type { AddressedMessage, SentMessage } from "#db/replies/sent-messages.ts";
import type { Deps } from "#src/deps.ts";
import { type Feedback, type FeedbackKind, recordFeedback } from "./campaign.ts";
import { finishCampaigns } from "#src/domain/campaigns/finish.ts";
import { goneUntil } from "#src/domain/people/refusals/suppression-period.ts";
import { confirmSent } from "./confirm.ts";
import { companyOf } from "#src/domain/people/leads/mailbox-providers.ts";
import { sha256Hex } from "#src/platform/encoding.ts";

/** Feedback that suppresses an address even for a single message; of the rest a reply alone ends leads. */
const ENDS = {
  hard_bounce: "bounced",
  complaint: "complained",
  unsubscribe: "unsubscribed",
} as const;

/** Applies feedback on a message, of a campaign or of the API. Safe to repeat. */
export async function applyFeedback(
  deps: Deps,
  sent: SentMessage,
  kind: FeedbackKind,
  more: Pick<Feedback, "reason" | "backAt" | "gone"> = {},
): Promise<void> {
  const now = deps.clock.now();
  if (sent.kind === "campaign") {
    const { workspaceId, id: sendId } = sent;
    await recordFeedback(deps, { workspaceId, sendId, kind, at: now, ...more });
    return;
  }
  await confirmEmailSent(deps.db, sent.id, now);
  // Of who was erased there is no address to end, and nobody is told of it.
  if (sent.emailKey === "") return;
  if (kind === "reply") {
    await finishCampaigns(deps, await endPerson(deps.db, sent, companyOf(sent.emailKey), now));
  }
  if (kind in ENDS) await endMail(deps, sent, kind as keyof typeof ENDS, more);
}

/** Ends all mail of the workspace to the address that a message went to. Safe to repeat. */
export async function endMail(
  deps: Deps,
  sent: AddressedMessage,
  reason: keyof typeof ENDS,
  more: Pick<Feedback, "reason" | "gone"> = {},
): Promise<void> {
  const now = deps.clock.now();
  const endedIn = await endAddress(deps.db, sent, {
    id: deps.ids.uuid(),
    valueHash: await sha256Hex(sent.emailKey),
    reason,
    until: goneUntil(more.gone ?? "for_good", now),
    status: ENDS[reason],
    notice:
      reason === "unsubscribe"
        ? null
        : { id: deps.ids.uuid(), kind: `email_${reason}`, why: more.reason ?? null },
    now,
  });
  if (reason !== "unsubscribe") deps.wakeOutbox();
  await finishCampaigns(deps, endedIn);
}

/** Feedback that only a receiver of the message can give: if its fate was unknown, it did go out. */
export async function confirmArrived(deps: Deps, sent: SentMessage): Promise<void> {
  if (sent.kind === "email") return confirmEmailSent(deps.db, sent.id, deps.clock.now());
  const send = await findFeedbackSend(deps.db, sent.workspaceId, sent.id);
  if (send?.state === "unknown") await confirmSent(deps, send);
}
