ALTER TABLE "campaigns" ADD COLUMN "guard_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sends" ADD COLUMN "soft_bounced_at" timestamp (3) with time zone;