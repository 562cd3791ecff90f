CREATE TABLE "domain_shares" (
	"domain_id" uuid NOT NULL,
	"day_from" timestamp (3) with time zone NOT NULL,
	"lane_id" uuid NOT NULL,
	"dealt" integer NOT NULL,
	CONSTRAINT "domain_shares_domain_id_day_from_lane_id_pk" PRIMARY KEY("domain_id","day_from","lane_id")
);
--> statement-breakpoint
ALTER TABLE "mail_domains" ADD COLUMN "daily_limit" integer;--> statement-breakpoint
ALTER TABLE "domain_shares" ADD CONSTRAINT "domain_shares_domain_id_mail_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("id") ON DELETE cascade ON UPDATE no action;