import { type SQL, sql } from "drizzle-orm";

/**
 * Takes what is personal out of the drafts of leads that are deleted (a select of their ids); status and place stay, for
 * the count and the ledger. One that is being written finds no lead any more when it is to be kept.
 */
export const forgetDrafts = (leadIds: SQL): SQL => sql`
  update generations g set subject = null, body = null, lead_snapshot = null, claims = null, sources = null,
    commonality = null, prompt_snapshot = null, error = null, held_reason = null
  where g.lead_id in (${leadIds}) and g.status in ('generated', 'failed')`;
