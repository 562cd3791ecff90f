CREATE TABLE "experiment_judgements" (
	"send_id" uuid PRIMARY KEY NOT NULL,
	"campaign_id" uuid NOT NULL,
	"step" integer NOT NULL,
	"arm" text NOT NULL,
	"judged_on" date NOT NULL,
	"weights_version" integer NOT NULL,
	"config_version" integer NOT NULL,
	"accepted_at" timestamp (3) with time zone NOT NULL,
	"replied" boolean NOT NULL,
	"clicked" boolean NOT NULL,
	"harmed" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "experiment_versions" (
	"campaign_id" uuid NOT NULL,
	"step" integer NOT NULL,
	"version" integer NOT NULL,
	"workspace_id" uuid NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"weights" jsonb,
	"evidence" jsonb NOT NULL,
	"reason" text NOT NULL,
	"winner_label" text,
	CONSTRAINT "experiment_versions_campaign_id_step_version_pk" PRIMARY KEY("campaign_id","step","version"),
	CONSTRAINT "experiment_versions_reason" CHECK ("experiment_versions"."reason" in ('shifted', 'vetoed', 'winner', 'arms_changed', 'frozen', 'reset'))
);
--> statement-breakpoint
CREATE TABLE "experiments" (
	"campaign_id" uuid NOT NULL,
	"step" integer NOT NULL,
	"workspace_id" uuid NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"judged_on" date,
	"weighed_on" date,
	"frozen_at" timestamp (3) with time zone,
	"since" timestamp (3) with time zone,
	"winner" text,
	"vetoed" text[] DEFAULT '{}' NOT NULL,
	"settled" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "experiments_campaign_id_step_pk" PRIMARY KEY("campaign_id","step")
);
--> statement-breakpoint
ALTER TABLE "sends" ADD COLUMN "arm" text;--> statement-breakpoint
ALTER TABLE "sends" ADD COLUMN "weights_version" integer;--> statement-breakpoint
CREATE INDEX "experiment_judgements_step" ON "experiment_judgements" USING btree ("campaign_id","step");--> statement-breakpoint
CREATE INDEX "experiments_open" ON "experiments" USING btree ("weighed_on") WHERE not "experiments"."settled";