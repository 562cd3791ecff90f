ALTER TABLE "conversations" ADD COLUMN "class" text;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "state" text DEFAULT 'open' NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "snoozed_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_state" CHECK ("conversations"."state" in ('open', 'done', 'snoozed'));--> statement-breakpoint
-- What they were heard to be stands in their messages.
UPDATE conversations c SET class = (
  SELECT m.class FROM conversation_messages m WHERE m.conversation_id = c.id AND m.direction = 'in' ORDER BY m.sent_at DESC, m.id DESC LIMIT 1);
