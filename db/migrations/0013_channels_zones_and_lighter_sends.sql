CREATE TABLE "campaign_zones" (
	"campaign_id" uuid NOT NULL,
	"zone" text NOT NULL,
	"open_from" timestamp (3) with time zone NOT NULL,
	"open_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "campaign_zones_campaign_id_zone_pk" PRIMARY KEY("campaign_id","zone")
);
--> statement-breakpoint
ALTER TABLE "sender_lanes" DROP CONSTRAINT "sender_lanes_kind";--> statement-breakpoint
DROP INDEX "campaign_leads_by_lead";--> statement-breakpoint
DROP INDEX "campaign_leads_lead";--> statement-breakpoint
DROP INDEX "campaign_leads_follow_up";--> statement-breakpoint
DROP INDEX "campaign_leads_new";--> statement-breakpoint
DROP INDEX "campaign_senders_lane";--> statement-breakpoint
DROP INDEX "sends_message_id";--> statement-breakpoint
ALTER TABLE "campaign_leads" ADD COLUMN "next_channel" text;--> statement-breakpoint
ALTER TABLE "campaign_leads" ADD COLUMN "zone" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "first_channel" text GENERATED ALWAYS AS (steps -> 0 ->> 'channel') STORED;--> statement-breakpoint
ALTER TABLE "engine_state" ADD COLUMN "sends_per_second" real;--> statement-breakpoint
ALTER TABLE "send_bodies" ADD COLUMN "written_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "campaign_zones" ADD CONSTRAINT "campaign_zones_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "campaign_zones_window" ON "campaign_zones" USING btree ("open_until");--> statement-breakpoint
CREATE INDEX "campaign_leads_pool" ON "campaign_leads" USING btree ("campaign_id","next_channel","zone","next_action_at") WHERE "campaign_leads"."status" = 'active' and "campaign_leads"."alias_id" is null and "campaign_leads"."next_action_at" is not null and "campaign_leads"."hold_reason" is null;--> statement-breakpoint
CREATE INDEX "campaign_leads_open" ON "campaign_leads" USING btree ("campaign_id","status") WHERE "campaign_leads"."status" in ('pending', 'active');--> statement-breakpoint
CREATE INDEX "send_bodies_written" ON "send_bodies" USING btree ("written_at");--> statement-breakpoint
CREATE INDEX "sends_lane" ON "sends" USING btree ("lane_id","slot_at");--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_leads_lead" ON "campaign_leads" USING btree ("lead_id","campaign_id");--> statement-breakpoint
CREATE INDEX "campaign_leads_follow_up" ON "campaign_leads" USING btree ("campaign_id","alias_id","zone","next_action_at") WHERE "campaign_leads"."status" = 'active' and "campaign_leads"."next_action_at" is not null and "campaign_leads"."hold_reason" is null;--> statement-breakpoint
CREATE INDEX "campaign_leads_new" ON "campaign_leads" USING btree ("campaign_id","zone","next_action_at","row_index") WHERE "campaign_leads"."status" = 'pending' and "campaign_leads"."next_action_at" is not null and "campaign_leads"."hold_reason" is null;--> statement-breakpoint
CREATE INDEX "campaign_senders_lane" ON "campaign_senders" USING btree ("lane_id");--> statement-breakpoint
CREATE INDEX "sends_message_id" ON "sends" USING btree ("message_id") WHERE "sends"."message_id" is not null;--> statement-breakpoint
ALTER TABLE "sender_lanes" ADD CONSTRAINT "sender_lanes_kind" CHECK ("sender_lanes"."kind" in ('email', 'socialnet'));
--> statement-breakpoint
-- Texts of before have the time at which their message was handed over.
UPDATE "send_bodies" b SET "written_at" = s."transmitting_at" FROM "sends" s WHERE s."id" = b."send_id";
--> statement-breakpoint
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
-- Two small tables whose rows each send changes: with room on their pages most changes touch no index.
alter table sender_lanes set (fillfactor = 50);
--> statement-breakpoint
alter table campaign_senders set (fillfactor = 50);