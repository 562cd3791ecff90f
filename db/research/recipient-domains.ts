import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { rowReader, text } from "../base/rows.ts";

/** What DNS said of a domain's mail hosts; the operator is null where it has none. */
export interface FoundOperator {
  domain: string;
  operator: string | null;
}

interface Keeping {
  now: Date;
  /** When DNS is asked again. */
  dueAt: Date;
}

/** Keeps what DNS answered, and that these domains are of use. */
export async function keepOperators(
  db: Db,
  found: readonly FoundOperator[],
  { now, dueAt }: Keeping,
): Promise<void> {
  if (found.length === 0) return;
  const at = instantParam(now);
  await db.execute(sql`
    insert into recipient_domains as r (domain, operator, looked_up_at, due_at, used_at)
    select distinct on (f.domain) f.domain, f.operator, ${at}, ${instantParam(dueAt)}, ${at}
    from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as f(domain text, operator text) order by f.domain
    on conflict (domain) do update set operator = excluded.operator, looked_up_at = excluded.looked_up_at, due_at = excluded.due_at
    where r.looked_up_at is null or r.looked_up_at <= excluded.looked_up_at`);
}

/** Of the used domains those whose operator is to be looked up, longest due first; none of them comes again before `again`. */
export async function takeDueDomains(
  db: Db,
  { now, again, limit }: { now: Date; again: Date; limit: number },
): Promise<string[]> {
  const { rows } = await db.execute(sql`
    with due as (
      select domain from recipient_domains where due_at <= ${instantParam(now)} order by due_at limit ${limit} for update skip locked
    )
    update recipient_domains r set due_at = ${instantParam(again)} from due where r.domain = due.domain returning r.domain`);
  return rows.map((row) => readDomain(row).domain);
}
const readDomain = rowReader({ domain: text });
