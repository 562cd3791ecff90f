import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { disposableDomains } from "../schema/index.ts";
import { textArray } from "../base/text-array.ts";

/** Whether the domain, or one above it, hands out mailboxes for minutes. */
export async function isDisposableDomain(db: Db, domain: string): Promise<boolean> {
  return (await disposableAmong(db, [domain])).has(domain);
}

/** Those of the domains that do. */
export async function disposableAmong(
  db: Db,
  domains: readonly string[],
): Promise<ReadonlySet<string>> {
  const names = new Set(domains.flatMap(domainAndParents));
  if (names.size === 0) return names;
  const rows = await db
    .select({ domain: disposableDomains.domain })
    .from(disposableDomains)
    .where(sql`${disposableDomains.domain} = any(${textArray([...names])}::text[])`);
  const listed = new Set(rows.map(({ domain }) => domain));
  return new Set(domains.filter((each) => domainAndParents(each).some((name) => listed.has(name))));
}

/** `a.b.zz`: itself and `b.zz`, not the top-level domain. */
export function domainAndParents(domain: string): string[] {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}
