CREATE TABLE "dmarc_sources" (
	"domain_id" uuid NOT NULL,
	"day" date NOT NULL,
	"reporter" text NOT NULL,
	"source_ip" text NOT NULL,
	"operator" text NOT NULL,
	"messages" bigint NOT NULL,
	"ours" bigint NOT NULL,
	"aligned" bigint NOT NULL,
	"aligned_dkim" bigint NOT NULL,
	"aligned_spf" bigint NOT NULL,
	"quarantined" bigint NOT NULL,
	"rejected" bigint NOT NULL,
	"forwarded" bigint NOT NULL,
	CONSTRAINT "dmarc_sources_domain_id_day_reporter_source_ip_operator_pk" PRIMARY KEY("domain_id","day","reporter","source_ip","operator")
);
--> statement-breakpoint
CREATE TABLE "domain_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"domain_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"reporter" text NOT NULL,
	"identity" text NOT NULL,
	"begins_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"policy" jsonb,
	CONSTRAINT "domain_reports_kind" CHECK ("domain_reports"."kind" in ('dmarc', 'tls'))
);
--> statement-breakpoint
CREATE TABLE "tls_sessions" (
	"domain_id" uuid NOT NULL,
	"day" date NOT NULL,
	"reporter" text NOT NULL,
	"policy_type" text NOT NULL,
	"result" text NOT NULL,
	"sessions" bigint NOT NULL,
	CONSTRAINT "tls_sessions_domain_id_day_reporter_policy_type_result_pk" PRIMARY KEY("domain_id","day","reporter","policy_type","result")
);
--> statement-breakpoint
ALTER TABLE "dmarc_sources" ADD CONSTRAINT "dmarc_sources_domain_id_mail_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_reports" ADD CONSTRAINT "domain_reports_domain_id_mail_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tls_sessions" ADD CONSTRAINT "tls_sessions_domain_id_mail_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dmarc_sources_day" ON "dmarc_sources" USING btree ("day");--> statement-breakpoint
CREATE UNIQUE INDEX "domain_reports_identity" ON "domain_reports" USING btree ("domain_id","identity");--> statement-breakpoint
CREATE INDEX "domain_reports_newest" ON "domain_reports" USING btree ("domain_id","received_at");--> statement-breakpoint
CREATE INDEX "domain_reports_ends" ON "domain_reports" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "tls_sessions_day" ON "tls_sessions" USING btree ("day");