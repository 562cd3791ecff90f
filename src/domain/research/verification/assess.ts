import { isDisposableDomain } from "#db/research/disposable-domains.ts";
import type { Deps } from "#src/deps.ts";
import { hashOf, cacheVerification, readCached } from "./cache.ts";
import type { Verification } from "./outcome.ts";
import { prefilter } from "./prefilter/prefilter.ts";
import { readTarget } from "./target.ts";
import { type Traits, type Verdict, verdictOf } from "./verdict.ts";
import { verifyAddress, type VerifyOptions } from "./verify-address.ts";

/** From any text to a verdict: the lists, what is kept, DNS and the mail hosts. */
export async function assess(
  deps: Deps,
  text: string,
  options: Omit<VerifyOptions, "rejects"> = {},
): Promise<Verdict> {
  const found = await verifyAddress(deps, text, { ...options, rejects: isRejected });
  if (found.reason === "hard_reject") await cacheReject(deps, text, found);
  return judge(deps, text, found);
}

/** The stored verdict on an address, at no cost; null where none is fresh. */
export async function knownVerdict(deps: Deps, text: string): Promise<Verdict | null> {
  const target = readTarget(text);
  if (target === null) return null;
  const { fresh } = await readCached(deps, await hashOf(target), target);
  return fresh === null || isOverruled(text, fresh)
    ? null
    : judge(deps, text, { ...fresh, backend: "cache" });
}

const isRejected = (text: string): boolean => prefilter(text).reject !== null;

/** What is known of a whole domain does not hold for an address that the lists refuse. */
export const isOverruled = (text: string, { reason }: Verification): boolean =>
  isRejected(text) && reason !== "hard_reject";

/** Cached like any other result: a caller that asks again pays nothing. */
async function cacheReject(deps: Deps, text: string, found: Verification): Promise<void> {
  const target = readTarget(text);
  if (target !== null) await cacheVerification(deps, await hashOf(target), target, found, null);
}

async function judge(deps: Deps, text: string, found: Verification): Promise<Verdict> {
  return verdictOf(found, await traitsOf(deps, text));
}

/** What an address shows without a probe. */
export async function traitsOf({ db }: Pick<Deps, "db">, text: string): Promise<Traits> {
  const { address, isRole } = prefilter(text);
  const isDisposable = address !== null && (await isDisposableDomain(db, address.domain));
  return { isFormat: address !== null, isRole, isDisposable };
}
