DROP INDEX "campaign_leads_follow_up";--> statement-breakpoint
DROP INDEX "campaign_leads_new";--> statement-breakpoint
ALTER TABLE "sender_lanes" ADD COLUMN "last_begun_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sender_lanes" ADD COLUMN "closed_since" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "campaign_leads_hold" ON "campaign_leads" USING btree ("hold_until") WHERE "campaign_leads"."hold_until" is not null;--> statement-breakpoint
CREATE INDEX "campaign_leads_follow_up" ON "campaign_leads" USING btree ("campaign_id","alias_id","next_action_at") WHERE "campaign_leads"."status" = 'active' and "campaign_leads"."next_action_at" is not null and "campaign_leads"."hold_reason" is null;--> statement-breakpoint
CREATE INDEX "campaign_leads_new" ON "campaign_leads" USING btree ("campaign_id","next_action_at","row_index") WHERE "campaign_leads"."status" = 'pending' and "campaign_leads"."next_action_at" is not null and "campaign_leads"."hold_reason" is null;