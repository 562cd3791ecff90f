import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";

export interface PlacementBounce {
  /** Of the mail itself, from its return path. */
  ids: readonly string[];
  messageIds: readonly string[];
  /** Null: of whatever workspace. */
  workspaceId: string | null;
  note: string;
}

/**
 * Ends a placement test's mail that came back, with the report's words; one that was seen stays seen, and one that was
 * given up as missing is known now. False where nothing of it is a test's.
 */
export async function endBouncedPlacement(
  db: Db,
  { ids, messageIds, workspaceId, note }: PlacementBounce,
  now: Date,
): Promise<boolean> {
  const { rows } = await db.execute(sql`
    with about as (
      select m.id from placement_mails m join placement_tests t on t.id = m.test_id
      where (m.id = any(${sql.param([...ids])}::uuid[]) or m.message_id = any(${sql.param([...messageIds])}::text[]))
        and m.attempts > 0 and t.deleted_at is null and (${workspaceId}::uuid is null or m.workspace_id = ${workspaceId}::uuid) limit 1
    ), ended as (
      update placement_mails m
      set state = 'bounced', note = ${note}, ended_at = coalesce(m.ended_at, ${instantParam(now)})
      from about where m.id = about.id and m.state in ('transmitting', 'looking', 'missing', 'unreadable', 'unknown') returning m.id
    ) select 1 from about`);
  return rows.length > 0;
}
