import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";

/** Deletes what was written before then, the oldest first and no more than `limit`; answers how many. */
export async function forgetBodies(db: Db, before: Date, limit: number): Promise<number> {
  const at = instantParam(before);
  const { rows } = await db.execute<{ forgotten: number }>(sql`
    with old as (
      (select send_id from send_bodies where written_at < ${at} order by written_at limit ${limit})
      union all
      (select b.send_id from send_bodies b join sends s on s.id = b.send_id
       where b.written_at is null and s.transmitting_at < ${at} limit ${limit})
      limit ${limit}
    ), forgotten as (
      delete from send_bodies where send_id = any(array(select old.send_id from old)) returning send_id
    )
    select count(*)::int as forgotten from forgotten`);
  return rows[0]!.forgotten;
}
