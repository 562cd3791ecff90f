import type { DmarcDay, DmarcReporter, DmarcSource } from "#db/senders/reports.ts";
import type { ReportedPolicy } from "#db/schema/index.ts";

export interface NextStep {
  /** The policy to go to; null when there is none above it. */
  policy: "quarantine" | "reject" | null;
  /** Null when too little is known. */
  safe: boolean | null;
  why: string;
  /** What to do; null when nothing is. */
  fix: string | null;
}

interface Seen {
  domain: string;
  /** As the newest report found it published; null before the first. */
  policy: ReportedPolicy | null;
  days: readonly DmarcDay[];
  sources: readonly DmarcSource[];
  reporters: readonly DmarcReporter[];
}

/** Two full weeks, of several receivers, with enough mail that a weekly or monthly sender has shown itself. */
export const ENOUGH = { days: 14, reporters: 2, messages: 100 };
/** Of all messages: an operator below it is no tool of the domain's owner, or one whose loss is not felt. */
export const NOTICED_SHARE = 0.005;

/** What stands between the domain and `p=reject`, from the most pressing on. */
export function nextStep({ domain, policy, days, sources, reporters }: Seen): NextStep {
  const record = `_dmarc.${domain}`;
  if (policy === null)
    return {
      policy: null,
      safe: null,
      why: "No report has come yet: receivers send them once a day, to the address in the record.",
      fix: `See that the record at ${record} has the rua that the domain's records show.`,
    };
  const target = targetOf(policy);
  if (target === null)
    return { policy: null, safe: true, why: "The policy is reject, the strongest.", fix: null };
  const total = sum(days, "messages");
  const short = shortageOf(days.length, reporters.length, total);
  if (short !== null)
    return { policy: target, safe: null, why: short, fix: "Wait: nothing is to be changed yet." };
  const losing = sources.filter(
    ({ operator, messages, aligned, forwarded }) =>
      operator !== "" && messages - aligned - forwarded > NOTICED_SHARE * total,
  );
  if (losing.length > 0)
    return {
      policy: target,
      safe: false,
      why: `${list(losing.map(({ operator }) => operator))} ${losing.length === 1 ? "sends" : "send"} in the domain's name without passing: ${share(losing, total)} of all messages. With p=${target} receivers would ${target === "reject" ? "refuse" : "file"} them.`,
      fix: "If they are yours, let them sign with DKIM for this domain, or send by a subdomain of their own. If they are not, go on: the policy is there to stop them.",
    };
  return {
    policy: target,
    safe: true,
    why: `${percent(sum(days, "aligned"), total)} of ${total} messages pass, and what fails comes from nobody who signs or sends for a domain of its own: forwarded mail, and forgeries.`,
    fix: `Change p=${policy.p ?? "none"} to p=${target} in the record at ${record}, and look here again in a week.`,
  };
}

/** A policy for a part of the mail, or in testing, counts as the one before it. */
function targetOf({ p, pct, testing }: ReportedPolicy): NextStep["policy"] {
  const isWhole = (pct ?? 100) === 100 && !testing;
  if (p === "reject") return isWhole ? null : "reject";
  if (p === "quarantine") return isWhole ? "reject" : "quarantine";
  return "quarantine";
}

function shortageOf(days: number, reporters: number, messages: number): string | null {
  if (days >= ENOUGH.days && reporters >= ENOUGH.reporters && messages >= ENOUGH.messages)
    return null;
  return `So far ${reporters} ${reporters === 1 ? "receiver has" : "receivers have"} reported ${messages} messages on ${days} ${days === 1 ? "day" : "days"}; a sender that mails once a fortnight would not have shown yet. It takes ${ENOUGH.days} days, ${ENOUGH.reporters} receivers and ${ENOUGH.messages} messages.`;
}

const sum = (days: readonly DmarcDay[], of: "messages" | "aligned"): number =>
  days.reduce((total, day) => total + day[of], 0);

const share = (sources: readonly DmarcSource[], total: number): string =>
  percent(
    sources.reduce((all, { messages, aligned }) => all + messages - aligned, 0),
    total,
  );

/** Cut, not rounded: 99.96 % is not all. */
const percent = (part: number, whole: number): string =>
  `${Math.floor((1000 * part) / whole) / 10} %`;

function list(names: readonly string[]): string {
  const shown = [...new Set(names)].slice(0, 3);
  const more = new Set(names).size - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(" and ");
}
