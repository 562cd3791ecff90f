import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { integer, orNull, rowReader, text } from "../base/rows.ts";

const readRecipients = rowReader({ count: integer, digest: orNull(text), texts: orNull(text) });

/**
 * The recipients of a campaign and their texts, in one value that any change of them changes: of one that never ran the
 * rows of its dataset, else its own leads that have not ended; and the templates of its steps.
 */
export async function digestRecipients(
  db: Db,
  campaign: { id: string; workspaceId: string; datasetId: string; launchedAt: Date | null },
  templateIds: string[],
): Promise<{ count: number; digest: string | null; texts: string | null }> {
  const { id, workspaceId, datasetId, launchedAt } = campaign;
  const recipients =
    launchedAt === null
      ? sql`select row_index, concat_ws('|', id, email, profile_url, updated_at) as one from leads
          where workspace_id = ${workspaceId} and dataset_id = ${datasetId}`
      : sql`select row_index, concat_ws('|', id, email, profile_url, next_step) as one from campaign_leads
          where campaign_id = ${id} and status in ('pending', 'active')`;
  const { rows } = await db.execute(sql`
    select count(*)::int as count, md5(string_agg(one, ',' order by row_index)) as digest,
      (select string_agg(concat_ws('.', t.id, t.revision), ',' order by t.id) from templates t
        where t.workspace_id = ${workspaceId} and t.id = any(${sql.param(templateIds)}::uuid[])) as texts
    from (${recipients}) r`);
  return readRecipients(rows[0]!);
}
