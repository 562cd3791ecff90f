import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import type { VerificationVerdict } from "../schema/index.ts";

/** Writes an address's verdict on the workspace's leads that have it; not their `updated_at`, which is for users' changes. */
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
