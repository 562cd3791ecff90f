import {
  writeFeedback,
  bouncesInARow,
  type FeedbackEffects,
  type FeedbackColumn,
  type FeedbackSend,
  findFeedbackSend,
} from "#db/campaigns/feedback.ts";
import type { Deps } from "#src/deps.ts";
import { companyOf } from "#src/domain/people/leads/mailbox-providers.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { finishCampaigns } from "#src/domain/campaigns/finish.ts";
import { checkGuardrails } from "#src/domain/campaigns/guardrails.ts";
import { type Gone, goneUntil } from "#src/domain/people/refusals/suppression-period.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { confirmSent } from "./confirm.ts";

export const FEEDBACK_KINDS = [
  "reply",
  "auto_reply",
  "left_company",
  "soft_bounce",
  "hard_bounce",
  "complaint",
  "unsubscribe",
] as const;
export type FeedbackKind = (typeof FEEDBACK_KINDS)[number];

export interface Feedback {
  workspaceId: string;
  sendId: string;
  kind: FeedbackKind;
  at: Date;
  /** Of an out-of-office: when the person is back. */
  backAt?: Date;
  reason?: string;
  /** Of a hard bounce; for good where it is absent. */
  gone?: Gone;
}

/** An automatic answer without a date holds the next step back this long. */
const AUTO_REPLY_WAIT_MS = 3 * DAY_MS;

/** So many soft bounces in a row count as a hard one. */
const SOFT_BOUNCES = 3;

/**
 * What came back about a message takes effect: facts on the ledger, leads that
 * end or wait, suppression, notices, guardrails. Safe to repeat, in any order; a
 * lead that ended stays as it is. False when there is no such message.
 */
export async function recordFeedback(deps: Deps, feedback: Feedback): Promise<boolean> {
  const send = await findFeedbackSend(deps.db, feedback.workspaceId, feedback.sendId);
  if (send === undefined) return false;
  // Whatever came back, the message had arrived somewhere.
  if (send.state === "unknown") await confirmSent(deps, send);
  const effects = await planFeedback(deps, send, feedback);
  const { isNew, endedIn } = await writeFeedback(deps.db, send, effects);
  if (effects.notice !== null) deps.wakeOutbox();
  if (feedback.kind === "soft_bounce" && isNew) await endAfterSoftBounces(deps, send);
  await finishCampaigns(deps, endedIn);
  if (feedback.kind === "hard_bounce" || feedback.kind === "complaint")
    await checkGuardrails(deps, [send.campaignId]);
  return true;
}

const FACTS: Record<FeedbackKind, FeedbackColumn> = {
  reply: "replied_at",
  auto_reply: "auto_replied_at",
  left_company: "auto_replied_at",
  soft_bounce: "soft_bounced_at",
  hard_bounce: "bounced_at",
  complaint: "complained_at",
  unsubscribe: "unsubscribed_at",
};

const SUPPRESSES = {
  hard_bounce: "hard_bounce",
  complaint: "complaint",
  unsubscribe: "unsubscribe",
} as const;

/** A reply is told of where it is stored. */
const TELLS = ["hard_bounce", "complaint"] as const;

async function planFeedback(
  { ids, clock }: Deps,
  send: FeedbackSend,
  { kind, at, backAt, reason, gone = "for_good" }: Feedback,
): Promise<FeedbackEffects> {
  const suppressReason = kind in SUPPRESSES ? SUPPRESSES[kind as keyof typeof SUPPRESSES] : null;
  const now = clock.now();
  const told = TELLS.find((each) => each === kind);
  return {
    fact: FACTS[kind],
    end: endOf(send, kind, reason),
    pushUntil: kind === "auto_reply" ? waitUntil(at, backAt) : null,
    suppress:
      suppressReason === null
        ? null
        : {
            id: ids.uuid(),
            valueHash: await sha256Hex(send.emailKey),
            reason: suppressReason,
            until: goneUntil(gone, now),
          },
    notice: told ? noticeOf(ids.uuid(), send, told, reason) : null,
    now,
  };
}

const noticeOf = (
  id: string,
  send: FeedbackSend,
  kind: (typeof TELLS)[number],
  why: string | null = null,
): FeedbackEffects["notice"] => ({
  id,
  kind: `lead_${kind}`,
  dedupKey: `feedback:${send.id}:${kind}`,
  why,
});

function endOf(send: FeedbackSend, kind: FeedbackKind, reason?: string): FeedbackEffects["end"] {
  switch (kind) {
    case "reply": {
      // A campaign that goes on after replies is not ended; the person's other campaigns may be.
      const isCompany =
        send.stopOnReply && send.stopOnCompanyReply && companyOf(send.emailKey) !== null;
      const scope = isCompany ? "company" : "person";
      return { scope, status: "replied", stopReason: "replied" };
    }
    case "auto_reply":
      return send.stopOnAutoReply
        ? { scope: "lead", status: "replied", stopReason: "auto_replied" }
        : null;
    case "left_company":
      return { scope: "lead", status: "stopped", stopReason: "left_company", words: reason };
    case "soft_bounce":
      return null;
    case "hard_bounce":
      return { scope: "address", status: "bounced", stopReason: "hard_bounce", words: reason };
    case "complaint":
      return { scope: "address", status: "complained", stopReason: "complained" };
    case "unsubscribe":
      return { scope: "address", status: "unsubscribed", stopReason: "unsubscribed" };
  }
}

const waitUntil = (at: Date, backAt: Date | undefined): Date =>
  backAt !== undefined && backAt > at ? backAt : new Date(at.getTime() + AUTO_REPLY_WAIT_MS);

async function endAfterSoftBounces(deps: Deps, send: FeedbackSend): Promise<void> {
  if ((await bouncesInARow(deps.db, send.campaignLeadId)) < SOFT_BOUNCES) return;
  const words = `${SOFT_BOUNCES} messages in a row came back.`;
  const { endedIn } = await writeFeedback(deps.db, send, {
    fact: null,
    end: { scope: "lead", status: "bounced", stopReason: "soft_bounces", words },
    pushUntil: null,
    suppress: null,
    notice: noticeOf(deps.ids.uuid(), send, "hard_bounce", words),
    now: deps.clock.now(),
  });
  deps.wakeOutbox();
  await finishCampaigns(deps, endedIn);
}
