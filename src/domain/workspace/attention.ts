import { loadSendingInputsOf, type SendingInputs } from "#db/engine/sending-inputs.ts";
import type { CampaignRow } from "#db/schema/index.ts";
import {
  type DomainTrouble,
  findTroubles,
  type OtherTrouble,
  type Troubles,
} from "#db/workspace/attention.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { accountWords } from "#src/domain/campaigns/forecast/account-reasons.ts";
import type { Reason } from "#src/domain/campaigns/forecast/reason.ts";
import { RUNNING } from "#src/domain/campaigns/forecast/reasons.ts";
import { explain } from "#src/domain/campaigns/forecast/sending-status.ts";
import { senderWords, statusWords } from "#src/domain/campaigns/forecast/status-messages.ts";
import { isRecordRule } from "#src/domain/senders/health/record-rules.ts";
import { wordsOfRule } from "#src/domain/senders/health/row.ts";
import { DAY_MS } from "#src/platform/durations.ts";

/** `error`: something stands still until its owner acts; `warning`: something is going wrong; `info`: something waits. */
export const SEVERITIES = ["error", "warning", "info"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const SUBJECTS = [
  ...["campaign", "alias", "connected_account", "domain", "conversation", "webhook", "post"],
  ...["api_key", "workspace"],
] as const;

/** Something that its owner has to know or to do. */
export interface Attention {
  kind: string;
  severity: Severity;
  subject: { type: (typeof SUBJECTS)[number]; id: string | null; name: string | null };
  message: string;
  /** When it ends by itself, or comes about. */
  until: Date | null;
  /** The running campaigns that it holds back. */
  campaignIds: string[];
}

/** Of what campaigns wait for by themselves, what only a person can end. */
const FOR_A_PERSON: Readonly<Record<string, Severity>> = {
  window_never_opens: "error",
  timezone_unknown: "error",
  no_sender_available: "error",
  all_senders_wait: "error",
  personalization_review_pending: "info",
  leads_held: "warning",
};

const POSTS_DAYS = 7;
const KEYS_DAYS = 7;

/** What needs its owner now, the worst first; nothing where all is well. */
export async function findAttention(
  { db, clock }: Deps,
  { workspaceId }: Principal,
): Promise<Attention[]> {
  const now = clock.now();
  const troubles = await findTroubles(db, workspaceId, now, {
    postsSince: new Date(now.getTime() - POSTS_DAYS * DAY_MS),
    keysUntil: new Date(now.getTime() + KEYS_DAYS * DAY_MS),
  });
  const running = troubles.campaigns.filter(({ status }) => RUNNING.includes(status));
  const ids = running.map(({ id }) => id);
  const inputs =
    ids.length === 0
      ? new Map<string, SendingInputs>()
      : await loadSendingInputsOf(db, workspaceId, ids, now);
  return [
    ...troubles.campaigns.flatMap((campaign) => ofCampaign(campaign, inputs.get(campaign.id), now)),
    ...ofSenders(troubles, usersOf(inputs)),
  ].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

function ofCampaign(
  campaign: CampaignRow,
  inputs: SendingInputs | undefined,
  now: Date,
): Attention[] {
  const subject = { type: "campaign" as const, id: campaign.id, name: campaign.name };
  const told = (severity: Severity, { code, message, until }: Reason): Attention => ({
    ...{ kind: code, severity, subject, message, until },
    campaignIds: [campaign.id],
  });
  if (inputs === undefined) {
    const code = campaign.status === "failed" ? "launch_failed" : `${campaign.pausedReason}`;
    return [told("error", { code, message: statusWords(campaign), until: null })];
  }
  return explain(campaign, inputs, now)
    .reasons.filter(({ code, until }) => until === null && FOR_A_PERSON[code] !== undefined)
    .map((reason) => told(FOR_A_PERSON[reason.code]!, reason));
}

/** The running campaigns of each sender. */
function usersOf(inputs: ReadonlyMap<string, SendingInputs>) {
  const users = new Map<string, string[]>();
  for (const [campaignId, { senders }] of inputs)
    for (const { id } of senders) users.set(id, [...(users.get(id) ?? []), campaignId]);
  return (senderIds: readonly string[]) => [
    ...new Set(senderIds.flatMap((id) => users.get(id) ?? [])),
  ];
}

function ofSenders(
  { aliases, accounts, domains, others }: Troubles,
  usersOf: (senderIds: readonly string[]) => string[],
): Attention[] {
  return [
    ...aliases.map(({ id, email, status, lastError }): Attention => ({
      ...{ kind: "alias_error", severity: "error", until: null },
      subject: { type: "alias", id, name: email },
      message: senderWords(email, status, lastError),
      campaignIds: usersOf([id]),
    })),
    ...accounts.map((account): Attention => ({
      kind: account.checkpointPending ? "account_checkpoint" : `account_${account.status}`,
      severity: account.status === "reconnecting" ? "info" : "error",
      subject: { type: "connected_account", id: account.id, name: account.displayName },
      message: accountWords({ ...account, name: account.displayName }),
      until: null,
      campaignIds: usersOf([account.id]),
    })),
    ...domains.flatMap((domain) => ofDomain(domain, usersOf(domain.senderIds))),
    ...others.map((other): Attention => {
      const { severity, type, words } = OTHERS[other.kind];
      return {
        ...{ kind: other.kind, severity, until: other.until },
        subject: { type, id: other.id, name: other.name },
        message: words(other),
        campaignIds: usersOf(other.senderIds),
      };
    }),
  ];
}

/** Each rule in the words of the domain's checklist; those about its records together, as what stops its senders. */
function ofDomain(
  { id, name, status, failing }: DomainTrouble,
  campaignIds: string[],
): Attention[] {
  const told = (kind: string, message: string): Attention => ({
    ...{ kind, severity: "warning", subject: { type: "domain", id, name }, message },
    ...{ until: null, campaignIds },
  });
  const rules = failing ?? [];
  const ofRecords = rules.filter(({ rule }) => isRecordRule(rule)).map(wordsOfRule);
  const others = rules.filter(({ rule, toldBy }) => !isRecordRule(rule) && toldBy === null);
  const wrong = [`The DNS records of ${name} are wrong.`, ...ofRecords].join(" ");
  return [
    ...(status === "failing" ? [told("domain_failing", wrong)] : []),
    ...others.map((rule) => told(`domain_${rule.rule}`, wordsOfRule(rule))),
  ];
}

const OTHERS: Record<
  OtherTrouble["kind"],
  { severity: Severity; type: Attention["subject"]["type"]; words: (of: OtherTrouble) => string }
> = {
  possible_opt_out: {
    severity: "warning",
    type: "conversation",
    words: ({ said }) =>
      `${said} may have asked for no more mail; read it, and suppress the address or mark it as read.`,
  },
  inbox_broken: {
    severity: "error",
    type: "alias",
    words: ({ name, said }) =>
      `Replies to ${name} are not read until its inbox is mended${said === null ? "." : `: ${said}`}`,
  },
  postmaster_lost: {
    severity: "warning",
    type: "domain",
    words: ({ name, said }) =>
      `Gmail's figures of ${name} are not read any more${said === null ? "" : ` (${said})`}: connect Postmaster Tools again.`,
  },
  webhook_disabled: {
    severity: "error",
    type: "webhook",
    words: ({ said }) =>
      said === "gone"
        ? "Its receiver said that it is gone (410); enable it again once it is there, and what was missed is sent."
        : "It was disabled after five days without an answer; enable it again once its receiver is mended, and what was missed is sent.",
  },
  webhook_failing: {
    severity: "warning",
    type: "webhook",
    words: () =>
      "Its receiver does not take events at the moment; they are tried again. Its deliveries say why.",
  },
  post_failed: {
    severity: "warning",
    type: "post",
    words: ({ said }) => `It was not published${said === null ? "" : `: ${said}`}`,
  },
  key_expires: {
    severity: "warning",
    type: "api_key",
    words: ({ said }) => `The key ${said}… expires soon; make another and put it in its place.`,
  },
  credits_exhausted: {
    severity: "error",
    type: "workspace",
    words: () =>
      "No credits are left: nothing is verified, found or written until some are bought.",
  },
  credits_low: {
    severity: "warning",
    type: "workspace",
    words: ({ said }) => `Only ${said} credits are left; buy some in time.`,
  },
};
