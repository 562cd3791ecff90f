import { searchProspects } from "#db/research/prospects.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { chargeForEach, insufficientCredits } from "#src/domain/billing/credits/charge.ts";
import { CREDIT_COSTS } from "#src/domain/billing/credits/packs.ts";
import { requireBalance } from "#src/domain/billing/credits/read.ts";
import { normalTags } from "./tags.ts";

export interface Prospect {
  profileUrl: string;
  fullName: string;
  company: string | null;
  title: string | null;
  location: string | null;
  tags: string[];
  matchedTags: string[];
  /** The share of the tags asked for that fit: 0 to 1. */
  score: number;
}

export interface ProspectQuery {
  tags: readonly string[];
  limit: number;
}

/** Prospects that most of the tags fit, best first, at most `limit`; may be empty. */
export async function findProspects(
  { db }: Pick<Deps, "db">,
  { tags, limit }: ProspectQuery,
): Promise<Prospect[]> {
  const asked = normalTags(tags);
  const found = await searchProspects(db, { tags: asked, limit });
  return found.map((prospect) => ({
    ...prospect,
    score: Math.round((prospect.matchedTags.length / asked.length) * 1000) / 1000,
  }));
}

/** The same for a key holder: a credit for each person found. */
export async function searchForCredits(
  deps: Deps,
  principal: Principal,
  query: ProspectQuery,
): Promise<Prospect[]> {
  const found = await findAffordable(deps, principal, query);
  const refIds = found.map(() => deps.ids.uuid());
  return chargeForEach(deps, principal, { refType: "prospect_found", refIds }, async () => ({
    spent: found.length,
    value: found,
  }));
}

/**
 * Looks before any credit is held, so that no more is held than was found: what a hold takes is told of and written in
 * the ledger. With fewer credits than could be found nothing is searched: 403.
 */
export async function findAffordable(
  deps: Deps,
  principal: Principal,
  query: ProspectQuery,
): Promise<Prospect[]> {
  const needed = query.limit * CREDIT_COSTS.prospect_found;
  if (needed > (await requireBalance(deps, principal)).available) throw insufficientCredits(needed);
  return findProspects(deps, query);
}
