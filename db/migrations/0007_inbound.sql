CREATE TABLE "inbound_mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"content_hash" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"class" text NOT NULL,
	"workspace_id" uuid,
	"matched_by" text,
	"message_row_id" uuid
);
--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_mails_once" ON "inbound_mails" USING btree ("content_hash");