CREATE TABLE "placement_mails" (
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer NOT NULL,
	"claim_token" uuid,
	"id" uuid PRIMARY KEY NOT NULL,
	"test_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"alias_id" uuid NOT NULL,
	"from_email" text NOT NULL,
	"seed_alias_id" uuid NOT NULL,
	"to_email" text NOT NULL,
	"email_key" text NOT NULL,
	"state" text NOT NULL,
	"message_id" text NOT NULL,
	"counted_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"look_until" timestamp (3) with time zone NOT NULL,
	"place" text,
	"category" text,
	"folder" text,
	"arrived_at" timestamp (3) with time zone,
	"copies" integer NOT NULL,
	"auth_by" text,
	"spf" text,
	"dkim" text,
	"dmarc" text,
	"removed" boolean,
	"note" text,
	CONSTRAINT "placement_mails_state" CHECK ("placement_mails"."state" in ('queued', 'transmitting', 'looking', 'found', 'missing', 'not_sent', 'unreadable', 'unknown'))
);
--> statement-breakpoint
CREATE TABLE "placement_tests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"campaign_id" uuid,
	"step" integer,
	"email_key" text,
	"subject" text NOT NULL,
	"letter" jsonb,
	"delete_after" boolean NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "placement_mails" ADD CONSTRAINT "placement_mails_test_id_placement_tests_id_fk" FOREIGN KEY ("test_id") REFERENCES "public"."placement_tests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "placement_mails_test" ON "placement_mails" USING btree ("test_id","seed_alias_id");--> statement-breakpoint
CREATE INDEX "placement_mails_message_id" ON "placement_mails" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "placement_mails_due" ON "placement_mails" USING btree ("due_at") WHERE "placement_mails"."state" in ('queued', 'transmitting', 'looking');--> statement-breakpoint
CREATE INDEX "placement_mails_counted" ON "placement_mails" USING btree ("alias_id","counted_at") WHERE "placement_mails"."counted_at" is not null;--> statement-breakpoint
CREATE INDEX "placement_tests_workspace" ON "placement_tests" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "placement_tests_made" ON "placement_tests" USING btree ("created_at");