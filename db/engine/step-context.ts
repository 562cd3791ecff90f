import type { SigningDomain } from "../base/fragments/domain-keys.ts";
import type {
  Budget,
  LaneKind,
  LaunchPolicy,
  Step,
  StepHold,
  TransportKind,
  TransportSettings,
} from "../schema/index.ts";

/** What decides when the step after this one falls due, and whose it is. */
export interface StepPlan {
  /** The campaign's when this was read: of another one the plan may not be true any more. */
  configVersion: number;
  /** The campaign's, and the lead's where that is by which its window is read (else ''). */
  timezone: string;
  zone: string;
  /** Null after the last step. */
  nextDelayDays: number | null;
  /** Where another channel does the next step; null while the same sender goes on. */
  nextChannel: LaneKind | null;
  /** From which budget of its sender it takes; '' of mail. */
  nextBudget: Budget;
  /** What the lead waits for unless it is there by then: an approved text, where a model writes the next step, or that it accepts an invitation. */
  nextHold: StepHold | null;
}

/** What the engine knows of a step that it has claimed; a channel's own context adds what it writes from. */
export interface StepContext extends StepPlan {
  sendId: string;
  step: { step: number };
  attempts: number;
}

/** What an email is written from. */
export interface SendContext extends StepContext {
  step: Step;
  campaign: { id: string; name: string };
  workspace: { id: string; postalAddress: string | null };
  lead: LeadFields;
  alias: AliasContext;
  /** The alias's own domain, if it has a record: mail from it is signed. */
  domain: SigningDomain | null;
  templates: TemplateContext[];
  senderProfiles: SenderProfileContext[];
  /** Accepted steps of this lead from this sender, oldest first, for threading. */
  previous: { step: number; messageId: string; subject: string | null }[];
  /** The texts that there are for the step; null where no model writes it. */
  drafts: StepDrafts | null;
  /** Subject of the lead's first accepted step, whoever sent it: a new sender keeps it, in a new thread. */
  firstSubject: string | null;
}

/** A text that was made for one lead's step, and of what: by these fingerprints it is seen whether it is still true. */
export interface DraftText {
  /** "" where it continues a thread. */
  subject: string;
  body: string;
  leadIdentityFingerprint: string;
  stepConfigFingerprint: string;
}

export interface StepDrafts {
  policy: LaunchPolicy;
  approved: (DraftText & { approvedAt: string }) | null;
  /** The newest one that was written to be sent, without anybody's looking at it. */
  written: DraftText | null;
}

export interface LeadFields {
  campaignLeadId: string;
  /** "" where it has none, as a lead of a mixed campaign may. */
  email: string;
  fields: Record<string, unknown>;
}

export interface AliasContext {
  id: string;
  email: string;
  displayName: string;
  replyTo: string | null;
  signature: string | null;
  transportKind: TransportKind;
  transportSettings: TransportSettings[TransportKind];
  transportSecret: string | null;
}

export interface TemplateContext {
  id: string;
  version: number;
  subject: string | null;
  body: string;
  format: "html" | "text";
}

export interface SenderProfileContext {
  id: string;
  version: number;
  isDefault: boolean;
  fields: Record<string, unknown>;
}
