import { inArray } from "drizzle-orm";
import type { Db } from "./client.ts";
import { disposableDomains } from "./schema/index.ts";

/** Whether the domain, or one above it, hands out mailboxes for minutes. */
export async function isDisposableDomain(db: Db, domain: string): Promise<boolean> {
  const rows = await db
    .select({ domain: disposableDomains.domain })
    .from(disposableDomains)
    .where(inArray(disposableDomains.domain, domainAndParents(domain)))
    .limit(1);
  return rows.length > 0;
}

/** `a.b.zz`: itself and `b.zz`. A top-level domain is nobody's. */
export function domainAndParents(domain: string): string[] {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}
