ALTER TABLE "mail_domains" ADD COLUMN "ed25519_selector" text;--> statement-breakpoint
ALTER TABLE "mail_domains" ADD COLUMN "ed25519_public_key" text;--> statement-breakpoint
ALTER TABLE "mail_domains" ADD COLUMN "ed25519_private_key" text;--> statement-breakpoint
ALTER TABLE "mail_domains" ADD COLUMN "records" jsonb;--> statement-breakpoint
CREATE INDEX "mail_domains_checked" ON "mail_domains" USING btree ("checked_at");