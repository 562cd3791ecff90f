import { isRole } from "#src/domain/research/verification/prefilter/role.ts";
import { isSystemAddress } from "#src/domain/research/verification/prefilter/system.ts";
import { type Form, formsOf } from "../names/forms.ts";
import type { PersonName } from "../names/read-name.ts";
import { type Pattern, PATTERNS, type PatternCounts, sharesAt } from "./patterns.ts";
import { SHARED, someoneElse } from "./someone-else.ts";

export interface Candidate {
  email: string;
  /** Null where a caller gave none. */
  pattern: string | null;
  /** How likely it is the person's, before any probe. */
  prior: number;
  /** How likely a colleague has it, when it is not the person's. */
  someoneElse: number;
  /** What a second person of these letters may have: where one exists too, nothing tells which is whose. */
  namesakes: readonly string[];
  /** Of both first names in one. */
  isJoined: boolean;
  /** It shows the whole name as it was asked for: what was found for a person of another name is no objection. */
  isWhole: boolean;
}

/** In two sessions; what is less likely than these has hardly any weight left. */
export const MAX_CANDIDATES = 14;
/** Another way to write the name counts so much less than another pattern, which tells more of the company. */
const VARIANT = 0.4;

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
  for (const { name: pattern, shows, build } of PATTERNS)
    // The name's own forms in front: what they give is no less the person's where another form gives it too.
    for (const g of ownFirst(given))
      for (const f of family) {
        const local = build(g, f, middle);
        if (local === null || !isPersonal(local)) continue;
        if (g.isInitialOnly && shows !== "family_and_initial") continue;
        const prior = shares.get(pattern)! * g.weight * f.weight;
        const known = byLocal.get(local);
        const isLikeliest = prior > (known?.best ?? 0);
        byLocal.set(local, {
          email: `${local}@${domain}`,
          pattern: isLikeliest ? pattern : known!.pattern,
          best: Math.max(prior, known?.best ?? 0),
          isJoined: isLikeliest ? g.isJoined : known!.isJoined,
          isWhole: (shows === "whole" && !g.isOther) || (known?.isWhole ?? false),
          prior: prior + (known?.prior ?? 0),
          someoneElse: Math.max(
            g.isOther && known !== undefined ? 0 : someoneElse(shows, g, f),
            known?.someoneElse ?? 0,
          ),
          namesakes:
            shows === "family_and_initial" && !known?.namesakes.length
              ? [`${local}2@${domain}`, ...withTwoLetters(build, g, f, domain)]
              : (known?.namesakes ?? []),
        });
      }
  const all = [...byLocal.values()].map(({ best: _, ...candidate }) => candidate);
  return variantsLater(all.toSorted((a, b) => b.prior - a.prior)).slice(0, MAX_CANDIDATES);
}

/** `habenning` beside `hbenning`: a company of two of them may write one with two letters. */
const withTwoLetters = (build: Pattern["build"], g: Form, f: Form, domain: string): string[] =>
  g.text.length > 2 ? [`${build({ ...g, initial: g.text.slice(0, 2) }, f, null)}@${domain}`] : [];

const ownFirst = (forms: readonly Form[]): Form[] =>
  forms.toSorted((a, b) => Number(a.isOther) - Number(b.isOther));

function variantsLater(sorted: readonly Candidate[]): Candidate[] {
  const seen = new Set<string | null>();
  const ranked = sorted.map((candidate) => {
    const isFirst = !seen.has(candidate.pattern);
    seen.add(candidate.pattern);
    return { candidate, rank: candidate.prior * (isFirst ? 1 : VARIANT) };
  });
  return ranked.toSorted((a, b) => b.rank - a.rank).map(({ candidate }) => candidate);
}

/** A person called Abuse or Sales is not written to under that name. */
const isPersonal = (local: string): boolean =>
  local.length <= 64 && !isRole(local) && !isSystemAddress(local);

/** The share of people who are not there, though a list says so, or whose address follows none of the patterns. */
const NOT_THERE = 0.25;

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
/** What a colleague may well have is told from here on; below, the person is not found. */
export const SURE = 0.9;
/** Beside those that only the person can have, which are all asked for first. */
const MAX_SHARED = 2;

/** A colleague may well have such an address. */
export const isShared = ({ someoneElse }: Candidate): boolean => someoneElse >= SHARED;

/** The candidates to probe, in this order; the acceptance of each would decide something. */
export function worthAsking(candidates: readonly Candidate[]): Candidate[] {
  const own = joinedFirst(candidates.filter((each) => !isShared(each)));
  const asked: Candidate[] = [];
  let shared = 0;
  for (const candidate of [...own, ...candidates.filter(isShared)]) {
    if (confidenceWhenAccepted(candidate, asked) < MIN_CONFIDENCE) continue;
    if (isShared(candidate) && ++shared > MAX_SHARED) break;
    asked.push(candidate);
  }
  return asked;
}

/** José María is asked for as josemaria before jose: where both exist, the shorter one is another man's. */
function joinedFirst(sorted: readonly Candidate[]): Candidate[] {
  const ordered: Candidate[] = [];
  for (const each of sorted) {
    const place = each.isJoined
      ? ordered.findIndex(({ pattern, isJoined }) => pattern === each.pattern && !isJoined)
      : -1;
    ordered.splice(place === -1 ? ordered.length : place, 0, each);
  }
  return ordered;
}
