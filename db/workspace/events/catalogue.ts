import type { Arrow } from "#db/base/fragments/transitions.ts";
import type {
  AccountState,
  AliasStatus,
  CampaignLeadStatus,
  DatasetVerificationStatus,
  DomainStatus,
  EmailState,
  GenerationStatus,
  OrderStatus,
  PostStatus,
  SendState,
  SheetImportStatus,
  VerificationJobStatus,
} from "#db/schema/index.ts";
import type { EventType } from "./types.ts";

/**
 * What each change of a state is told as. Null: it is not told by itself. That every state and every arrow stands here
 * is what the types check, so that a new one is decided on.
 */
export type Told<State extends string> = Record<State, EventType | null>;

/** An arrow that stays where it is changes no state. */
type Moving<A extends string> = A extends `${infer From}>${infer To}`
  ? From extends To
    ? never
    : A
  : never;

export const CAMPAIGN_ARROWS: Told<Moving<Arrow>> = {
  "draft>launching": "campaign.launching",
  "failed>launching": "campaign.launching",
  "scheduled>launching": "campaign.launching",
  "draft>scheduled": "campaign.scheduled",
  "failed>scheduled": "campaign.scheduled",
  // By the service itself it is a launch that was given up: see of-campaigns.ts.
  "scheduled>draft": "campaign.unscheduled",
  // Held for a review or missed: see of-campaigns.ts.
  "scheduled>paused": "campaign.paused",
  "launching>active": "campaign.launched",
  "launching>failed": "campaign.failed",
  "active>paused": "campaign.paused",
  "draining>paused": "campaign.paused",
  "paused>active": "campaign.resumed",
  "paused>draining": "campaign.resumed",
  "paused>launching": "campaign.resumed",
  "draining>active": "campaign.resumed",
  "active>draining": "campaign.draining",
  "active>completed": "campaign.completed",
  "draining>completed": "campaign.completed",
  "completed>active": "campaign.reopened",
  "failed>draft": "campaign.reset",
};

/** A lead's first message is told as such; what it was before decides whether it is reopened: see of-campaigns.ts. */
export const CAMPAIGN_LEAD_STATUSES: Told<CampaignLeadStatus> = {
  pending: null,
  active: null,
  completed: "campaign_lead.completed",
  replied: "campaign_lead.replied",
  bounced: "campaign_lead.bounced",
  unsubscribed: "campaign_lead.unsubscribed",
  complained: "campaign_lead.complained",
  stopped: "campaign_lead.stopped",
  skipped: "campaign_lead.skipped",
  failed: "campaign_lead.failed",
};

/** Of a campaign's messages by mail. What is on its way is not told, nor what is not known yet. */
export const SEND_STATES_TOLD: Told<SendState> = {
  claimed: null,
  released: null,
  transmitting: null,
  unknown: null,
  accepted: "email.sent",
  assumed_sent: "email.sent",
  retry_wait: "email.deferred",
  rejected: "email.rejected",
  canceled: "email.cancelled",
  failed: "email.failed",
};

export const EMAIL_STATES_TOLD: Told<EmailState> = {
  // Told as the message is made; coming back from `transmitting` it was deferred: see of-messages.ts.
  queued: null,
  scheduled: null,
  transmitting: null,
  sent: "email.sent",
  unknown: "email.unknown",
  suppressed: "email.suppressed",
  cancelled: "email.cancelled",
  failed: "email.failed",
};

export const GENERATION_STATUSES_TOLD: Told<GenerationStatus> = {
  pending: null,
  running: null,
  generated: "draft.generated",
  failed: "draft.failed",
  skipped: null,
  // With their batch.
  cancelled: null,
};

export const VERIFICATION_JOBS_TOLD: Told<VerificationJobStatus> = {
  pending: null,
  running: null,
  completed: "verification.done",
  failed: "verification.failed",
};

export const DATASET_VERIFICATIONS_TOLD: Told<DatasetVerificationStatus> = {
  pending: null,
  running: null,
  completed: "dataset.verified",
  cancelled: "dataset.verification_cancelled",
};

export const SHEET_IMPORTS_TOLD: Told<SheetImportStatus> = {
  running: null,
  // Told by the dataset, as every import.
  done: null,
  failed: "dataset.import_failed",
};

export const ACCOUNT_STATES_TOLD: Told<AccountState> = {
  connected: "account.connected",
  disconnected: "account.disconnected",
  error: "account.error",
  reconnecting: null,
};

export const POST_STATUSES_TOLD: Told<PostStatus> = {
  draft: null,
  scheduled: "post.scheduled",
  publishing: null,
  published: "post.published",
  failed: "post.failed",
  deleted: "post.deleted",
};

export const DOMAIN_STATUSES_TOLD: Told<DomainStatus> = {
  pending: null,
  unknown: null,
  verified: "domain.verified",
  failing: "domain.failing",
};

export const ALIAS_STATUSES_TOLD: Told<AliasStatus> = {
  pending: null,
  // By its owner.
  paused: null,
  disabled: null,
  // From `error` alone: see of-workspace.ts.
  active: "alias.recovered",
  error: "alias.error",
};

export const ORDER_STATUSES_TOLD: Told<OrderStatus> = {
  open: null,
  paid: "credits.purchased",
  failed: "purchase.failed",
  mismatch: "purchase.failed",
  expired: "purchase.expired",
};
