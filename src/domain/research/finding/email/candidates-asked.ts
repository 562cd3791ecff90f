import { readLearned } from "#db/research/learned-addresses.ts";
import { isMailboxProvider } from "#src/domain/people/leads/mailbox-providers.ts";
import { prefilter } from "#src/domain/research/verification/prefilter/prefilter.ts";
import { readTarget } from "#src/domain/research/verification/target.ts";
import type { Deps } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { type PersonName, readName } from "../names/read-name.ts";
import { belongsTo, ownedSince } from "./owner.ts";
import { type Candidate, candidatesFor, worthAsking } from "./candidates.ts";

/** Whose address is looked for. `domain` as A-label, in lower case (`mailDomain`). */
export type EmailAsked =
  | { domain: string; firstName: string; lastName: string }
  | { domain: string; candidates: readonly CandidateGiven[] };

/** An address that the caller thinks of. */
export interface CandidateGiven {
  email: string;
  pattern?: string | undefined;
  /** 0 to 1. */
  confidence?: number | undefined;
}

/** The addresses to ask for, in this order; what no mailbox can be by its text is left out. */
export async function candidatesAsked(
  deps: Pick<Deps, "db" | "clock">,
  asked: EmailAsked,
): Promise<Candidate[]> {
  const candidates =
    "candidates" in asked ? asGiven(asked.candidates) : await fromName(deps, asked);
  return candidates.filter(({ email }) => prefilter(email).reject === null);
}

async function fromName(
  { db, clock }: Pick<Deps, "db" | "clock">,
  { domain, firstName, lastName }: Extract<EmailAsked, { firstName: string }>,
): Promise<Candidate[]> {
  if (isMailboxProvider(domain))
    throw unprocessable(
      "VALIDATION_ERROR",
      `${domain} gives addresses to anybody, so a name says nothing of whose they are; give candidates.`,
    );
  const name = readName(firstName, lastName);
  const { patterns, owners } = await readLearned(db, domain, ownedSince(clock.now()));
  const candidates = candidatesFor(name, domain, patterns);
  if (candidates.length === 0)
    throw unprocessable(
      "VALIDATION_ERROR",
      "The name gives no addresses: its first and last part must have letters of the Latin, Cyrillic or Greek script; or give candidates.",
    );
  return worthAsking(await withoutOthers(candidates, owners, domain, name));
}

/** An address that was lately found for a person of another name is theirs. */
async function withoutOthers(
  candidates: readonly Candidate[],
  owners: ReadonlyMap<string, string>,
  domain: string,
  name: PersonName,
): Promise<Candidate[]> {
  const isOwned = await belongsTo(domain, name);
  const hashes = await Promise.all(candidates.map(({ email }) => sha256Hex(email)));
  return candidates.filter(({ isWhole }, at) => {
    const owner = owners.get(hashes[at]!);
    return isWhole || owner === undefined || isOwned(owner);
  });
}

/** The surest first, each once. */
function asGiven(given: readonly CandidateGiven[]): Candidate[] {
  const byKey = new Map<string, Candidate>();
  const sorted = given.toSorted((a, b) => (b.confidence ?? 0) - (a.confidence ?? 0));
  for (const { email, pattern = null, confidence = 0 } of sorted) {
    const target = readTarget(email);
    // Whose they are, the caller knows.
    if (target !== null && !byKey.has(target.key))
      byKey.set(target.key, {
        email: target.address,
        pattern,
        prior: confidence,
        someoneElse: 0,
        namesakes: [],
        isJoined: false,
        isWhole: true,
      });
  }
  return [...byKey.values()];
}
