ALTER TABLE "mail_aliases" ADD COLUMN "return_test_address" text;--> statement-breakpoint
ALTER TABLE "mail_aliases" ADD COLUMN "return_test_asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "mail_aliases" ADD COLUMN "return_test_seen_at" timestamp (3) with time zone;