ALTER TABLE "send_bodies" ADD COLUMN "written_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "send_bodies" b SET "written_at" = s."transmitting_at" FROM "sends" s WHERE s."id" = b."send_id";--> statement-breakpoint
CREATE INDEX "campaign_leads_open" ON "campaign_leads" USING btree ("campaign_id","status") WHERE "campaign_leads"."status" in ('pending', 'active');--> statement-breakpoint
CREATE INDEX "send_bodies_written" ON "send_bodies" USING btree ("written_at");--> statement-breakpoint
CREATE INDEX "sends_lane" ON "sends" USING btree ("lane_id","slot_at");