CREATE TABLE "campaign_zones" (
	"campaign_id" uuid NOT NULL,
	"zone" text NOT NULL,
	"open_from" timestamp (3) with time zone NOT NULL,
	"open_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "campaign_zones_campaign_id_zone_pk" PRIMARY KEY("campaign_id","zone")
);
--> statement-breakpoint
DROP INDEX "campaign_leads_follow_up";--> statement-breakpoint
DROP INDEX "campaign_leads_new";--> statement-breakpoint
ALTER TABLE "campaign_leads" ADD COLUMN "zone" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "campaign_zones" ADD CONSTRAINT "campaign_zones_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "campaign_zones_window" ON "campaign_zones" USING btree ("open_until");--> statement-breakpoint
CREATE INDEX "campaign_leads_follow_up" ON "campaign_leads" USING btree ("campaign_id","alias_id","zone","next_action_at") WHERE "campaign_leads"."status" = 'active' and "campaign_leads"."next_action_at" is not null and "campaign_leads"."hold_reason" is null;--> statement-breakpoint
CREATE INDEX "campaign_leads_new" ON "campaign_leads" USING btree ("campaign_id","zone","next_action_at","row_index") WHERE "campaign_leads"."status" = 'pending' and "campaign_leads"."next_action_at" is not null and "campaign_leads"."hold_reason" is null;