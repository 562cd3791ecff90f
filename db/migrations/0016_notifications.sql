CREATE TABLE "notice_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"notice_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"state" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer NOT NULL,
	"worker_token" uuid,
	"lease_until" timestamp (3) with time zone,
	"error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notice_deliveries_channel" CHECK ("notice_deliveries"."channel" in ('email', 'whatsapp')),
	CONSTRAINT "notice_deliveries_state" CHECK ("notice_deliveries"."state" in ('waiting', 'transmitting', 'sent', 'unknown', 'undeliverable', 'dead'))
);
--> statement-breakpoint
CREATE TABLE "notice_windows" (
	"topic" text PRIMARY KEY NOT NULL,
	"open_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_preferences" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"email_enabled" boolean NOT NULL,
	"personal_email" text,
	"whatsapp_enabled" boolean NOT NULL,
	"whatsapp_number" text,
	"notify_on_reply" boolean NOT NULL,
	"notify_on_bounce" boolean NOT NULL,
	"notify_on_complaint" boolean NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "outbox_waiting";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "topic" text GENERATED ALWAYS AS (coalesce(payload ->> 'campaign_id', workspace_id::text)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "notice_id" uuid;--> statement-breakpoint
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "notice_deliveries_once" ON "notice_deliveries" USING btree ("notice_id","channel");--> statement-breakpoint
CREATE INDEX "notice_deliveries_due" ON "notice_deliveries" USING btree ("due_at") WHERE "notice_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "notice_deliveries_open" ON "notice_deliveries" USING btree ("lease_until") WHERE "notice_deliveries"."state" = 'transmitting';--> statement-breakpoint
CREATE INDEX "notice_deliveries_failed" ON "notice_deliveries" USING btree ("updated_at") WHERE "notice_deliveries"."state" in ('unknown', 'undeliverable', 'dead');--> statement-breakpoint
CREATE INDEX "outbox_notice" ON "outbox" USING btree ("notice_id") WHERE "outbox"."notice_id" is not null;--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("topic","created_at") WHERE "outbox"."delivered_at" is null;