ALTER TABLE "sender_lanes" DROP CONSTRAINT "sender_lanes_kind";--> statement-breakpoint
ALTER TABLE "campaign_leads" ADD COLUMN "next_channel" text;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "first_channel" text GENERATED ALWAYS AS (steps -> 0 ->> 'channel') STORED;--> statement-breakpoint
CREATE INDEX "campaign_leads_pool" ON "campaign_leads" USING btree ("campaign_id","next_channel","next_action_at") WHERE "campaign_leads"."status" = 'active' and "campaign_leads"."alias_id" is null and "campaign_leads"."next_action_at" is not null and "campaign_leads"."hold_reason" is null;--> statement-breakpoint
ALTER TABLE "sender_lanes" ADD CONSTRAINT "sender_lanes_kind" CHECK ("sender_lanes"."kind" in ('email', 'socialnet'));