/** A move's own inserts and deletions: the sums go with the leads (`db/workspace/moving/`). */
const NOT_BY_A_MOVE = "coalesce(current_setting('overture.moving', true), '') = ''";

const rowsOf = (relation: string, sign: 1 | -1): string =>
  `select campaign_id, status, ${sign} as leads, ${sign} * (hold_reason is not null)::int as held from ${relation}`;

const functionText = (
  name: string,
  rows: readonly string[],
): string => `create function ${name}() returns trigger language plpgsql as $$
begin
  insert into campaign_lead_sums (campaign_id, status, leads, held)
  select campaign_id, status, sum(leads), sum(held) from (${rows.join(" union all ")}) changed
  group by campaign_id, status having sum(leads) <> 0 or sum(held) <> 0;
  return null;
end $$;`;

/**
 * The triggers that keep the sums of leads, as a migration makes them. Once a statement, because launches, drains and
 * claims change many leads by one: what it changes of a campaign and a status is one row, and what it leaves as it is none.
 */
export const LEAD_SUM_TRIGGERS = [
  functionText("sum_leads_made", [rowsOf("made", 1)]),
  functionText("sum_leads_changed", [rowsOf("old_leads", -1), rowsOf("new_leads", 1)]),
  functionText("sum_leads_gone", [rowsOf("gone", -1)]),
  `create trigger sum_leads_made after insert on campaign_leads referencing new table as made
for each statement when (${NOT_BY_A_MOVE}) execute function sum_leads_made();`,
  `create trigger sum_leads_changed after update on campaign_leads referencing old table as old_leads new table as new_leads
for each statement execute function sum_leads_changed();`,
  `create trigger sum_leads_gone after delete on campaign_leads referencing old table as gone
for each statement when (${NOT_BY_A_MOVE}) execute function sum_leads_gone();`,
].join("\n--> statement-breakpoint\n");

/**
 * The leads of a campaign of before there were sums, counted. A function, because a read is planned each time: with twenty
 * indexes to weigh a count that is hardly ever made took a third of it.
 */
export const COUNTED_LEADS = `create function counted_leads(p_campaign uuid) returns table (status text, leads int, held int) language plpgsql stable as $$
begin
  return query select l.status, count(*)::int, count(l.hold_reason)::int from campaign_leads l where l.campaign_id = p_campaign group by l.status;
end $$;`;
