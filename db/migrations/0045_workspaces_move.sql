ALTER TABLE "workspaces" ADD COLUMN "frozen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "cell" text;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "arrived_at" timestamp (3) with time zone;