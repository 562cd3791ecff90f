ALTER TABLE "connected_accounts" ADD COLUMN "notes_closed_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "connected_accounts" ADD COLUMN "notes_refusal" text;--> statement-breakpoint
CREATE INDEX "campaign_leads_awaiting_notes" ON "campaign_leads" USING btree ("campaign_id") WHERE "campaign_leads"."hold_reason" = 'notes_used_up' and "campaign_leads"."hold_until" is null;