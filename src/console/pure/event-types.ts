import type { EventType } from "../api/schema.ts";

/** All of a kind, in words. */
export const EVENT_KINDS = {
  campaign: "Campaigns: launched, paused, completed, changed",
  experiment: "Experiments: weights changed, a winner",
  campaign_lead: "People in campaigns: replied, bounced, held, stopped",
  email: "Mail: sent, bounced, opened, clicked",
  reply: "Replies of people and of machines",
  network: "Networks: invited, connected, messaged",
  draft: "Drafts: written, approved",
  batch: "Batches of drafts",
  placement_test: "Placement tests that have ended",
  dataset: "Lists: imported, verified",
  verification: "Single addresses verified",
  domain: "Domains: verified, failing",
  alias: "Senders: broken, well again",
  account: "Network accounts",
  post: "Posts",
  credits: "Credits: bought, low, used up",
  purchase: "Purchases that came to nothing",
  webhook: "Webhooks that were disabled",
  key: "API keys: made, revoked",
} as const;
export type EventKind = keyof typeof EVENT_KINDS;
export const KINDS = Object.keys(EVENT_KINDS) as EventKind[];

/** `campaign_lead.replied` is "campaign lead replied". */
export const typeWords = (type: string): string => type.replaceAll(/[._]/g, " ");

export const kindOf = (type: string): string => type.split(".")[0] ?? type;

/** Every type, in the order in which they are offered. */
export function groupTypes(types: readonly EventType[]): [kind: EventKind, types: EventType[]][] {
  return KINDS.map((kind) => [kind, types.filter((type) => kindOf(type) === kind)]);
}
