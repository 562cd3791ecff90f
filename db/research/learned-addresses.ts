import { count, eq, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { learnedAddresses } from "../schema/index.ts";

/** More than that say nothing new about a company, however large. */
export const LEARNED_OF_A_DOMAIN = 50;

/** How many known addresses of the domain have each pattern. */
export async function countPatterns(db: Db, domain: string): Promise<Record<string, number>> {
  const rows = await db
    .select({ pattern: learnedAddresses.pattern, count: count() })
    .from(learnedAddresses)
    .where(eq(learnedAddresses.domain, domain))
    .groupBy(learnedAddresses.pattern);
  return Object.fromEntries(rows.map((row) => [row.pattern, row.count]));
}

/** An address counts once, by what it was first known for. */
export async function learnAddress(
  db: Db,
  learned: { domain: string; addressHash: string; pattern: string; now: Date },
): Promise<void> {
  const { domain, addressHash, pattern, now } = learned;
  await db.execute(sql`
    insert into learned_addresses (domain, address_hash, pattern, learned_at)
    select ${domain}, ${addressHash}, ${pattern}, ${instantParam(now)}
    where (select count(*) from learned_addresses where domain = ${domain}) < ${LEARNED_OF_A_DOMAIN}
    on conflict do nothing`);
}
