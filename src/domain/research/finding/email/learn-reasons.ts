import { readKnownAddresses } from "#db/people/known-addresses.ts";
import type { Deps } from "#src/deps.ts";
import type { Decision } from "#src/domain/research/verification/decide.ts";
import {
  cacheVerification,
  hashOf,
  isGone,
  verification,
} from "#src/domain/research/verification/cache.ts";
import { findAndKeepMailHosts } from "#src/domain/research/verification/recipient-domains.ts";
import { type Backend, type Reason, REASONS } from "#src/domain/research/verification/outcome.ts";
import { readTarget, type Target } from "#src/domain/research/verification/target.ts";
import { AppError } from "#src/errors.ts";
import { askCandidates, type Namesakes } from "./ask-candidates.ts";
import type { Candidate } from "./candidates.ts";

/** What is known of each candidate, by its address; those that were not asked any more are left out. */
export interface Learned {
  reasons: ReadonlyMap<string, Reason>;
  backend: Backend;
}

interface Known {
  target: Target;
  hash: string;
  /** From an earlier answer that was definite. */
  reason: Reason | null;
}

/** From what is kept, from DNS, and then from the mail hosts. */
export async function learnReasons(
  deps: Deps,
  domain: string,
  candidates: readonly Candidate[],
  deadline: Date,
): Promise<Learned> {
  const { people, namesakes, isCatchAll } = await readKnown(deps, domain, candidates);
  const ofAll = (reason: Reason, backend: Backend): Learned => ({
    reasons: new Map(people.map(({ target }) => [target.address, reason])),
    backend,
  });
  const reasons = new Map(
    [...people, ...namesakes].flatMap(({ target, reason }) =>
      reason === null ? [] : [[target.address, reason]],
    ),
  );
  if (isCatchAll === true) {
    // An address that it refused all the same belongs to no person.
    for (const { target, reason } of people)
      reasons.set(target.address, isGone(reason) ? reason! : "accepts_everything");
    return { reasons, backend: "cache" };
  }
  const besides = namesakesOf(candidates);
  const unknown = unknownOnes(people, besides, reasons);
  if (unknown.length === 0) return { reasons, backend: "cache" };
  const found = await findAndKeepMailHosts(deps, domain);
  if (found.kind === "none") return ofAll(found.reason, "dns");
  const { mailProbe } = deps;
  if (mailProbe === null) throw notConfigured();
  const decisions = await askCandidates(
    deps,
    { mailProbe, domain, hosts: found.hosts, isCatchAll, deadline },
    unknown.map(({ target }) => target.address),
    besides,
  );
  deps.background(keepAll(deps, [...unknown, ...namesakes], decisions));
  for (const [email, { reason }] of decisions) reasons.set(email, reason);
  return { reasons, backend: "smtp" };
}

async function readKnown(
  { db, clock }: Pick<Deps, "db" | "clock">,
  domain: string,
  candidates: readonly Candidate[],
): Promise<{ people: Known[]; namesakes: Known[]; isCatchAll: boolean | null }> {
  const emails = [
    candidates.map(({ email }) => email),
    candidates.flatMap(({ namesakes }) => namesakes),
  ];
  const targets = emails.flat().flatMap((email) => readTarget(email) ?? []);
  const hashes = await Promise.all(targets.map(hashOf));
  const { reasons, isCatchAll } = await readKnownAddresses(db, {
    hashes,
    domain,
    now: clock.now(),
  });
  const known = targets.map((target, at): Known => {
    const hash = hashes[at]!;
    return { target, hash, reason: definite(reasons[hash]) };
  });
  const people = known.slice(0, candidates.length);
  return { people, namesakes: known.slice(candidates.length), isCatchAll };
}

/** Of those that are addresses: they are longer than the candidate's, and may be too long. */
const namesakesOf = (candidates: readonly Candidate[]): Namesakes =>
  new Map(
    candidates.map(({ email, namesakes }) => [
      email,
      namesakes.filter((each) => readTarget(each) !== null),
    ]),
  );

/** Of the domain, which DNS tells of all its addresses as they stand. */
const OF_DOMAIN: readonly string[] = ["no_mail_host", "null_mx"] satisfies Reason[];

function definite(reason: string | undefined): Reason | null {
  if (reason === undefined || !(reason in REASONS) || OF_DOMAIN.includes(reason)) return null;
  return REASONS[reason as Reason] === "unknown" ? null : (reason as Reason);
}

/**
 * Those to ask: behind one that is known to exist nothing would follow from an answer. That one itself is asked again where
 * nobody knows whether a namesake exists too, which is asked only behind its acceptance.
 */
function unknownOnes(
  people: readonly Known[],
  namesakes: Namesakes,
  reasons: ReadonlyMap<string, Reason>,
): Known[] {
  const exists = people.findIndex(({ reason }) => reason === "mailbox_exists");
  const unknown = people
    .slice(0, exists === -1 ? undefined : exists)
    .filter(({ reason }) => reason === null);
  if (exists === -1) return unknown;
  const besides = (namesakes.get(people[exists]!.target.address) ?? []).map((each) =>
    reasons.get(each),
  );
  const isTold = besides.includes("mailbox_exists") || !besides.includes(undefined);
  return isTold ? unknown : [...unknown, people[exists]!];
}

async function keepAll(
  deps: Deps,
  asked: readonly Known[],
  decisions: ReadonlyMap<string, Decision>,
): Promise<void> {
  const checkedAt = deps.clock.now();
  for (const { target, hash } of asked) {
    const decision = decisions.get(target.address);
    // What was left unsaid of one candidate is no answer about it.
    if (decision === undefined || REASONS[decision.reason] === "unknown") continue;
    const { reason, isCatchAll, learnt } = decision;
    const hasMx = reason !== "no_mail_host";
    await cacheVerification(
      deps,
      hash,
      target,
      verification(reason, hasMx ? "smtp" : "dns", { hasMx, isCatchAll, checkedAt }),
      learnt,
    );
  }
}

const notConfigured = () =>
  new AppError(
    "unavailable",
    "SMTP_UNAVAILABLE",
    "This deployment has no way to ask mail hosts (VERIFIER_EGRESS).",
  );
