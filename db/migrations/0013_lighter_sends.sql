-- The same jitter, without a query of its own for each call: 2 microseconds instead of 28.
create or replace function lane_jitter(lane uuid, slot_no bigint) returns double precision
language plpgsql immutable parallel safe as $$
declare
  h bigint := ('x' || right(lane::text, 8))::bit(32)::bigint # ((slot_no & 4294967295) * 1540483477 & 4294967295);
begin
  h := (h # (h >> 15)) * 1540483477 & 4294967295;
  h := (h # (h >> 13)) * 1540483477 & 4294967295;
  return (h # (h >> 16)) / 4294967296.0 * 0.3;
end $$;
--> statement-breakpoint
DROP INDEX "campaign_leads_by_lead";--> statement-breakpoint
DROP INDEX "campaign_leads_lead";--> statement-breakpoint
DROP INDEX "campaign_senders_lane";--> statement-breakpoint
DROP INDEX "sends_message_id";--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_leads_lead" ON "campaign_leads" USING btree ("lead_id","campaign_id");--> statement-breakpoint
CREATE INDEX "campaign_senders_lane" ON "campaign_senders" USING btree ("lane_id");--> statement-breakpoint
CREATE INDEX "sends_message_id" ON "sends" USING btree ("message_id") WHERE "sends"."message_id" is not null;--> statement-breakpoint
-- Two small tables whose rows each send changes: with room on their pages most changes touch no index.
alter table sender_lanes set (fillfactor = 50);
--> statement-breakpoint
alter table campaign_senders set (fillfactor = 50);
