import { type SQL, sql } from "drizzle-orm";
import { instantParam } from "../base/instants.ts";
import { suppressionReason } from "../base/fragments/suppression-reason.ts";
import { approvedEntry } from "../engine/draft-hold.ts";

/** Leads for which the model need not write a step any more, by step. */
export const providedTexts = (campaignId: string, now: Date): SQL => sql`
  select jsonb_object_agg(n, count) as provided from (
    select step.n, count(*) from campaigns c
    cross join lateral jsonb_array_elements(c.steps) with ordinality step(config, n)
    join campaign_leads l on l.campaign_id = c.id
    where c.id = ${campaignId} and step.config @> '{"ai_personalization_enabled": true}'
      and (l.status not in ('pending', 'active') or l.current_step >= step.n or ${approvedEntry(sql`l.metadata`, sql`step.n`)} is not null)
      and ${suppressionReason(sql`l.workspace_id`, sql`l.email_key`, instantParam(now))} is null
    group by step.n) steps`;
