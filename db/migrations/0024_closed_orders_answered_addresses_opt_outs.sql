CREATE TABLE "prospect_opt_out_days" (
	"day" date NOT NULL,
	"subject" text NOT NULL,
	"asked" integer NOT NULL,
	CONSTRAINT "prospect_opt_out_days_day_subject_pk" PRIMARY KEY("day","subject")
);
--> statement-breakpoint
ALTER TABLE "prospect_opt_outs" ADD COLUMN "profile_key" text;--> statement-breakpoint
ALTER TABLE "prospect_opt_outs" ADD COLUMN "confirmed_by" text;--> statement-breakpoint
ALTER TABLE "prospect_opt_outs" ADD COLUMN "asked_from" text;--> statement-breakpoint
ALTER TABLE "prospect_opt_outs" ADD COLUMN "undone_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payment_orders" ADD COLUMN "closed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "emails_correspondents" ON "emails" USING btree ("email_key",lower("from_email"));--> statement-breakpoint
CREATE INDEX "mail_aliases_address" ON "mail_aliases" USING btree (split_part(lower("email"), '@', 2),lower("email"));--> statement-breakpoint
CREATE INDEX "mail_aliases_reply_domain" ON "mail_aliases" USING btree (split_part(lower("reply_to"), '@', 2)) WHERE "mail_aliases"."reply_to" is not null;--> statement-breakpoint
CREATE INDEX "mail_domains_domain" ON "mail_domains" USING btree ("domain");--> statement-breakpoint
CREATE INDEX "prospect_opt_outs_newest" ON "prospect_opt_outs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "prospect_opt_outs_named" ON "prospect_opt_outs" USING btree ("created_at") WHERE "prospect_opt_outs"."profile_key" is not null;