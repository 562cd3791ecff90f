import { claimProbing, endProbing } from "#db/research/verifications.ts";
import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/errors.ts";
import { askMailHosts, planVerification, VERIFY_BUDGET_MS } from "./ask.ts";
import { type Decision, unasked } from "./decide.ts";
import { noteEgress } from "./egress-health.ts";
import { hashOf, cacheVerification, type Cached, readCached, verification } from "./cache.ts";
import { findAndKeepMailHosts } from "./recipient-domains.ts";
import { operatorOf } from "./operator.ts";
import type { Verification } from "./outcome.ts";
import { endConnection, acquireConnection } from "./pacing.ts";
import { askAgainLater } from "./recheck.ts";
import { readTarget, type Target } from "./target.ts";

export interface VerifyOptions {
  /** Says no to an address by its syntax or by a list, before anything is asked. */
  rejects?: (address: string) => boolean | Promise<boolean>;
  /** Asks though an answer is kept. It joins a probe under way all the same. */
  force?: boolean;
  /** A background job: urgent probes go first, and a greylist is the caller's to wait out. */
  isUnhurried?: boolean;
  signal?: AbortSignal;
}

/** A probe's budget and the wait for its turn; after that its worker is dead and not waited for. */
const CLAIM_MS = VERIFY_BUDGET_MS + 6_000;
const LOOK_MS = 200;
const NOTHING = { hasMx: null, isCatchAll: null };

/**
 * From an address to what is known of it: the lists, what is kept, DNS, and then the mail hosts, one probe at a time
 * for each address. Throws SMTP_UNAVAILABLE where only they could tell and there is no way to them.
 */
export async function verifyAddress(
  deps: Deps,
  text: string,
  options: VerifyOptions = {},
): Promise<Verification> {
  const now = deps.clock.now();
  const nothing = { ...NOTHING, checkedAt: now };
  const target = readTarget(text);
  if (target === null || (await options.rejects?.(text)))
    return verification("hard_reject", "prefilter", nothing);
  if (isSpared(deps.settings.verifier.doNotProbe, target.domain))
    return verification("do_not_probe", "prefilter", nothing);
  const hash = await hashOf(target);
  const kept = await readCached(deps, hash, target);
  if (kept.fresh && !options.force) return { ...kept.fresh, backend: "cache" };
  const until = new Date(now.getTime() + CLAIM_MS);
  const claimed = await claimProbing(deps.db, hash, { now, until, seen: kept.checkedAt });
  if (!claimed) return joinProbe(deps, hash, target, kept);
  const known = { isCatchAll: options.force ? null : kept.domainIsCatchAll };
  const { learnt, ...found } = await probe(deps, target, known, options).catch(
    async (error: unknown) => {
      await endProbing(deps.db, hash);
      throw error;
    },
  );
  if (!(await cacheVerification(deps, hash, target, found, learnt)))
    await endProbing(deps.db, hash);
  if (found.reason === "greylisted" && !options.isUnhurried)
    await askAgainLater(deps, target.address, hash);
  return found;
}

/** Domains that asked to be left alone, and those under them. */
export const isSpared = (spared: readonly string[], domain: string): boolean =>
  spared.some((each) => domain === each || domain.endsWith(`.${each}`));

/** Another worker probes the address: waits for its answer. */
async function joinProbe(
  deps: Deps,
  hash: string,
  target: Target,
  before: Cached,
): Promise<Verification> {
  for (;;) {
    const kept = await readCached(deps, hash, target);
    const isNew = kept.checkedAt?.getTime() !== before.checkedAt?.getTime();
    if (isNew && kept.fresh) return kept.fresh;
    // It told nothing of the address (`keptSeconds`), or its worker is dead: this caller has not had its turn.
    if (!kept.isProbing)
      return verification("paced", "smtp", { ...NOTHING, checkedAt: deps.clock.now() });
    await deps.clock.sleepUntil(new Date(deps.clock.now().getTime() + LOOK_MS));
  }
}

async function probe(
  deps: Deps,
  target: Target,
  known: { isCatchAll: boolean | null },
  { signal, isUnhurried = false }: VerifyOptions,
): Promise<Verification & Pick<Decision, "learnt">> {
  const answer = ({ reason, isCatchAll, learnt }: Decision, hasMx: boolean | null) => {
    const rest = { hasMx, isCatchAll, checkedAt: deps.clock.now() };
    return { ...verification(reason, hasMx === true ? "smtp" : "dns", rest), learnt };
  };
  const found = await findAndKeepMailHosts(deps, target.domain);
  if (found.kind === "none")
    return answer(unasked(found.reason), found.reason === "dns_failed" ? null : false);
  const { mailProbe } = deps;
  if (mailProbe === null)
    throw new AppError(
      "unavailable",
      "SMTP_UNAVAILABLE",
      "This deployment has no way to ask mail hosts (VERIFIER_EGRESS).",
    );
  const plan = planVerification(deps, target, found.hosts, known);
  const lease = await acquireConnection(deps, {
    operator: operatorOf(found.hosts[0]!).key,
    leaseMs: VERIFY_BUDGET_MS,
    isUrgent: !isUnhurried,
    recipients: plan.random === null ? 1 : 2,
  });
  if (lease === null) return answer(unasked("paced"), true);
  const { decision, run } = await askMailHosts(mailProbe, plan, known, signal);
  const ended = run.closed.then(() => endConnection(deps, lease, target.domain, run));
  // An unhurried caller comes back once its operator's row has the result.
  if (isUnhurried) await ended;
  else deps.background(ended);
  await noteEgress(deps, run.failure);
  return answer(decision, decision.reason !== "no_mail_host");
}
