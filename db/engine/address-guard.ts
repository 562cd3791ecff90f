import { type SQL, sql } from "drizzle-orm";

/** One address gets mail of at most one campaign of a workspace in this time. */
export const ADDRESS_GUARD_MS = 24 * 3_600_000;
export const ADDRESS_GUARD = sql.raw(`interval '${ADDRESS_GUARD_MS / 3_600_000} hours'`);

/** Whether a send `o` keeps its address from other campaigns: its mail went out within that time, or may have. */
export const guardsAddress = (at: SQL): SQL => sql`(o.accepted_at > ${at} - ${ADDRESS_GUARD}
  or (o.state in ('transmitting', 'unknown') and o.transmitting_at > ${at} - ${ADDRESS_GUARD}))`;

/** `until` when mail of other campaigns keeps the address of this row (a send or a campaign lead) from its own; a table of one row. */
export const addressGuardOf = (row: SQL, at: SQL): SQL => sql`(
  select max(coalesce(o.accepted_at, o.transmitting_at)) + ${ADDRESS_GUARD} as until from sends o
  where o.workspace_id = ${row}.workspace_id and o.email_key = ${row}.email_key and o.campaign_id <> ${row}.campaign_id
    and ${guardsAddress(at)})`;
