CREATE TABLE "domain_health" (
	"domain_id" uuid PRIMARY KEY NOT NULL,
	"reverse_dns" jsonb,
	"reverse_checked_at" timestamp (3) with time zone,
	"failing" jsonb,
	"judged_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "mail_aliases" ADD COLUMN "return_test_tls" boolean;--> statement-breakpoint
ALTER TABLE "domain_health" ADD CONSTRAINT "domain_health_domain_id_mail_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "domain_health_judged" ON "domain_health" USING btree ("judged_at");