import { type SQL, sql } from "drizzle-orm";
import { instantParam } from "../instants.ts";
import { suppressionReason, type Way } from "./suppression-reason.ts";

/**
 * The id of a lead within a campaign: derived from both, so that each writer of the row gives it the same one. It begins
 * as the lead's own id does, so that a campaign's rows lie in the index in the order of its dataset (UUID version 7, RFC
 * 9562). A lead of before there were such ids has version 4 in both, and in a campaign the id that it always had there.
 */
export const campaignLeadId = (campaignId: SQL, leadId: SQL): SQL => {
  const hash = sql`md5(${campaignId}::text || ${leadId}::text)`;
  return sql`case when substr(${leadId}::text, 15, 1) = '7' then left(${leadId}::text, 18) || '8' || right(${hash}, 15)
    else overlay(overlay(${hash} placing '4' from 13) placing '8' from 17) end::uuid`;
};

/** Whether an address or its domain gets nothing this way from the workspace; for SQL that has the lead as `lead`. */
export const isSuppressed = (now: Date, way: Way = "mail"): SQL =>
  sql`${suppressionReason(sql`lead.workspace_id`, sql`lead.email_key`, instantParam(now), way)} is not null`;

/** Why there is no way to reach a lead, null if there is; for SQL that has the campaign's type and the lead as `lead`. */
export const unreachableReason = (type: SQL): SQL => sql`case
  when ${type} = 'email' and lead.email_key is null then 'no_email'
  when ${type} = 'socialnet' and lead.profile_url is null then 'no_profile_url'
  when lead.email_key is null and lead.profile_url is null then 'no_email'
  end`;

/** Why a lead cannot take part, null if it can. A campaign on the network alone takes whose mail bounced. */
export const unusableReason = (
  type: SQL,
  now: Date,
): SQL => sql`coalesce(${unreachableReason(type)},
  case when lead.email_key is not null and case ${type} when 'socialnet' then ${isSuppressed(now, "network")} else ${isSuppressed(now)} end
    then 'suppressed' end)`;
