import { draftHoldOf, type DraftText, type SendContext } from "#db/engine/index.ts";
import type { ChosenText } from "#src/domain/campaigns/choose-text.ts";
import type { WaitingAction } from "#src/domain/engine/channel.ts";
import {
  leadIdentityFingerprint,
  stepConfigFingerprint,
} from "#src/domain/research/personalization/fingerprints.ts";

/** Where a text comes from: the step itself, or a model's draft: approved by a user, written at send time, or only to be shown. */
export const TEXT_SOURCES = ["step", "approved", "send_time", "newest_draft"] as const;
export type TextSource = (typeof TEXT_SOURCES)[number];

export interface DraftedText {
  ok: true;
  source: TextSource;
  text: Pick<DraftText, "subject" | "body">;
}

/**
 * The text of a step that a model writes: what was approved, while it is about the same person and the same step;
 * else, where the campaign's policy lets unseen texts go out, the one written for the send. A draft that was made to
 * be looked at is never sent by itself.
 */
export async function textToSend(
  context: SendContext,
  chosen: ChosenText,
): Promise<DraftedText | WaitingAction> {
  const { policy, approved, written } = context.drafts!;
  const isTrue = await judgeBy(context, chosen);
  if (approved !== null && isTrue(approved))
    return { ok: true, source: "approved", text: approved };
  if (policy !== "hold" && written !== null && isTrue(written))
    return { ok: true, source: "send_time", text: written };
  return {
    ok: false,
    waits: draftHoldOf(policy),
    reason: reasonOf(context.drafts!),
    approvedAt: approved?.approvedAt ?? null,
  };
}

/** Whether a text is still about this lead, and of this step as it is configured now. */
async function judgeBy(
  { lead, step }: SendContext,
  { variant, template, profile }: ChosenText,
): Promise<(text: DraftText) => boolean> {
  const identity = await leadIdentityFingerprint(lead.fields);
  const config = await stepConfigFingerprint(step, variant, template, profile);
  return (text) =>
    text.leadIdentityFingerprint === identity && text.stepConfigFingerprint === config;
}

const reasonOf = ({ approved, written }: NonNullable<SendContext["drafts"]>): string =>
  approved === null && written === null
    ? "Its text is not there yet."
    : "The lead, the step, its template or the sender's profile has changed since its text was made.";

/** For display, never sent: the text that would be sent, or else the newest draft of the step. */
export async function textToShow(
  context: SendContext,
  chosen: ChosenText,
  newest: DraftText | null,
): Promise<DraftedText | WaitingAction> {
  const sent = await textToSend(context, chosen);
  return sent.ok || newest === null ? sent : { ok: true, source: "newest_draft", text: newest };
}
