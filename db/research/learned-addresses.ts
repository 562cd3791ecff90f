import { eq, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { learnedAddresses } from "../schema/index.ts";

/** More than that say nothing new about a company, however large. */
export const LEARNED_OF_A_DOMAIN = 50;

export interface Learned {
  /** How many known addresses of the domain have each pattern. */
  patterns: Record<string, number>;
  /** By the hash of the address, the hash of the name that it was last found for. */
  owners: ReadonlyMap<string, string>;
}

/** What is known of a domain's addresses; whose they are, where it was learned since. */
export async function readLearned(db: Db, domain: string, since: Date): Promise<Learned> {
  const rows = await db.select().from(learnedAddresses).where(eq(learnedAddresses.domain, domain));
  const patterns: Record<string, number> = {};
  for (const { pattern } of rows) patterns[pattern] = (patterns[pattern] ?? 0) + 1;
  const owned = rows.flatMap(({ addressHash, ownerHash, learnedAt }) =>
    ownerHash === null || learnedAt < since ? [] : [[addressHash, ownerHash] as const],
  );
  return { patterns, owners: new Map(owned) };
}

/**
 * An address counts once, by what it was first known for. It has the first name that it is found for, and from `since` on the
 * next one; null is no name.
 */
export async function learnAddress(
  db: Db,
  learned: {
    domain: string;
    addressHash: string;
    pattern: string;
    ownerHash: string | null;
    since: Date;
    now: Date;
  },
): Promise<void> {
  const { domain, addressHash, pattern, ownerHash, since, now } = learned;
  await db.execute(sql`
    insert into learned_addresses (domain, address_hash, pattern, owner_hash, learned_at)
    select ${domain}, ${addressHash}, ${pattern}, ${ownerHash}, ${instantParam(now)}
    where (select count(*) from learned_addresses where domain = ${domain} and address_hash <> ${addressHash}) < ${LEARNED_OF_A_DOMAIN}
    on conflict (domain, address_hash) do update set owner_hash = excluded.owner_hash, learned_at = excluded.learned_at
    where excluded.owner_hash is not null
      and (learned_addresses.owner_hash is null or learned_addresses.learned_at < ${instantParam(since)})`);
}
