CREATE TABLE "campaign_lead_sums" (
	"campaign_id" uuid NOT NULL,
	"status" text,
	"leads" integer NOT NULL,
	"held" integer NOT NULL,
	"is_sum" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX "campaign_lead_sums_campaign" ON "campaign_lead_sums" USING btree ("is_sum","campaign_id");--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_lead_sums_once" ON "campaign_lead_sums" USING btree ("campaign_id","status") WHERE "campaign_lead_sums"."is_sum";--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "conversations_counted" ON "conversations" USING btree ("workspace_id","state","class","unread","snoozed_until");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sender_lanes_slots" ON "sender_lanes" USING btree ("next_slot_at","day_until") WHERE "sender_lanes"."open" and "sender_lanes"."next_slot_at" is not null;--> statement-breakpoint
DROP INDEX "sender_lanes_due";
--> statement-breakpoint
create function sum_leads_made() returns trigger language plpgsql as $$
begin
  insert into campaign_lead_sums (campaign_id, status, leads, held)
  select campaign_id, status, sum(leads), sum(held) from (select campaign_id, status, 1 as leads, 1 * (hold_reason is not null)::int as held from made) changed
  group by campaign_id, status having sum(leads) <> 0 or sum(held) <> 0;
  return null;
end $$;
--> statement-breakpoint
create function sum_leads_changed() returns trigger language plpgsql as $$
begin
  insert into campaign_lead_sums (campaign_id, status, leads, held)
  select campaign_id, status, sum(leads), sum(held) from (select campaign_id, status, -1 as leads, -1 * (hold_reason is not null)::int as held from old_leads union all select campaign_id, status, 1 as leads, 1 * (hold_reason is not null)::int as held from new_leads) changed
  group by campaign_id, status having sum(leads) <> 0 or sum(held) <> 0;
  return null;
end $$;
--> statement-breakpoint
create function sum_leads_gone() returns trigger language plpgsql as $$
begin
  insert into campaign_lead_sums (campaign_id, status, leads, held)
  select campaign_id, status, sum(leads), sum(held) from (select campaign_id, status, -1 as leads, -1 * (hold_reason is not null)::int as held from gone) changed
  group by campaign_id, status having sum(leads) <> 0 or sum(held) <> 0;
  return null;
end $$;
--> statement-breakpoint
create trigger sum_leads_made after insert on campaign_leads referencing new table as made
for each statement when (coalesce(current_setting('overture.moving', true), '') = '') execute function sum_leads_made();
--> statement-breakpoint
create trigger sum_leads_changed after update on campaign_leads referencing old table as old_leads new table as new_leads
for each statement execute function sum_leads_changed();
--> statement-breakpoint
create trigger sum_leads_gone after delete on campaign_leads referencing old table as gone
for each statement when (coalesce(current_setting('overture.moving', true), '') = '') execute function sum_leads_gone();
--> statement-breakpoint
create function counted_leads(p_campaign uuid) returns table (status text, leads int, held int) language plpgsql stable as $$
begin
  return query select l.status, count(*)::int, count(l.hold_reason)::int from campaign_leads l where l.campaign_id = p_campaign group by l.status;
end $$;
--> statement-breakpoint
insert into campaign_lead_sums (campaign_id, leads, held) select id, 0, 0 from campaigns;
