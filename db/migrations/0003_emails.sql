CREATE TABLE "conversation_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"direction" text NOT NULL,
	"class" text NOT NULL,
	"message_id" text,
	"in_reply_to" text,
	"from_email" text NOT NULL,
	"to_emails" text[] NOT NULL,
	"subject" text,
	"text" text NOT NULL,
	"html" text,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"dedup_key" text NOT NULL,
	CONSTRAINT "conversation_messages_direction" CHECK ("conversation_messages"."direction" in ('out', 'in'))
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"alias_id" uuid,
	"peer_key" text NOT NULL,
	"lead_id" uuid,
	"campaign_id" uuid,
	"campaign_lead_id" uuid,
	"channel" text NOT NULL,
	"subject" text,
	"last_message_at" timestamp (3) with time zone NOT NULL,
	"unread" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "emails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"alias_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"from_email" text NOT NULL,
	"to_email" text NOT NULL,
	"email_key" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"format" text NOT NULL,
	"attachments" jsonb NOT NULL,
	"track_opens" boolean NOT NULL,
	"track_clicks" boolean NOT NULL,
	"click_tracking_patterns" text[] NOT NULL,
	"in_reply_to" text,
	"scheduled_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"message_id" text NOT NULL,
	"attempts" integer NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"worker_token" uuid,
	"sent_at" timestamp (3) with time zone,
	"suppression_reason" text,
	"error" text,
	"opens" integer NOT NULL,
	"clicks" integer NOT NULL,
	"machine_opens" integer NOT NULL,
	"machine_clicks" integer NOT NULL,
	CONSTRAINT "emails_state" CHECK ("emails"."state" in ('queued', 'scheduled', 'transmitting', 'sent', 'unknown', 'suppressed', 'failed', 'cancelled'))
);
--> statement-breakpoint
ALTER TABLE "email_events" ALTER COLUMN "campaign_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation_messages" ADD CONSTRAINT "conversation_messages_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_messages_thread" ON "conversation_messages" USING btree ("conversation_id","sent_at","id");--> statement-breakpoint
CREATE INDEX "conversation_messages_message_id" ON "conversation_messages" USING btree ("workspace_id","message_id");--> statement-breakpoint
CREATE UNIQUE INDEX "conversation_messages_once" ON "conversation_messages" USING btree ("workspace_id","dedup_key");--> statement-breakpoint
CREATE INDEX "conversations_workspace" ON "conversations" USING btree ("workspace_id","last_message_at","id");--> statement-breakpoint
CREATE INDEX "conversations_peer" ON "conversations" USING btree ("workspace_id","peer_key");--> statement-breakpoint
CREATE UNIQUE INDEX "conversations_campaign_lead" ON "conversations" USING btree ("campaign_lead_id");--> statement-breakpoint
CREATE INDEX "emails_workspace" ON "emails" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "emails_address" ON "emails" USING btree ("workspace_id","email_key");--> statement-breakpoint
CREATE INDEX "emails_message_id" ON "emails" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "emails_due" ON "emails" USING btree ("due_at") WHERE "emails"."state" in ('queued', 'scheduled');--> statement-breakpoint
CREATE INDEX "emails_open" ON "emails" USING btree ("lease_until") WHERE "emails"."state" = 'transmitting';