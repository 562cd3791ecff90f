import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";

export interface ToldDelivery {
  /** Of the delivery; a uuid. */
  id: string;
  /** Why it failed, or null: it went out. */
  failure: string | null;
}

/**
 * Records what the provider told of messages that were handed to it; each delivery at most once in `told`. That
 * one went out settles what was in doubt and revives nothing; that it failed counts after an acceptance as well.
 */
export async function settleDeliveries(
  db: Db,
  told: readonly ToldDelivery[],
  now: Date,
): Promise<void> {
  await db.execute(sql`
    update notice_deliveries d
    set state = case when told.failure is null then 'sent' else 'dead' end,
        error = told.failure, lease_until = null, updated_at = ${instantParam(now)}
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as told(id uuid, failure text)
    where d.id = told.id and d.channel = 'whatsapp'
      and (d.state in ('transmitting', 'unknown') or (d.state = 'sent' and told.failure is not null))`);
}
