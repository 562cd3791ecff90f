import type { DomainRule } from "../api/schema.ts";

/** What each rule is called on the domain's page. */
export const RULE_NAMES: Record<DomainRule["rule"], string> = {
  spf: "Who may send is published (SPF)",
  dkim: "Mail is signed (DKIM)",
  dmarc: "There is a policy for forgeries (DMARC)",
  from_alignment: "From speaks for the domain that signs",
  dmarc_alignment: "Receivers see mail pass DMARC",
  one_click: "One click unsubscribes (RFC 8058)",
  complaint_rate: "Few complain",
  bounce_rate: "Few messages come back",
  tls: "Mail travels by TLS",
  reverse_dns: "Sending addresses have names (PTR)",
  reply_address: "Replies come home",
  tls_replies: "Others reach the domain by TLS",
};

const ASKERS: Record<DomainRule["asked_by"][number], string> = {
  google: "Google",
  yahoo: "Yahoo",
  microsoft: "Microsoft",
};

/** "asked for by Google and Yahoo". */
export function askedWords(askers: DomainRule["asked_by"]): string {
  if (askers.length === 0) return "asked for by nobody, and good to have";
  const names = askers.map((asker) => ASKERS[asker]);
  const last = names.pop()!;
  return `asked for by ${names.length === 0 ? last : `${names.join(", ")} and ${last}`}`;
}

const ORDER: DomainRule["status"][] = ["failing", "unknown", "ok"];

/** What is to be mended first, then what is not known. */
export const worstRulesFirst = (rules: readonly DomainRule[]): DomainRule[] =>
  rules.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));

/** The checklist as one sentence. */
export function healthSentence(rules: readonly DomainRule[]): string {
  const of = (status: DomainRule["status"]) =>
    rules.filter((rule) => rule.status === status).length;
  const [failing, unknown] = [of("failing"), of("unknown")];
  if (failing === 0 && unknown === 0) return "Every rule is kept.";
  return `${of("ok")} of ${rules.length} are kept, ${failing} ${failing === 1 ? "is" : "are"} not, of ${unknown} it is not known.`;
}
