CREATE TABLE "raw_mails" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "raw_mails" ADD CONSTRAINT "raw_mails_message_id_conversation_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."conversation_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "raw_mails_age" ON "raw_mails" USING btree ("received_at");