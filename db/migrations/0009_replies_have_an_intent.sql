ALTER TABLE "conversation_messages" ADD COLUMN "intent" text;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "intent" text;