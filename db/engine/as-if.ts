import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { type CampaignRow, campaigns } from "../schema/index.ts";

/** The row as JSON by its columns' names. */
const columnsOf = (row: CampaignRow): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(getTableColumns(campaigns)).map(([field, { name }]) => [
        name,
        row[field as keyof CampaignRow],
      ]),
    ),
  );

/**
 * The statement, as it would read if the campaign were this row: within it, `campaigns` and `campaign_senders` are the
 * stored ones with those of this campaign in their place. The row need not be stored at all.
 */
export function asIf(row: CampaignRow | undefined, statement: SQL): SQL {
  if (row === undefined) return statement;
  const senders = sql`${sql.param([
    ...(row.type === "socialnet" ? [] : (row.aliasIds ?? [])),
    ...(row.type === "email" || row.connectedAccountId === null ? [] : [row.connectedAccountId]),
  ])}::uuid[]`;
  return sql`
  with campaigns as materialized (
    select * from campaigns where workspace_id = ${row.workspaceId} and id <> ${row.id}
    union all select * from jsonb_populate_record(null::campaigns, ${columnsOf(row)}::jsonb)
  ), campaign_senders as materialized (
    select * from campaign_senders where campaign_id in (select id from campaigns)
      and (campaign_id <> ${row.id} or lane_id = any(${senders}))
  )
  select * from (${statement}) answered`;
}
