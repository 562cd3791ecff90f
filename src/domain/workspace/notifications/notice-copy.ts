import { POSSIBLE_OPT_OUT } from "#db/replies/inbound.ts";
import type { NoticeItem } from "#db/workspace/notice-content.ts";
import type { OutboxKind } from "#db/base/fragments/outbox.ts";
import type { PausedReason } from "#db/schema/index.ts";
import { oneLine } from "#src/platform/one-line.ts";

const NAME = 80;
const REASON = 300;

interface KindWords {
  /** One of them, as a sentence without its full stop. */
  happened(item: NoticeItem): string;
  counted(count: number): string;
  /** What to do about it; `api` is the base of the API's paths. */
  advice(item: NoticeItem, api: string): string;
}

export const nameOf = (text: string | null, otherwise: string): string =>
  oneLine(text ?? "", NAME) || otherwise;

/** `Ada Lovelace <ada@example.com>`, as far as it is known. */
function person({ name, address }: NoticeItem): string {
  const who = oneLine(name ?? "", NAME);
  const where = oneLine(address ?? "", 120);
  if (who === "" || who === where) return where || "Somebody";
  return where === "" ? who : `${who} <${where}>`;
}

const many = (one: string, more: string) => (count: number) =>
  `${count} ${count === 1 ? one : more}`;

const replied: KindWords = {
  happened: (item) =>
    item.saidClass === POSSIBLE_OPT_OUT
      ? `${person(item)} replied, and perhaps asks for no more mail`
      : `${person(item)} replied`,
  counted: many("reply", "replies"),
  advice: ({ conversationId }, api) =>
    conversationId === null
      ? `Read it: GET ${api}/conversations?unread=true`
      : `Read it whole: GET ${api}/conversations/${conversationId}`,
};

const whereToLook = ({ campaignId, campaignLeadId, emailId }: NoticeItem, api: string): string =>
  campaignLeadId === null
    ? `GET ${api}/mailer/emails/${emailId ?? ""}`
    : `GET ${api}/campaigns/${campaignId}/leads/${campaignLeadId}`;

const bounced: KindWords = {
  happened(item) {
    const reason = oneLine(item.why ?? "", REASON);
    return `Mail to ${person(item)} came back for good${reason === "" ? "" : `: ${reason}`}`;
  },
  counted: many("hard bounce", "hard bounces"),
  advice: (item, api) =>
    `Nothing has to be done: nothing more is sent to that person. Details: ${whereToLook(item, api)}`,
};

const complained: KindWords = {
  happened: (item) => `${person(item)} reported your mail as spam`,
  counted: many("complaint", "complaints"),
  advice: (item, api) =>
    `The address is suppressed, and nothing more is sent to it. Look at whom you write to before you go on. Details: ${whereToLook(item, api)}`,
};

/** Why a campaign is paused, and what cures it. */
const PAUSES: Record<PausedReason, { why: string; cure: string }> = {
  user_requested: { why: "somebody asked for it", cure: "Go on when you like" },
  personalization_review_pending: {
    why: "nobody has reviewed its drafts",
    cure: "Review the drafts, then go on",
  },
  missed_schedule: {
    why: "its start was missed by more than a day",
    cure: "Check that it still fits the day, then go on",
  },
  bounce_rate_exceeded: {
    why: "too many of its messages come back for good",
    cure: "Verify the addresses that are left, then go on",
  },
  complaint_rate_exceeded: {
    why: "too many recipients report it as spam",
    cure: "Look at whom it writes to and what it says, then go on",
  },
  no_sender_available: {
    why: "none of its senders can send",
    cure: "Mend a sender (GET /api/v1/mailer/aliases says what is wrong) or add one, then go on",
  },
  sender_domain_failing: {
    why: "the DNS records of its senders' domain have been failing for days",
    cure: "Mend the records (POST /api/v1/mailer/domains/{domain_id}/verify says which), then go on",
  },
  connected_account_unavailable: {
    why: "its connected account is not available",
    cure: "Connect the account again, then go on",
  },
  credits_exhausted: { why: "the credits are used up", cure: "Buy credits, then go on" },
  personalization_failing: {
    why: "its drafts cannot be generated",
    cure: "Try a preview of a draft, then go on",
  },
};

const pauseOf = ({ reason }: NoticeItem) =>
  PAUSES[reason ?? "user_requested"] ?? PAUSES.user_requested;
const campaign = ({ campaignName }: NoticeItem) => `“${nameOf(campaignName, "without a name")}”`;
const resume = ({ campaignId }: NoticeItem, api: string) =>
  `POST ${api}/campaigns/${campaignId}/resume`;

export const WORDS: Record<OutboxKind, KindWords> = {
  lead_reply: replied,
  email_reply: replied,
  network_reply: replied,
  lead_hard_bounce: bounced,
  email_hard_bounce: bounced,
  lead_complaint: complained,
  email_complaint: complained,
  campaign_paused: {
    happened: (item) => `The campaign ${campaign(item)} was paused: ${pauseOf(item).why}`,
    counted: many("pause", "pauses"),
    advice: (item, api) => `${pauseOf(item).cure}: ${resume(item, api)}`,
  },
  campaign_launch_held: {
    happened: (item) => `The launch of ${campaign(item)} was held: ${pauseOf(item).why}`,
    counted: many("held launch", "held launches"),
    advice: (item, api) => `${pauseOf(item).cure}: ${resume(item, api)}`,
  },
  campaign_launch_cancelled: {
    happened: (item) =>
      `The launch of ${campaign(item)} was cancelled: ${pauseOf(item).why}; it is a draft again`,
    counted: many("cancelled launch", "cancelled launches"),
    advice: ({ campaignId }, api) =>
      `Review the drafts, then launch it anew: POST ${api}/campaigns/${campaignId}/launch`,
  },
  account_disconnected: {
    happened: ({ accountName }) =>
      `The network account “${nameOf(accountName, "without a name")}” is not connected any more`,
    counted: many("disconnected account", "disconnected accounts"),
    advice: ({ accountId }, api) =>
      `Connect it again, or its campaigns pause in a quarter of an hour: POST ${api}/connected-accounts/${accountId}/reconnect`,
  },
  inbox_failing: {
    happened({ aliasEmail, why }) {
      const reason = oneLine(why ?? "", REASON);
      return `The inbox of ${nameOf(aliasEmail, "an alias")} cannot be read${reason === "" ? "" : `: ${reason}`}`;
    },
    counted: many("inbox that cannot be read", "inboxes that cannot be read"),
    advice: ({ aliasId }, api) =>
      `Mend its login, or people who answered are written to again: PATCH ${api}/mailer/aliases/${aliasId}, then POST ${api}/mailer/aliases/${aliasId}/test`,
  },
  domain_rule_failing: {
    happened: ({ domainName, why }) =>
      `${nameOf(domainName, "A domain")} no longer keeps a rule of large receivers: ${oneLine(why ?? "", REASON)}`,
    counted: many(
      "rule of large receivers that is not kept",
      "rules of large receivers that are not kept",
    ),
    advice: ({ domainId }, api) =>
      `Its figures, and what to do: GET ${api}/mailer/domains/${domainId}/health`,
  },
  postmaster_lost: {
    happened: ({ domainName, why }) =>
      `Gmail's figures of ${nameOf(domainName, "a domain")} are not read any more: ${oneLine(why ?? "", REASON)}`,
    counted: many("domain whose figures are not read", "domains whose figures are not read"),
    advice: ({ domainId }, api) =>
      `Whoever has the domain in Postmaster Tools consents again: POST ${api}/mailer/domains/${domainId}/postmaster`,
  },
  webhook_failing: {
    happened: ({ webhookUrl }) =>
      `Nothing has reached ${nameOf(webhookUrl, "a webhook")} for two days`,
    counted: many("webhook that fails", "webhooks that fail"),
    advice: ({ webhookId }, api) =>
      `Nothing is lost yet, and it is disabled after five days. Why it fails: GET ${api}/webhooks/${webhookId}/deliveries`,
  },
  webhook_disabled: {
    happened: ({ webhookUrl, why }) =>
      `The webhook ${nameOf(webhookUrl, "without an address")} was disabled: ${oneLine(why ?? "", REASON)}`,
    counted: many("disabled webhook", "disabled webhooks"),
    advice: ({ webhookId }, api) =>
      `Mend the receiver, then enable it: it is sent what it missed, as far as that is kept (30 days): POST ${api}/webhooks/${webhookId}/enable`,
  },
};
