import type { AliasInputs, LaunchInputs } from "#db/campaigns/launch-inputs.ts";
import { budgetOf } from "#db/engine/index.ts";
import { type RepliesReturn, repliesReturn } from "#src/domain/senders/replies-return.ts";
import { type Check, type CheckedCampaign, failed, passed, warned } from "./checks.ts";

/** Checks the senders: aliases, their domains, accounts, and whether they can send as much as the campaign may. */
export function checkSenders(campaign: CheckedCampaign, inputs: LaunchInputs, now: Date): Check[] {
  return [
    checkAliases(campaign, inputs.aliases),
    checkDomains(campaign, inputs.aliases),
    checkCapacity(campaign, inputs),
    checkReplies(campaign, inputs.aliases, now),
    checkPostalAddress(campaign, inputs),
    checkUnsubscribe(campaign),
  ];
}

const sendsMail = ({ steps }: CheckedCampaign) => steps.some(({ channel }) => channel === "email");
const active = (aliases: AliasInputs[]) => aliases.filter(({ status }) => status === "active");
const NO_MAIL = "The campaign sends no email.";

function checkAliases(campaign: CheckedCampaign, aliases: AliasInputs[]): Check {
  if (!sendsMail(campaign)) return passed("aliases_active", NO_MAIL);
  const wanted = campaign.aliasIds?.length ?? 0;
  const ready = active(aliases).length;
  const message = `${ready} of ${wanted} mail aliases are active.`;
  if (ready === 0) return failed("aliases_active", message);
  const words = [message, ...active(aliases).flatMap(troubleOf)].join(" ");
  return ready < wanted || words !== message
    ? warned("aliases_active", words)
    : passed("aliases_active", words);
}

/** Errors of an alias that pass without its owner: the alias is tried again. */
const troubleOf = ({ email, lastError, lastErrorKind }: AliasInputs): string[] =>
  lastErrorKind === null || lastError === null
    ? []
    : [`${email} did not get through of late: ${lastError}`];

function checkDomains(campaign: CheckedCampaign, aliases: AliasInputs[]): Check {
  if (!sendsMail(campaign)) return passed("alias_domain_verified", NO_MAIL);
  const names = (list: AliasInputs[]) => list.map(({ email }) => email).join(", ");
  const unverified = aliases.filter(
    ({ domainStatus }) => domainStatus !== null && domainStatus !== "verified",
  );
  if (unverified.length > 0)
    return failed("alias_domain_verified", `The domain is not verified: ${names(unverified)}.`);
  const foreign = aliases.filter(({ domainStatus }) => domainStatus === null);
  if (foreign.length > 0)
    return warned(
      "alias_domain_verified",
      `No domain record, so that only the mailbox's own provider vouches for: ${names(foreign)}.`,
    );
  return passed("alias_domain_verified", "Every alias is on a verified domain.");
}

/** A reply that the service does not see stops no lead: its author is written to again. */
function checkReplies(campaign: CheckedCampaign, aliases: AliasInputs[], now: Date): Check {
  if (!sendsMail(campaign)) return passed("replies_return", NO_MAIL);
  const emails = Map.groupBy(aliases, (alias) => repliesReturn(alias, now));
  const names = (verdict: RepliesReturn) =>
    (emails.get(verdict) ?? []).map(({ email }) => email).join(", ");
  const [lost, untested] = [names("no"), names("unknown")];
  if (lost === "" && untested === "")
    return passed("replies_return", "Replies to every alias come back.");
  const parts = [
    ...(lost === ""
      ? []
      : [
          `Replies to ${lost} do not come back, and whoever answers is written to again: forward that mailbox to this service, or let it be read, as docs/mailboxes.md says.`,
        ]),
    ...(untested === ""
      ? []
      : [
          `Whether replies to ${untested} come back is not known: POST /api/v1/mailer/aliases/{alias_id}/test finds out.`,
        ]),
  ];
  return warned("replies_return", parts.join(" "));
}

function checkCapacity(campaign: CheckedCampaign, { aliases, account }: LaunchInputs): Check {
  const emails = sendsMail(campaign) ? emailCapacity(campaign, aliases) : null;
  const actions = actsOnNetwork(campaign) ? accountCapacity(campaign, account) : null;
  const parts = [
    ...(emails === null ? [] : [`the active aliases can send ${emails} emails`]),
    ...(actions === null ? [] : [`the account can do ${actions} actions`]),
  ];
  const message = `${capitalised(parts.join(" and "))} in a day's window; daily_limit is ${campaign.dailyLimit}.`;
  return (emails ?? 0) + (actions ?? 0) < campaign.dailyLimit
    ? warned("daily_limit_vs_capacity", message)
    : passed("daily_limit_vs_capacity", message);
}

const actsOnNetwork = ({ steps }: CheckedCampaign) =>
  steps.some(({ channel }) => channel === "socialnet");

const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Once it is warm: connection requests and messages, or the slots that fit. */
function accountCapacity(campaign: CheckedCampaign, account: LaunchInputs["account"]): number {
  if (account === null) return 0;
  const budgets = new Set(campaign.steps.map(budgetOf));
  const connections = budgets.has("connection") ? account.dailyConnectionLimit : 0;
  const messages = budgets.has("message") ? account.dailyMessageLimit : 0;
  return Math.min(connections + messages, slotsOf(campaign, campaign.minIntervalSeconds));
}

function emailCapacity(campaign: CheckedCampaign, aliases: AliasInputs[]): number {
  return [...Map.groupBy(active(aliases), ({ domain }) => domain).values()]
    .map((ofDomain) => {
      const own = ofDomain.reduce((sum, alias) => sum + dailyCapacity(campaign, alias), 0);
      return Math.min(own, ofDomain[0]!.domainLimit ?? Infinity);
    })
    .reduce((sum, ofDomain) => sum + ofDomain, 0);
}

/** How much one sender can send in a window of ordinary length: its cap, or the slots that fit. */
function dailyCapacity(campaign: CheckedCampaign, alias: AliasInputs): number {
  const interval = Math.max(campaign.minIntervalSeconds, alias.minIntervalSeconds ?? 0);
  return Math.min(alias.dailyLimit, slotsOf(campaign, interval));
}

const slotsOf = (campaign: CheckedCampaign, interval: number): number =>
  Math.ceil(windowSeconds(campaign) / interval);

const DAY_SECONDS = 86_400;

function windowSeconds({ sendingWindowStart, sendingWindowEnd }: CheckedCampaign): number {
  const length = secondsOf(sendingWindowEnd) - secondsOf(sendingWindowStart);
  return length > 0 ? length : length + DAY_SECONDS;
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return (hours * 60 + minutes) * 60 + seconds;
}

/** CAN-SPAM, 15 U.S.C. 7704(a)(5)(A)(iii), asks for a postal address in commercial mail. */
function checkPostalAddress(campaign: CheckedCampaign, { postalAddress }: LaunchInputs): Check {
  if (!sendsMail(campaign)) return passed("postal_address", NO_MAIL);
  if (postalAddress !== null && postalAddress.trim() !== "")
    return passed("postal_address", "The footer carries the workspace's postal address.");
  return warned(
    "postal_address",
    "The workspace has no postal address; many countries ask for one in commercial email.",
  );
}

function checkUnsubscribe(campaign: CheckedCampaign): Check {
  if (!sendsMail(campaign)) return passed("unsubscribe_present", NO_MAIL);
  return passed(
    "unsubscribe_present",
    "Every email gets an unsubscribe link and a one-click header (RFC 8058).",
  );
}
