import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { bool, orNull, rowReader, typed } from "../base/rows.ts";
import { textArray } from "../base/text-array.ts";

const readKnown = rowReader({
  reasons: typed<Record<string, string>>(),
  isCatchAll: orNull(bool),
});

export interface KnownAddresses {
  /** By the hash of the address; addresses never verified, or too long ago, are left out. */
  reasons: Record<string, string>;
  /** Of the domain. */
  isCatchAll: boolean | null;
}

/** The stored results on several addresses of one domain, in one query. */
export async function readKnownAddresses(
  db: Db,
  { hashes, domain, now }: { hashes: readonly string[]; domain: string; now: Date },
): Promise<KnownAddresses> {
  const { rows } = await db.execute(sql`
    select
      (select coalesce(jsonb_object_agg(key_hash, reason), '{}') from verified_addresses
       where key_hash = any(${textArray(hashes)}::text[]) and reason is not null
         and expires_at > ${instantParam(now)}) as reasons,
      (select is_catch_all from verified_domains
       where domain = ${domain} and expires_at > ${instantParam(now)}) as is_catch_all`);
  return readKnown(rows[0]!);
}
