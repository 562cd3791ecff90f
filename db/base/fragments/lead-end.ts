import { type SQL, sql } from "drizzle-orm";
import type { CampaignLeadStatus } from "../../schema/index.ts";
import type { Db } from "../client.ts";
import { instantParam } from "../instants.ts";

export interface LeadEnd {
  status: CampaignLeadStatus | SQL;
  stopReason: string | SQL;
  /** What the leads say of it as their last error; absent, what they said stays. */
  words?: string | undefined;
}

/** What is set of `campaign_leads l` that end: nothing comes next, and nothing holds them. */
export const leadEnd = ({ status, stopReason, words }: LeadEnd, now: Date): SQL => sql`
  status = ${status}, stop_reason = ${stopReason}, ${words === undefined ? sql`` : sql`last_error = ${words}::text, `}next_step = null, next_action_at = null,
  hold_reason = null, hold_until = null, updated_at = ${instantParam(now)}`;

/** Ends those of the leads `l` that have not ended, in campaigns `c`; answers in which. */
export const endLeadsStatement = (db: Db, end: LeadEnd, now: Date, where: SQL) =>
  db.execute<{ campaign_id: string }>(sql`
    with ended as (
      update campaign_leads l set ${leadEnd(end, now)}
      from campaigns c where c.id = l.campaign_id and l.status in ('pending', 'active') and ${where}
      returning l.campaign_id
    ) select distinct campaign_id from ended`);
