CREATE TABLE "campaign_lead_hits" (
	"campaign_lead_id" uuid PRIMARY KEY NOT NULL,
	"campaign_id" uuid NOT NULL,
	"opened" integer NOT NULL,
	"clicked" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "campaign_sums" (
	"campaign_id" uuid NOT NULL,
	"by" text NOT NULL,
	"key" text NOT NULL,
	"messages" integer NOT NULL,
	"sent" integer NOT NULL,
	"first_messages" integer NOT NULL,
	"opened" integer NOT NULL,
	"clicked" integer NOT NULL,
	"replied" integer NOT NULL,
	"auto_replied" integer NOT NULL,
	"bounced" integer NOT NULL,
	"soft_bounced" integer NOT NULL,
	"unsubscribed" integer NOT NULL,
	"complained" integer NOT NULL,
	"opens" integer NOT NULL,
	"clicks" integer NOT NULL,
	"machine_opens" integer NOT NULL,
	"machine_clicks" integer NOT NULL,
	"leads_opened" integer NOT NULL,
	"leads_clicked" integer NOT NULL,
	CONSTRAINT "campaign_sums_campaign_id_by_key_pk" PRIMARY KEY("campaign_id","by","key"),
	CONSTRAINT "campaign_sums_by" CHECK ("campaign_sums"."by" in ('variant', 'alias', 'day', 'hour', 'channel'))
);
--> statement-breakpoint
CREATE TABLE "campaigns_to_sum" (
	"campaign_id" uuid PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "send_deltas" (
	"campaign_id" uuid NOT NULL,
	"lane_id" uuid NOT NULL,
	"step" integer NOT NULL,
	"campaign_day" date NOT NULL,
	"at" timestamp (3) with time zone,
	"variant_label" text,
	"is_mail" boolean NOT NULL,
	"messages" smallint DEFAULT 0 NOT NULL,
	"sent" smallint DEFAULT 0 NOT NULL,
	"first_messages" smallint DEFAULT 0 NOT NULL,
	"opened" smallint DEFAULT 0 NOT NULL,
	"clicked" smallint DEFAULT 0 NOT NULL,
	"replied" smallint DEFAULT 0 NOT NULL,
	"auto_replied" smallint DEFAULT 0 NOT NULL,
	"bounced" smallint DEFAULT 0 NOT NULL,
	"soft_bounced" smallint DEFAULT 0 NOT NULL,
	"unsubscribed" smallint DEFAULT 0 NOT NULL,
	"complained" smallint DEFAULT 0 NOT NULL,
	"opens" integer DEFAULT 0 NOT NULL,
	"clicks" integer DEFAULT 0 NOT NULL,
	"machine_opens" integer DEFAULT 0 NOT NULL,
	"machine_clicks" integer DEFAULT 0 NOT NULL,
	"leads_opened" smallint DEFAULT 0 NOT NULL,
	"leads_clicked" smallint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "campaign_lead_hits_campaign" ON "campaign_lead_hits" USING btree ("campaign_id");--> statement-breakpoint
CREATE INDEX "send_deltas_campaign" ON "send_deltas" USING btree ("campaign_id");