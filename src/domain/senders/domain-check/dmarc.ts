import { recordsOf, type Lookup } from "./lookup.ts";
import { readTags } from "./tags.ts";

export interface DmarcPolicy {
  /** Where the record is, without `_dmarc.`. */
  domain: string;
  text: string;
  policy: "none" | "quarantine" | "reject";
  /** What DKIM's and SPF's domain must have in common with From. */
  dkim: Alignment;
  spf: Alignment;
  psd: "y" | "n" | "u";
}
export type Alignment = "relaxed" | "strict";

export type DmarcReport =
  | { kind: "found"; policy: DmarcPolicy; organization: string }
  | { kind: "none" }
  | { kind: "unknown" }
  /** Records that are not valid, or several valid ones, at the domain's own name. */
  | { kind: "several"; texts: string[] }
  | { kind: "broken"; texts: string[] };

const POLICIES = ["none", "quarantine", "reject"] as const;

/** Null unless it is a DMARC record by RFC 9989 section 4.7: `v=DMARC1` first, a known policy. */
export function readDmarc(domain: string, text: string): DmarcPolicy | null {
  if (!/^v\s*=\s*DMARC1\s*(;|$)/.test(text)) return null;
  const tags = readTags(text);
  if (tags === null) return null;
  const wanted = tags.get("p")?.toLowerCase();
  // Without a usable policy, a record that asks for reports counts as p=none.
  const policy =
    POLICIES.find((each) => each === wanted) ?? (tags.has("rua") ? ("none" as const) : null);
  if (policy === null) return null;
  const alignment = (tag: string): Alignment =>
    tags.get(tag)?.toLowerCase() === "s" ? "strict" : "relaxed";
  const psd = tags.get("psd")?.toLowerCase();
  return {
    domain,
    text,
    policy,
    dkim: alignment("adkim"),
    spf: alignment("aspf"),
    psd: psd === "y" || psd === "n" ? psd : "u",
  };
}

type Found = { texts: string[]; policy: DmarcPolicy | null };

async function recordAt(lookup: Lookup, domain: string): Promise<Found | null> {
  const records = recordsOf(await lookup(`_dmarc.${domain}`, "TXT"));
  if (records === null) return null;
  const texts = records.filter((text) => /^v\s*=\s*DMARC/i.test(text));
  const policies = texts.flatMap((text) => readDmarc(domain, text) ?? []);
  // Several records count as none (section 4.10).
  return { texts, policy: policies.length === 1 ? policies[0]! : null };
}

/** The names of the tree walk (section 4.10): the domain, then its parents from at most seven labels down to one. */
export function treeOf(domain: string): string[] {
  const labels = domain.split(".");
  const names = [domain];
  for (let count = Math.min(labels.length - 1, 7); count >= 1; count--)
    names.push(labels.slice(-count).join("."));
  return names;
}

/** The policy that receivers apply to mail from the domain, found by the DNS tree walk of RFC 9989. */
export async function findDmarc(lookup: Lookup, domain: string): Promise<DmarcReport> {
  const found = new Map<string, DmarcPolicy>();
  let organization: string | null = null;
  for (const name of treeOf(domain)) {
    const here = await recordAt(lookup, name);
    if (here === null) return { kind: "unknown" };
    if (name === domain && here.texts.length > 0 && here.policy === null)
      return { kind: here.texts.length > 1 ? "several" : "broken", texts: here.texts };
    if (here.policy === null) continue;
    found.set(name, here.policy);
    if (here.policy.psd === "n") {
      organization = name;
      break;
    }
    // Below a public suffix that says so, the organization is one label longer.
    if (here.policy.psd === "y" && name !== domain) {
      organization = domain
        .split(".")
        .slice(-(name.split(".").length + 1))
        .join(".");
      break;
    }
  }
  organization ??= [...found.keys()].at(-1) ?? domain;
  const policy = found.get(domain) ?? found.get(organization) ?? [...found.values()].at(-1);
  return policy === undefined ? { kind: "none" } : { kind: "found", policy, organization };
}

/** Whether a domain that DKIM or SPF vouched for speaks for the domain of From (section 4.4). */
export function isAligned(
  from: { domain: string; organization: string },
  vouched: { domain: string; organization: string },
  mode: Alignment,
): boolean {
  return mode === "strict"
    ? from.domain === vouched.domain
    : from.organization === vouched.organization;
}
