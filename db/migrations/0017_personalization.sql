CREATE TABLE "generation_batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"campaign_id" uuid,
	"step" integer,
	"dataset_id" uuid NOT NULL,
	"custom_prompt" text,
	"sender_profile_id" uuid,
	"sender_data" jsonb,
	"prompt_version_hash" text NOT NULL,
	"total" integer NOT NULL,
	"cancelled_at" timestamp (3) with time zone,
	CONSTRAINT "generation_batches_kind" CHECK ("generation_batches"."kind" in ('playground', 'run', 'send_time'))
);
--> statement-breakpoint
CREATE TABLE "generations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"batch_id" uuid,
	"campaign_id" uuid,
	"campaign_lead_id" uuid,
	"step" integer,
	"dataset_id" uuid NOT NULL,
	"lead_id" uuid NOT NULL,
	"row_index" integer NOT NULL,
	"lead_index" integer NOT NULL,
	"status" text NOT NULL,
	"prompt_version_hash" text NOT NULL,
	"attempts" integer NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"claim_token" uuid,
	"subject" text,
	"body" text,
	"error" text,
	"variant_label" text,
	"template_id" uuid,
	"sender_profile_id" uuid,
	"model" text,
	"latency_ms" integer,
	"lead_identity_fingerprint" text,
	"step_config_fingerprint" text,
	"research_fingerprint" text,
	"draft_hash" text,
	"prompt_snapshot" text,
	"commonality" jsonb,
	"claims" jsonb,
	"sources" jsonb,
	"lead_snapshot" jsonb,
	"usage" jsonb,
	"generated_at" timestamp (3) with time zone,
	CONSTRAINT "generations_kind" CHECK ("generations"."kind" in ('playground', 'run', 'send_time')),
	CONSTRAINT "generations_status" CHECK ("generations"."status" in ('pending', 'running', 'generated', 'failed', 'skipped', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "model_days" (
	"workspace_id" uuid NOT NULL,
	"day" date NOT NULL,
	"calls" integer NOT NULL,
	"prompt_tokens" bigint NOT NULL,
	"completion_tokens" bigint NOT NULL,
	"cost_micros" bigint NOT NULL,
	CONSTRAINT "model_days_workspace_id_day_pk" PRIMARY KEY("workspace_id","day")
);
--> statement-breakpoint
CREATE TABLE "row_research" (
	"workspace_id" uuid NOT NULL,
	"dataset_id" uuid NOT NULL,
	"row_index" integer NOT NULL,
	"subject_hash" text NOT NULL,
	"sources" jsonb NOT NULL,
	"looked_up_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "row_research_dataset_id_row_index_pk" PRIMARY KEY("dataset_id","row_index")
);
--> statement-breakpoint
CREATE TABLE "web_lookups" (
	"key_hash" text PRIMARY KEY NOT NULL,
	"answer" jsonb NOT NULL,
	"looked_up_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "generation_batches" ADD CONSTRAINT "generation_batches_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generations" ADD CONSTRAINT "generations_batch_id_generation_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."generation_batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_days" ADD CONSTRAINT "model_days_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "row_research" ADD CONSTRAINT "row_research_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "generation_batches_campaign" ON "generation_batches" USING btree ("campaign_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "generations_work" ON "generations" USING btree ("batch_id","lead_id","prompt_version_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "generations_at_send_time" ON "generations" USING btree ("campaign_lead_id","step") WHERE "generations"."kind" = 'send_time' and "generations"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "generations_order" ON "generations" USING btree ("batch_id","lead_index");--> statement-breakpoint
CREATE INDEX "generations_open" ON "generations" USING btree ("batch_id","due_at","lead_index") WHERE "generations"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "generations_due" ON "generations" USING btree ("kind","due_at") WHERE "generations"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "generations_lead" ON "generations" USING btree ("campaign_lead_id","step","generated_at");--> statement-breakpoint
CREATE INDEX "generations_person" ON "generations" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "generations_campaign" ON "generations" USING btree ("campaign_id","generated_at") WHERE "generations"."kind" = 'send_time';--> statement-breakpoint
CREATE INDEX "row_research_end" ON "row_research" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "web_lookups_end" ON "web_lookups" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "campaign_leads_awaiting_draft" ON "campaign_leads" USING btree ("campaign_id","status","next_action_at","row_index") WHERE "campaign_leads"."hold_reason" = 'awaiting_draft';