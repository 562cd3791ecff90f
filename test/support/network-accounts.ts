import { randomUUID } from "node:crypto";
import type pg from "pg";

/** A connected account of a network and its lane, as a login leaves them. */
export async function insertAccount(
  sql: pg.Pool,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  status: "connected" | "disconnected" | "error" = "connected",
): Promise<string> {
  const id = randomUUID();
  await sql.query(
    `insert into connected_accounts (id, workspace_id, user_id, created_at, updated_at, provider, provider_account_id, display_name, profile_url, is_premium,
       status, status_since, checkpoint_pending, is_default, daily_connection_limit, daily_message_limit, warmup_days, warmup_from, failures)
     values ($1::uuid, $2, $3, now(), now(), 'socialnet', $1::uuid::text, 'Ada', '', false, $4::text, now(), false,
       not exists (select 1 from connected_accounts where workspace_id = $2), 20, 50, 14, now(), 0)`,
    [id, workspaceId, userId, status],
  );
  await sql.query(
    `insert into sender_lanes (id, workspace_id, kind, open, slot_no, day_cap, used, connection_cap, failures, updated_at)
     values ($1, $2, 'socialnet', $3, 0, 14, 0, 4, 0, now())`,
    [id, workspaceId, status === "connected"],
  );
  return id;
}
