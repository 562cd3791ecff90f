ALTER TABLE "inboxes" ADD COLUMN "backlog_before" bigint;--> statement-breakpoint
ALTER TABLE "inboxes" ADD COLUMN "backlog_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "inboxes" ADD COLUMN "backlog_stuck" integer DEFAULT 0 NOT NULL;