ALTER TABLE "sender_lanes" DROP CONSTRAINT "sender_lanes_kind";--> statement-breakpoint
ALTER TABLE "campaign_leads" ADD COLUMN "next_channel" text;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "first_channel" text GENERATED ALWAYS AS (steps -> 0 ->> 'channel') STORED;--> statement-breakpoint
ALTER TABLE "send_bodies" ADD COLUMN "written_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "campaign_leads_pool" ON "campaign_leads" USING btree ("campaign_id","next_channel","next_action_at") WHERE "campaign_leads"."status" = 'active' and "campaign_leads"."alias_id" is null and "campaign_leads"."next_action_at" is not null and "campaign_leads"."hold_reason" is null;--> statement-breakpoint
CREATE INDEX "campaign_leads_open" ON "campaign_leads" USING btree ("campaign_id","status") WHERE "campaign_leads"."status" in ('pending', 'active');--> statement-breakpoint
CREATE INDEX "send_bodies_written" ON "send_bodies" USING btree ("written_at");--> statement-breakpoint
CREATE INDEX "sends_lane" ON "sends" USING btree ("lane_id","slot_at");--> statement-breakpoint
ALTER TABLE "sender_lanes" ADD CONSTRAINT "sender_lanes_kind" CHECK ("sender_lanes"."kind" in ('email', 'socialnet'));
--> statement-breakpoint
-- Texts of before have the time at which their message was handed over.
UPDATE "send_bodies" b SET "written_at" = s."transmitting_at" FROM "sends" s WHERE s."id" = b."send_id";