CREATE TABLE "recipient_domains" (
	"domain" text PRIMARY KEY NOT NULL,
	"operator" text,
	"looked_up_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operator_rates" (
	"domain_id" uuid NOT NULL,
	"operator" text NOT NULL,
	"per_hour" integer NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"full_at" timestamp (3) with time zone NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "operator_rates_domain_id_operator_pk" PRIMARY KEY("domain_id","operator")
);
--> statement-breakpoint
ALTER TABLE "operator_rates" ADD CONSTRAINT "operator_rates_domain_id_mail_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "recipient_domains_due" ON "recipient_domains" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "recipient_domains_used" ON "recipient_domains" USING btree ("used_at");--> statement-breakpoint
CREATE INDEX "operator_rates_full" ON "operator_rates" USING btree ("full_at");