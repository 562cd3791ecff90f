ALTER TABLE "sends" ADD COLUMN "refusals" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sends" ADD COLUMN "refused_since" timestamp (3) with time zone;