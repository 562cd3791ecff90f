import type { DnsType } from "#src/providers/dns/index.ts";
import type { Lookup } from "./lookup.ts";
import { recordsOf } from "./lookup.ts";
import { isSpf, readSpf, type SpfTerm } from "./spf-terms.ts";

/** RFC 7208 section 4.6.4: receivers give up beyond these. */
const MAX_LOOKUPS = 10;
const MAX_VOID = 2;
const MAX_MX = 10;

export interface SpfReport {
  /**
   * `none` and `several`: no, or more than one record. `broken`: every receiver answers permerror.
   * `unknown`: DNS gave no answer.
   */
  kind: "valid" | "none" | "several" | "broken" | "unknown";
  /** Why it is broken. */
  reason: string | null;
  /** Terms that cost a DNS query, over all that is included. */
  lookups: number;
  /** Names whose records this record includes. */
  includes: string[];
  /** Whether any address can pass; `+all` is left out, since it vouches for everybody. */
  authorises: boolean;
  /** Whether every address of the internet passes. */
  open: boolean;
}

/** A reason to stop; carries the kind of the report. */
class SpfEnd extends Error {
  readonly kind: "broken" | "unknown" | "several";
  constructor(kind: "broken" | "unknown" | "several", reason: string) {
    super(reason);
    this.kind = kind;
  }
}

interface Walk {
  lookup: Lookup;
  lookups: number;
  voids: number;
  includes: string[];
}

interface Part {
  authorises: boolean;
  open: boolean;
}

/**
 * Walks a domain's SPF record with all its includes, as a receiver does for a client that matches no
 * term: the worst case for the lookup limits. Targets with macros depend on the message; they count as
 * a lookup and are not followed.
 */
export async function evaluateSpf(lookup: Lookup, domain: string): Promise<SpfReport> {
  const walk: Walk = { lookup, lookups: 0, voids: 0, includes: [] };
  const report = (kind: SpfReport["kind"], reason: string | null, part: Part): SpfReport => ({
    kind,
    reason,
    lookups: walk.lookups,
    includes: walk.includes,
    ...part,
  });
  const nothing = { authorises: false, open: false };
  try {
    const text = await spfOf(walk, domain);
    if (text === null) return report("none", null, nothing);
    return report("valid", null, await walkRecord(walk, text, domain));
  } catch (error) {
    if (error instanceof SpfEnd) return report(error.kind, error.message, nothing);
    throw error;
  }
}

async function spfOf(walk: Walk, domain: string): Promise<string | null> {
  const records = recordsOf(await walk.lookup(domain, "TXT"));
  if (records === null) throw new SpfEnd("unknown", `DNS gave no answer for ${domain}`);
  const found = records.filter(isSpf);
  if (found.length > 1) throw new SpfEnd("several", `${domain} has several SPF records`);
  return found[0] ?? null;
}

async function walkRecord(walk: Walk, text: string, domain: string): Promise<Part> {
  const record = readSpf(text);
  if ("fault" in record) throw new SpfEnd("broken", `${domain}: ${record.fault}`);
  const part: Part = { authorises: false, open: false };
  for (const term of record.mechanisms) {
    if (term.name === "all") {
      part.open ||= term.qualifier === "+";
      // What follows is never read, a redirect neither (section 5.1).
      return part;
    }
    const inner = await walkTerm(walk, term, domain);
    if (term.qualifier !== "+") continue;
    part.authorises ||= inner.authorises;
    part.open ||= inner.open;
  }
  if (record.redirect === null) return part;
  const target = await includeOf(walk, record.redirect, "redirect");
  return {
    authorises: part.authorises || target.authorises,
    open: part.open || target.open,
  };
}

const MATCHES: Part = { authorises: true, open: false };

async function walkTerm(walk: Walk, term: SpfTerm, domain: string): Promise<Part> {
  const { name, target } = term;
  if (name === "ip4" || name === "ip6") return MATCHES;
  if (name === "include") return includeOf(walk, target!, "include");
  countLookup(walk, name);
  const host = target?.replace(/\/.*$/, "") ?? domain;
  if (name === "ptr" || host.includes("%")) return MATCHES;
  const types: DnsType[] = name === "mx" ? ["MX"] : name === "exists" ? ["A"] : ["A", "AAAA"];
  const answers = await Promise.all(types.map((type) => walk.lookup(host, type)));
  const records = answers.map(recordsOf);
  if (name === "mx" && (records[0]?.length ?? 0) > MAX_MX)
    throw new SpfEnd("broken", `${host} has more than ${MAX_MX} mail hosts`);
  if (records.some((found) => (found?.length ?? 0) > 0)) return MATCHES;
  if (records.includes(null)) throw new SpfEnd("unknown", `DNS gave no answer for ${host}`);
  walk.voids++;
  if (walk.voids > MAX_VOID)
    throw new SpfEnd("broken", `more than ${MAX_VOID} of its names do not exist`);
  return { authorises: false, open: false };
}

/** The record behind `include` or `redirect`; its absence is a permerror (sections 5.2 and 6.1). */
async function includeOf(walk: Walk, target: string, term: string): Promise<Part> {
  countLookup(walk, term);
  if (target.includes("%")) return MATCHES;
  const name = target.toLowerCase().replace(/\.$/, "");
  walk.includes.push(name);
  const text = await spfOf(walk, name).catch((error: unknown) => {
    if (error instanceof SpfEnd && error.kind === "several")
      throw new SpfEnd("broken", error.message);
    throw error;
  });
  if (text === null) throw new SpfEnd("broken", `${name} has no SPF record`);
  return walkRecord(walk, text, name);
}

function countLookup(walk: Walk, term: string): void {
  walk.lookups++;
  if (walk.lookups > MAX_LOOKUPS)
    throw new SpfEnd("broken", `it takes more than ${MAX_LOOKUPS} DNS lookups (${term})`);
}
