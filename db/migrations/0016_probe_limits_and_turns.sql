CREATE TABLE "probe_days" (
	"day" date PRIMARY KEY NOT NULL,
	"connections" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "probe_operators" ADD COLUMN "minute_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "probe_operators" ADD COLUMN "minute_recipients" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "probe_operators" ADD COLUMN "waiter" uuid;--> statement-breakpoint
ALTER TABLE "probe_operators" ADD COLUMN "waiter_is_urgent" boolean;--> statement-breakpoint
ALTER TABLE "probe_operators" ADD COLUMN "waiter_until" timestamp (3) with time zone;