CREATE TABLE "ended_sends" (
	"id" uuid PRIMARY KEY NOT NULL,
	"campaign_lead_id" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "messages_ended_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "ended_sends_lead" ON "ended_sends" USING btree ("campaign_lead_id");--> statement-breakpoint
CREATE INDEX "campaigns_over" ON "campaigns" USING btree ("updated_at") WHERE ("campaigns"."status" = 'completed' or "campaigns"."deleted_at" is not null) and ("campaigns"."messages_ended_at" is null or "campaigns"."messages_ended_at" < "campaigns"."updated_at");