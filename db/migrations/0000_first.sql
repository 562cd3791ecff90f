CREATE TABLE "campaign_leads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"lead_id" uuid NOT NULL,
	"dataset_id" uuid NOT NULL,
	"row_index" integer NOT NULL,
	"email" text,
	"email_key" text,
	"profile_url" text,
	"status" text NOT NULL,
	"current_step" integer NOT NULL,
	"next_step" integer,
	"next_action_at" timestamp (3) with time zone,
	"alias_id" uuid,
	"connected_account_id" uuid,
	"timezone" text,
	"hold_until" timestamp (3) with time zone,
	"hold_reason" text,
	"stop_reason" text,
	"last_error" text,
	"metadata" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "campaign_leads_status" CHECK ("campaign_leads"."status" in ('pending', 'active', 'completed', 'replied', 'bounced', 'unsubscribed', 'complained', 'stopped', 'skipped', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "campaign_senders" (
	"campaign_id" uuid NOT NULL,
	"lane_id" uuid NOT NULL,
	"last_served_at" timestamp (3) with time zone,
	CONSTRAINT "campaign_senders_campaign_id_lane_id_pk" PRIMARY KEY("campaign_id","lane_id")
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"dataset_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"launch_type" text NOT NULL,
	"start_date" timestamp (3) with time zone,
	"daily_limit" integer NOT NULL,
	"max_new_leads_per_day" integer,
	"sending_window_start" time NOT NULL,
	"sending_window_end" time NOT NULL,
	"min_interval_seconds" integer NOT NULL,
	"timezone" text NOT NULL,
	"use_lead_timezone" boolean NOT NULL,
	"send_days" text[] NOT NULL,
	"steps" jsonb NOT NULL,
	"config_version" integer NOT NULL,
	"alias_ids" uuid[],
	"connected_account_id" uuid,
	"system_prompt" text,
	"unreviewed_launch_policy" text NOT NULL,
	"stop_on_reply" boolean NOT NULL,
	"stop_on_auto_reply" boolean NOT NULL,
	"stop_on_company_reply" boolean NOT NULL,
	"total_leads" integer,
	"launch_job_id" text,
	"launch_requested_at" timestamp (3) with time zone,
	"launched_at" timestamp (3) with time zone,
	"launch_error" text,
	"launch_cursor" integer NOT NULL,
	"schedule_generation" integer NOT NULL,
	"paused_reason" text,
	"paused_from" text,
	"reviewed_at" timestamp (3) with time zone,
	"playground_discovery_dismissed_at" timestamp (3) with time zone,
	"open_from" timestamp (3) with time zone,
	"open_until" timestamp (3) with time zone,
	"open_day" date,
	"used" integer NOT NULL,
	"used_new" integer NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "campaigns_status" CHECK ("campaigns"."status" in ('draft', 'launching', 'scheduled', 'active', 'draining', 'paused', 'completed', 'failed')),
	CONSTRAINT "campaigns_type" CHECK ("campaigns"."type" in ('email', 'socialnet', 'mixed'))
);
--> statement-breakpoint
CREATE TABLE "sender_profiles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"name" text NOT NULL,
	"full_name" text NOT NULL,
	"job_title" text,
	"company" text,
	"company_description" text,
	"value_proposition" text,
	"bio" text,
	"tone" text,
	"language" text NOT NULL,
	"signature" text,
	"profile_url" text,
	"calendar_url" text,
	"custom_prompt" text,
	"is_default" boolean NOT NULL,
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "templates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"name" text NOT NULL,
	"channel" text NOT NULL,
	"subject" text,
	"body" text NOT NULL,
	"format" text NOT NULL,
	"variables" text[] NOT NULL,
	"tags" text[] NOT NULL,
	"version" integer NOT NULL,
	"archived_at" timestamp (3) with time zone,
	CONSTRAINT "templates_channel" CHECK ("templates"."channel" in ('email', 'socialnet')),
	CONSTRAINT "templates_format" CHECK ("templates"."format" in ('html', 'text'))
);
--> statement-breakpoint
CREATE TABLE "credit_balances" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"available" integer NOT NULL,
	"held" integer NOT NULL,
	"owed" integer NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "credit_balances_not_negative" CHECK ("credit_balances"."available" >= 0 and "credit_balances"."held" >= 0 and "credit_balances"."owed" >= 0)
);
--> statement-breakpoint
CREATE TABLE "credit_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"available_delta" integer NOT NULL,
	"held_delta" integer NOT NULL,
	"owed_delta" integer NOT NULL,
	"ref_type" text NOT NULL,
	"ref_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "credit_entries_kind" CHECK ("credit_entries"."kind" in ('grant', 'hold', 'capture', 'release', 'refund'))
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"dedup_key" text NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"delivered_at" timestamp (3) with time zone,
	"attempts" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"send_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"link_index" integer NOT NULL,
	"url" text,
	"classification" text NOT NULL,
	"reasons" text[] NOT NULL,
	"user_agent" text,
	"minute" bigint NOT NULL,
	CONSTRAINT "email_events_kind" CHECK ("email_events"."kind" in ('open', 'click', 'unsubscribe')),
	CONSTRAINT "email_events_classification" CHECK ("email_events"."classification" in ('human', 'suspect', 'bot', 'proxy'))
);
--> statement-breakpoint
CREATE TABLE "engine_state" (
	"id" integer PRIMARY KEY NOT NULL,
	"last_tick_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sender_lanes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"open" boolean NOT NULL,
	"next_slot_at" timestamp (3) with time zone,
	"last_slot_at" timestamp (3) with time zone,
	"slot_no" bigint NOT NULL,
	"min_interval_seconds" integer,
	"day_cap" integer NOT NULL,
	"used" integer NOT NULL,
	"day_from" timestamp (3) with time zone,
	"day_until" timestamp (3) with time zone,
	"closed_until" timestamp (3) with time zone,
	"failures" integer NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sender_lanes_kind" CHECK ("sender_lanes"."kind" in ('email', 'connection_request', 'message'))
);
--> statement-breakpoint
CREATE TABLE "sends" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"campaign_lead_id" uuid NOT NULL,
	"step" integer NOT NULL,
	"lane_id" uuid NOT NULL,
	"state" text NOT NULL,
	"email_key" text,
	"message_id" text,
	"variant_label" text,
	"template_id" uuid,
	"template_version" integer,
	"sender_profile_id" uuid,
	"config_version" integer NOT NULL,
	"subject" text,
	"slot_at" timestamp (3) with time zone NOT NULL,
	"campaign_day" date NOT NULL,
	"lane_day_until" timestamp (3) with time zone NOT NULL,
	"is_new" boolean NOT NULL,
	"claimed_at" timestamp (3) with time zone NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"worker_token" uuid,
	"claims" integer NOT NULL,
	"attempts" integer NOT NULL,
	"transmitting_at" timestamp (3) with time zone,
	"accepted_at" timestamp (3) with time zone,
	"reason" text,
	"opens" integer NOT NULL,
	"clicks" integer NOT NULL,
	"machine_opens" integer NOT NULL,
	"machine_clicks" integer NOT NULL,
	"first_opened_at" timestamp (3) with time zone,
	"first_clicked_at" timestamp (3) with time zone,
	"replied_at" timestamp (3) with time zone,
	"bounced_at" timestamp (3) with time zone,
	"complained_at" timestamp (3) with time zone,
	"unsubscribed_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sends_state" CHECK ("sends"."state" in ('claimed', 'released', 'canceled', 'transmitting', 'accepted', 'rejected', 'retry_wait', 'unknown', 'assumed_sent', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "datasets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"name" text NOT NULL,
	"source" text NOT NULL,
	"source_url" text,
	"status" text NOT NULL,
	"row_count" integer NOT NULL,
	"columns" jsonb NOT NULL,
	"mapping" jsonb NOT NULL,
	"error" text,
	"last_row_index" integer DEFAULT 0 NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "datasets_source" CHECK ("datasets"."source" in ('csv', 'sheet', 'api', 'prospects')),
	CONSTRAINT "datasets_status" CHECK ("datasets"."status" in ('importing', 'ready', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "lead_import_chunks" (
	"import_id" uuid NOT NULL,
	"chunk" integer NOT NULL,
	"dataset_id" uuid NOT NULL,
	"rows" jsonb NOT NULL,
	"staged_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "lead_import_chunks_import_id_chunk_pk" PRIMARY KEY("import_id","chunk")
);
--> statement-breakpoint
CREATE TABLE "leads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"dataset_id" uuid NOT NULL,
	"row_index" integer NOT NULL,
	"email" text,
	"email_key" text,
	"identity_key" text,
	"first_name" text,
	"last_name" text,
	"full_name" text,
	"company" text,
	"title" text,
	"profile_url" text,
	"phone" text,
	"website" text,
	"location" text,
	"country" text,
	"timezone" text,
	"tags" text[] NOT NULL,
	"custom" jsonb NOT NULL,
	"verification" jsonb
);
--> statement-breakpoint
CREATE TABLE "mail_aliases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"domain_id" uuid,
	"email" text NOT NULL,
	"display_name" text NOT NULL,
	"reply_to" text,
	"transport_kind" text NOT NULL,
	"transport_settings" jsonb NOT NULL,
	"transport_secret" text,
	"status" text NOT NULL,
	"daily_limit" integer NOT NULL,
	"min_interval_seconds" integer,
	"ramp" jsonb,
	"signature" text,
	"is_default" boolean NOT NULL,
	"last_error" text,
	CONSTRAINT "mail_aliases_transport" CHECK ("mail_aliases"."transport_kind" in ('smtp', 'ses', 'postmark', 'resend', 'mailgun')),
	CONSTRAINT "mail_aliases_status" CHECK ("mail_aliases"."status" in ('pending', 'active', 'paused', 'error', 'disabled'))
);
--> statement-breakpoint
CREATE TABLE "mail_domains" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"domain" text NOT NULL,
	"status" text NOT NULL,
	"dkim_selector" text NOT NULL,
	"dkim_public_key" text NOT NULL,
	"dkim_private_key" text NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	CONSTRAINT "mail_domains_status" CHECK ("mail_domains"."status" in ('pending', 'verified', 'failing', 'unknown'))
);
--> statement-breakpoint
CREATE TABLE "suppressions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"value" text,
	"value_hash" text NOT NULL,
	"kind" text NOT NULL,
	"reason" text NOT NULL,
	"source_campaign_id" uuid,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "suppressions_kind" CHECK ("suppressions"."kind" in ('email', 'domain')),
	CONSTRAINT "suppressions_reason" CHECK ("suppressions"."reason" in ('hard_bounce', 'complaint', 'unsubscribe', 'manual'))
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"key_prefix" text NOT NULL,
	"key_hash" text NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text,
	"name" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"plan" text NOT NULL,
	"timezone" text NOT NULL,
	"postal_address" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "workspaces_plan" CHECK ("workspaces"."plan" in ('free', 'paid'))
);
--> statement-breakpoint
ALTER TABLE "campaign_leads" ADD CONSTRAINT "campaign_leads_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_senders" ADD CONSTRAINT "campaign_senders_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_balances" ADD CONSTRAINT "credit_balances_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_import_chunks" ADD CONSTRAINT "lead_import_chunks_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_aliases" ADD CONSTRAINT "mail_aliases_domain_id_mail_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_owner_user_id_users_id_fk" FOREIGN KEY ("owner_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_leads_lead" ON "campaign_leads" USING btree ("campaign_id","lead_id");--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_leads_address" ON "campaign_leads" USING btree ("campaign_id","email_key");--> statement-breakpoint
CREATE INDEX "campaign_leads_order" ON "campaign_leads" USING btree ("campaign_id","row_index","id");--> statement-breakpoint
CREATE INDEX "campaign_leads_by_lead" ON "campaign_leads" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "campaign_leads_by_address" ON "campaign_leads" USING btree ("workspace_id","email_key");--> statement-breakpoint
CREATE INDEX "campaign_leads_follow_up" ON "campaign_leads" USING btree ("campaign_id","alias_id","next_action_at") WHERE "campaign_leads"."status" = 'active' and "campaign_leads"."next_action_at" is not null;--> statement-breakpoint
CREATE INDEX "campaign_leads_new" ON "campaign_leads" USING btree ("campaign_id","next_action_at","row_index") WHERE "campaign_leads"."status" = 'pending' and "campaign_leads"."next_action_at" is not null;--> statement-breakpoint
CREATE INDEX "campaign_senders_lane" ON "campaign_senders" USING btree ("lane_id","last_served_at");--> statement-breakpoint
CREATE INDEX "campaigns_workspace" ON "campaigns" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "campaigns_dataset" ON "campaigns" USING btree ("dataset_id");--> statement-breakpoint
CREATE INDEX "campaigns_window" ON "campaigns" USING btree ("open_until") WHERE "campaigns"."status" in ('active', 'draining');--> statement-breakpoint
CREATE INDEX "sender_profiles_workspace" ON "sender_profiles" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "sender_profiles_default" ON "sender_profiles" USING btree ("workspace_id") WHERE "sender_profiles"."is_default";--> statement-breakpoint
CREATE INDEX "templates_workspace" ON "templates" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_once" ON "credit_entries" USING btree ("workspace_id","kind","ref_type","ref_id");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_settled_once" ON "credit_entries" USING btree ("workspace_id","ref_type","ref_id") WHERE "credit_entries"."kind" in ('capture', 'release');--> statement-breakpoint
CREATE INDEX "credit_entries_workspace" ON "credit_entries" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "outbox_once" ON "outbox" USING btree ("dedup_key");--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("created_at") WHERE "outbox"."delivered_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "email_events_once" ON "email_events" USING btree ("send_id","kind","link_index","minute");--> statement-breakpoint
CREATE INDEX "email_events_campaign" ON "email_events" USING btree ("campaign_id","at");--> statement-breakpoint
CREATE INDEX "sender_lanes_due" ON "sender_lanes" USING btree ("next_slot_at") WHERE "sender_lanes"."open" and "sender_lanes"."next_slot_at" is not null;--> statement-breakpoint
CREATE INDEX "sender_lanes_workspace" ON "sender_lanes" USING btree ("workspace_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sends_lead_step" ON "sends" USING btree ("campaign_lead_id","step");--> statement-breakpoint
CREATE INDEX "sends_campaign" ON "sends" USING btree ("campaign_id","state");--> statement-breakpoint
CREATE INDEX "sends_message_id" ON "sends" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "sends_address" ON "sends" USING btree ("workspace_id","email_key","accepted_at");--> statement-breakpoint
CREATE INDEX "sends_open" ON "sends" USING btree ("lease_until") WHERE "sends"."state" in ('claimed', 'transmitting');--> statement-breakpoint
CREATE INDEX "sends_unknown" ON "sends" USING btree ("transmitting_at") WHERE "sends"."state" = 'unknown';--> statement-breakpoint
CREATE INDEX "datasets_workspace" ON "datasets" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "lead_import_chunks_dataset" ON "lead_import_chunks" USING btree ("dataset_id","staged_at");--> statement-breakpoint
CREATE INDEX "lead_import_chunks_age" ON "lead_import_chunks" USING btree ("staged_at");--> statement-breakpoint
CREATE UNIQUE INDEX "leads_row" ON "leads" USING btree ("dataset_id","row_index");--> statement-breakpoint
CREATE UNIQUE INDEX "leads_identity" ON "leads" USING btree ("dataset_id","identity_key");--> statement-breakpoint
CREATE INDEX "leads_email" ON "leads" USING btree ("workspace_id","email_key");--> statement-breakpoint
CREATE UNIQUE INDEX "mail_aliases_email" ON "mail_aliases" USING btree ("workspace_id","email");--> statement-breakpoint
CREATE UNIQUE INDEX "mail_aliases_default" ON "mail_aliases" USING btree ("workspace_id") WHERE "mail_aliases"."is_default";--> statement-breakpoint
CREATE UNIQUE INDEX "mail_domains_name" ON "mail_domains" USING btree ("workspace_id","domain");--> statement-breakpoint
CREATE UNIQUE INDEX "suppressions_value" ON "suppressions" USING btree ("workspace_id","kind","value_hash");--> statement-breakpoint
CREATE INDEX "suppressions_workspace" ON "suppressions" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "api_keys_workspace" ON "api_keys" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "workspaces_owner" ON "workspaces" USING btree ("owner_user_id");