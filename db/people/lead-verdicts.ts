import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import type { VerificationVerdict } from "../schema/index.ts";

/** What is known of an address, on the workspace's leads that have it. Their `updated_at` is of what users change. */
export function noteVerdictsStatement(
  db: Db,
  workspaceId: string,
  found: readonly { email: string; verdict: VerificationVerdict }[],
) {
  return db.execute(sql`
    update leads l set verification = found.verdict
    from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as found(email text, verdict jsonb)
    where l.workspace_id = ${workspaceId} and l.email_key = found.email`);
}
