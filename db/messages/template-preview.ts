import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { commit } from "../base/client.ts";
import { leadFields, readProfile } from "../engine/context.ts";
import type { SenderProfileContext } from "../engine/step-context.ts";

export interface TemplateValues {
  /** As a send has them; null where the workspace has no such lead. */
  lead: Record<string, unknown> | null;
  /** The default one. */
  profile: SenderProfileContext | null;
}

/** What a template's variables stand for, with a lead of any dataset. */
export async function loadTemplateValues(
  db: Db,
  workspaceId: string,
  leadId: string | null,
): Promise<TemplateValues> {
  const [leads, profiles] = await commit(db, [
    db.execute(
      sql`select to_jsonb(l) as lead from leads l where l.workspace_id = ${workspaceId} and l.id = ${leadId}::uuid`,
    ),
    db.execute(
      sql`select p.* from sender_profiles p where p.workspace_id = ${workspaceId} and p.is_default`,
    ),
  ]);
  const [lead] = leads.rows as { lead: Record<string, unknown> }[];
  const [profile] = profiles.rows;
  return {
    lead: lead === undefined ? null : leadFields(lead.lead),
    profile: profile === undefined ? null : readProfile(profile),
  };
}
