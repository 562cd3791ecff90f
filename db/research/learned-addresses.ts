import { eq, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { learnedAddresses } from "../schema/index.ts";

/** More than that say nothing new about a company, however large. */
export const LEARNED_OF_A_DOMAIN = 50;

export interface Learned {
  /** How many known addresses of the domain have each pattern. */
  patterns: Record<string, number>;
  /** By the hash of the address, the hash of the name that it was found for. */
  owners: ReadonlyMap<string, string>;
}

/** What is known of a domain's addresses. */
export async function readLearned(db: Db, domain: string): Promise<Learned> {
  const rows = await db.select().from(learnedAddresses).where(eq(learnedAddresses.domain, domain));
  const patterns: Record<string, number> = {};
  for (const { pattern } of rows) patterns[pattern] = (patterns[pattern] ?? 0) + 1;
  const owned = rows.flatMap(({ addressHash, ownerHash }) =>
    ownerHash === null ? [] : [[addressHash, ownerHash] as const],
  );
  return { patterns, owners: new Map(owned) };
}

/** An address counts once, by what it was first known for; one learned without a name has the first one that it is found for. */
export async function learnAddress(
  db: Db,
  learned: {
    domain: string;
    addressHash: string;
    pattern: string;
    ownerHash: string;
    now: Date;
  },
): Promise<void> {
  const { domain, addressHash, pattern, ownerHash, now } = learned;
  await db.execute(sql`
    insert into learned_addresses (domain, address_hash, pattern, owner_hash, learned_at)
    select ${domain}, ${addressHash}, ${pattern}, ${ownerHash}, ${instantParam(now)}
    where (select count(*) from learned_addresses where domain = ${domain}) < ${LEARNED_OF_A_DOMAIN}
    on conflict (domain, address_hash) do update set owner_hash = excluded.owner_hash
    where learned_addresses.owner_hash is null`);
}
