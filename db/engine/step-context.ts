import type { Draw } from "./draw.ts";
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

/** The inputs that decide when the next step falls due, and on which channel. */
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
  /** The hold before the next step, unless its condition is met by then: an approved text, where a model writes the step, or an accepted invitation. */
  nextHold: StepHold | null;
}

/** A claimed step as the engine knows it; a channel's own context adds what it writes from. */
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
  /** How its arm is drawn; null for a step that is not tried out. */
  draw: Draw | null;
  /** Subject of the lead's first accepted step, from any sender: a new sender keeps it, in a new thread. */
  firstSubject: string | null;
}

/** A text made for one lead's step, with fingerprints of its inputs, which tell whether it is still current. */
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
  /** The newest one that was written to be sent without a review. */
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
