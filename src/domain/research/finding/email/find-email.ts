import { learnAddress } from "#db/research/learned-addresses.ts";
import type { Deps } from "#src/deps.ts";
import type { Backend, Reason } from "#src/domain/research/verification/outcome.ts";
import { isSpared } from "#src/domain/research/verification/verify-address.ts";
import { AppError } from "#src/errors.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { readName } from "../names/read-name.ts";
import { candidatesAsked, type EmailAsked } from "./candidates-asked.ts";
import { decideFinding, type EmailFinding } from "./decide-finding.ts";
import { learnReasons } from "./learn-reasons.ts";
import { ownedSince, ownerOf } from "./owner.ts";
import { PATTERN_NAMES } from "./patterns.ts";

/** What of the call's 8 s (the specification's) looking for an address may take. */
export const FIND_EMAIL_MS = 6_800;

export type FoundEmail = (
  | Extract<EmailFinding, { kind: "found" | "catch_all" }>
  | { kind: "not_found" }
) & { backend: Backend };

/**
 * The person's address at the domain: candidates one after the other until the mail host accepts one. `not_found` only when
 * each was refused for good, or a colleague may well have the one that exists; `catch_all` with the best guess where the host takes everything. Throws SMTP_UNAVAILABLE when
 * that could not be told by the deadline, and VALIDATION_ERROR for a name that no address can be made of.
 */
export async function findEmail(
  deps: Deps,
  asked: EmailAsked,
  deadline: Date,
): Promise<FoundEmail> {
  const { domain } = asked;
  const candidates = await candidatesAsked(deps, asked);
  // What no mailbox can be was left out; of nothing else there is nothing to ask.
  if (candidates.length === 0) return { kind: "not_found", backend: "prefilter" };
  if (isSpared(deps.settings.verifier.doNotProbe, domain)) throw unavailable("do_not_probe");
  const { reasons, backend } = await learnReasons(deps, domain, candidates, deadline);
  const finding = decideFinding(candidates, (email) => reasons.get(email));
  if (finding.kind === "undecided") throw unavailable(finding.reason);
  // What is not told teaches how the company writes its addresses all the same, and not whose it is.
  const exists = finding.kind === "not_found" ? finding.likely : finding;
  if (exists !== undefined && finding.kind !== "catch_all" && "firstName" in asked)
    deps.background(learn(deps, asked, exists, finding.kind === "found"));
  return finding.kind === "not_found" ? { kind: "not_found", backend } : { ...finding, backend };
}

async function learn(
  { db, clock }: Pick<Deps, "db" | "clock">,
  { domain, firstName, lastName }: Extract<EmailAsked, { firstName: string }>,
  { email, pattern }: { email: string; pattern: string | null },
  isTold: boolean,
): Promise<void> {
  if (pattern === null || !PATTERN_NAMES.has(pattern)) return;
  const addressHash = await sha256Hex(email);
  const ownerHash = isTold ? await ownerOf(domain, readName(firstName, lastName)) : null;
  const now = clock.now();
  const since = ownedSince(now);
  await learnAddress(db, { domain, addressHash, pattern, ownerHash, since, now });
}

/** Seconds after which another try makes sense. */
const RETRY_AFTER: Partial<Record<Reason, number>> = { greylisted: 360, paced: 10, timeout: 30 };

const unavailable = (reason: Reason) =>
  new AppError(
    "unavailable",
    "SMTP_UNAVAILABLE",
    `The mail host gave no definite answer (${reason}); nothing was charged.`,
    { retryAfter: RETRY_AFTER[reason] ?? 60 },
  );
