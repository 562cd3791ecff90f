import { isRole } from "#src/domain/research/verification/prefilter/role.ts";
import { isSystemAddress } from "#src/domain/research/verification/prefilter/system.ts";
import { formsOf } from "../names/forms.ts";
import type { PersonName } from "../names/read-name.ts";
import { PATTERNS, type PatternCounts, sharesAt } from "./patterns.ts";

export interface Candidate {
  email: string;
  /** Null where a caller gave none. */
  pattern: string | null;
  /** How likely it is the person's, before any probe. */
  prior: number;
  /** How likely a colleague has it, when it is not the person's. */
  someoneElse: number;
}

export const MAX_CANDIDATES = 12;

/**
 * Addresses that the person may have at the domain, the likeliest first: each pattern over each form of the name, where what
 * comes out alike adds up. Empty for a name in letters that cannot be read.
 */
export function candidatesFor(
  name: PersonName,
  domain: string,
  learned: PatternCounts = {},
): Candidate[] {
  const shares = sharesAt(learned);
  const { given, middle, family } = formsOf(name, domain.slice(domain.lastIndexOf(".") + 1));
  const byLocal = new Map<string, Candidate & { best: number }>();
  for (const { name: pattern, someoneElse, build } of PATTERNS)
    for (const g of given)
      for (const f of family) {
        const local = build(g, f, middle);
        if (local === null || !isPersonal(local)) continue;
        const prior = shares.get(pattern)! * g.weight * f.weight;
        const known = byLocal.get(local);
        const isLikeliest = prior > (known?.best ?? 0);
        byLocal.set(local, {
          email: `${local}@${domain}`,
          pattern: isLikeliest ? pattern : known!.pattern,
          best: Math.max(prior, known?.best ?? 0),
          prior: prior + (known?.prior ?? 0),
          someoneElse: Math.max(someoneElse, known?.someoneElse ?? 0),
        });
      }
  return [...byLocal.values()]
    .toSorted((a, b) => b.prior - a.prior)
    .slice(0, MAX_CANDIDATES)
    .map(({ best: _, ...candidate }) => candidate);
}

/** A person called Abuse or Sales is not written to under that name. */
const isPersonal = (local: string): boolean =>
  local.length <= 64 && !isRole(local) && !isSystemAddress(local);

/** The share of people who have left, or whose address follows none of the patterns. */
const NOT_THERE = 0.15;

/**
 * How likely an accepted candidate is the person's, when others were refused: its own share against the chance that it is
 * a colleague's and the person has another address or none.
 */
export function confidenceWhenAccepted(
  { prior, someoneElse }: Candidate,
  refused: readonly Candidate[],
): number {
  if (someoneElse === 0) return 1;
  const considered = refused.reduce((sum, each) => sum + each.prior, prior);
  return prior / (prior + (Math.max(0, 1 - considered) + NOT_THERE) * someoneElse);
}

/** What hosts put up with in one session from who guesses. */
export const MAX_PROBED = 8;
/** An acceptance worth less would be no answer, so it is not asked for. */
export const MIN_CONFIDENCE = 0.5;
/** A colleague may well have such an address: it is probed last, when no address that only the person can have exists. */
const SHARED = 0.05;
const MAX_SHARED = 2;

/** The candidates to probe, in this order; the acceptance of each would decide something. */
export function worthAsking(candidates: readonly Candidate[]): Candidate[] {
  const own = candidates.filter(({ someoneElse }) => someoneElse < SHARED);
  const shared = candidates.filter(({ someoneElse }) => someoneElse >= SHARED);
  const asked: Candidate[] = [];
  for (const candidate of [...own.slice(0, MAX_PROBED - MAX_SHARED), ...shared]) {
    if (confidenceWhenAccepted(candidate, asked) >= MIN_CONFIDENCE) asked.push(candidate);
    if (asked.length === MAX_PROBED) break;
  }
  return asked;
}
