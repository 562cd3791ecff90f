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
	"next_channel" text,
	"connected_account_id" uuid,
	"next_budget" text DEFAULT '' NOT NULL,
	"person_id" text,
	"connected_at" timestamp (3) with time zone,
	"timezone" text,
	"zone" text DEFAULT '' NOT NULL,
	"hold_until" timestamp (3) with time zone,
	"hold_reason" text,
	"stop_reason" text,
	"last_error" text,
	"metadata" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "campaign_leads_status" CHECK ("campaign_leads"."status" in ('pending', 'active', 'completed', 'replied', 'bounced', 'unsubscribed', 'complained', 'stopped', 'skipped', 'failed')),
	CONSTRAINT "campaign_leads_budget" CHECK ("campaign_leads"."next_budget" in ('', 'connection', 'message'))
);
--> statement-breakpoint
CREATE TABLE "campaign_senders" (
	"campaign_id" uuid NOT NULL,
	"lane_id" uuid NOT NULL,
	"last_served_at" timestamp (3) with time zone,
	CONSTRAINT "campaign_senders_campaign_id_lane_id_pk" PRIMARY KEY("campaign_id","lane_id")
);
--> statement-breakpoint
CREATE TABLE "campaign_zones" (
	"campaign_id" uuid NOT NULL,
	"zone" text NOT NULL,
	"open_from" timestamp (3) with time zone NOT NULL,
	"open_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "campaign_zones_campaign_id_zone_pk" PRIMARY KEY("campaign_id","zone")
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
	"first_channel" text GENERATED ALWAYS AS (steps -> 0 ->> 'channel') STORED,
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
	"guard_since" timestamp (3) with time zone,
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
CREATE TABLE "credit_audit" (
	"id" integer PRIMARY KEY NOT NULL,
	"next_after" uuid,
	"began_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
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
CREATE TABLE "credit_discrepancies" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"available_off" bigint NOT NULL,
	"held_off" bigint NOT NULL,
	"owed_off" bigint NOT NULL,
	"holds_off" bigint NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL
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
	CONSTRAINT "credit_entries_kind" CHECK ("credit_entries"."kind" in ('grant', 'hold', 'capture', 'release', 'expire', 'refund', 'refund_failed', 'dispute', 'dispute_won'))
);
--> statement-breakpoint
CREATE TABLE "credit_holds" (
	"workspace_id" uuid NOT NULL,
	"ref_type" text NOT NULL,
	"ref_id" text NOT NULL,
	"amount" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"returned_at" timestamp (3) with time zone,
	CONSTRAINT "credit_holds_workspace_id_ref_type_ref_id_pk" PRIMARY KEY("workspace_id","ref_type","ref_id")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"dedup_key" text NOT NULL,
	"payload" jsonb NOT NULL,
	"topic" text GENERATED ALWAYS AS (coalesce(payload ->> 'campaign_id', workspace_id::text)) STORED NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"delivered_at" timestamp (3) with time zone,
	"notice_id" uuid,
	"attempts" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "conversation_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"direction" text NOT NULL,
	"class" text NOT NULL,
	"message_id" text,
	"in_reply_to" text,
	"from_email" text NOT NULL,
	"to_emails" text[] NOT NULL,
	"subject" text,
	"text" text NOT NULL,
	"html" text,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"dedup_key" text NOT NULL,
	CONSTRAINT "conversation_messages_direction" CHECK ("conversation_messages"."direction" in ('out', 'in'))
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"alias_id" uuid,
	"peer_key" text NOT NULL,
	"lead_id" uuid,
	"campaign_id" uuid,
	"campaign_lead_id" uuid,
	"channel" text NOT NULL,
	"subject" text,
	"last_message_at" timestamp (3) with time zone NOT NULL,
	"unread" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "emails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"alias_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"from_email" text NOT NULL,
	"to_email" text NOT NULL,
	"email_key" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"format" text NOT NULL,
	"attachments" jsonb NOT NULL,
	"track_opens" boolean NOT NULL,
	"track_clicks" boolean NOT NULL,
	"click_tracking_patterns" text[] NOT NULL,
	"in_reply_to" text,
	"scheduled_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"message_id" text NOT NULL,
	"attempts" integer NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"worker_token" uuid,
	"counted_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"suppression_reason" text,
	"error" text,
	"opens" integer NOT NULL,
	"clicks" integer NOT NULL,
	"machine_opens" integer NOT NULL,
	"machine_clicks" integer NOT NULL,
	CONSTRAINT "emails_state" CHECK ("emails"."state" in ('queued', 'scheduled', 'transmitting', 'sent', 'unknown', 'suppressed', 'failed', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "email_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"campaign_id" uuid,
	"send_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"link_index" integer NOT NULL,
	"url" text,
	"classification" text NOT NULL,
	"reasons" text[] NOT NULL,
	"user_agent" text,
	"asn" bigint,
	CONSTRAINT "email_events_kind" CHECK ("email_events"."kind" in ('open', 'click', 'unsubscribe')),
	CONSTRAINT "email_events_classification" CHECK ("email_events"."classification" in ('human', 'suspect', 'bot', 'proxy'))
);
--> statement-breakpoint
CREATE TABLE "engine_state" (
	"id" integer PRIMARY KEY NOT NULL,
	"last_tick_at" timestamp (3) with time zone,
	"sends_per_second" real
);
--> statement-breakpoint
CREATE TABLE "send_bodies" (
	"send_id" uuid PRIMARY KEY NOT NULL,
	"html" text NOT NULL,
	"written_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sender_lanes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"open" boolean NOT NULL,
	"next_slot_at" timestamp (3) with time zone,
	"last_slot_at" timestamp (3) with time zone,
	"last_begun_at" timestamp (3) with time zone,
	"slot_no" bigint NOT NULL,
	"min_interval_seconds" integer,
	"day_cap" integer NOT NULL,
	"used" integer NOT NULL,
	"connection_cap" integer,
	"connections_used" integer DEFAULT 0 NOT NULL,
	"day_from" timestamp (3) with time zone,
	"day_until" timestamp (3) with time zone,
	"closed_until" timestamp (3) with time zone,
	"failures" integer NOT NULL,
	"closed_since" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sender_lanes_kind" CHECK ("sender_lanes"."kind" in ('email', 'socialnet'))
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
	"budget" text DEFAULT '' NOT NULL,
	"is_new" boolean NOT NULL,
	"claimed_at" timestamp (3) with time zone NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"worker_token" uuid,
	"claims" integer NOT NULL,
	"alone" integer,
	"attempts" integer NOT NULL,
	"refusals" integer DEFAULT 0 NOT NULL,
	"refused_since" timestamp (3) with time zone,
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
	"soft_bounced_at" timestamp (3) with time zone,
	"complained_at" timestamp (3) with time zone,
	"unsubscribed_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sends_state" CHECK ("sends"."state" in ('claimed', 'released', 'canceled', 'transmitting', 'accepted', 'rejected', 'retry_wait', 'unknown', 'assumed_sent', 'failed')),
	CONSTRAINT "sends_budget" CHECK ("sends"."budget" in ('', 'connection', 'message'))
);
--> statement-breakpoint
CREATE TABLE "learned_addresses" (
	"domain" text NOT NULL,
	"address_hash" text NOT NULL,
	"pattern" text NOT NULL,
	"learned_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "learned_addresses_domain_address_hash_pk" PRIMARY KEY("domain","address_hash")
);
--> statement-breakpoint
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
CREATE TABLE "inbound_mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"content_hash" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"class" text NOT NULL,
	"workspace_id" uuid,
	"matched_by" text,
	"message_row_id" uuid,
	"identity" text
);
--> statement-breakpoint
CREATE TABLE "raw_mails" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inboxes" (
	"alias_id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"host" text NOT NULL,
	"port" integer NOT NULL,
	"username" text,
	"folder" text NOT NULL,
	"secret" text,
	"uid_validity" bigint,
	"last_uid" bigint,
	"next_read_at" timestamp (3) with time zone NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"read_at" timestamp (3) with time zone,
	"failures" integer NOT NULL,
	"stuck" integer NOT NULL,
	"last_error" text,
	"broken" boolean NOT NULL
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
CREATE TABLE "sheet_imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"dataset_id" uuid NOT NULL,
	"source_url" text NOT NULL,
	"spreadsheet_id" text NOT NULL,
	"gid" integer,
	"mapping" jsonb NOT NULL,
	"status" text NOT NULL,
	"plan" jsonb NOT NULL,
	"cursor" jsonb NOT NULL,
	"tally" jsonb NOT NULL,
	"chunks" integer NOT NULL,
	"version" integer NOT NULL,
	"created" integer NOT NULL,
	"updated" integer NOT NULL,
	"duplicate" integer NOT NULL,
	"error" text,
	CONSTRAINT "sheet_imports_status" CHECK ("sheet_imports"."status" in ('running', 'done', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "domain_shares" (
	"domain_id" uuid NOT NULL,
	"day_from" timestamp (3) with time zone NOT NULL,
	"lane_id" uuid NOT NULL,
	"dealt" integer NOT NULL,
	CONSTRAINT "domain_shares_domain_id_day_from_lane_id_pk" PRIMARY KEY("domain_id","day_from","lane_id")
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
	"last_error_kind" text,
	"return_test_address" text,
	"return_test_asked_at" timestamp (3) with time zone,
	"return_test_seen_at" timestamp (3) with time zone,
	CONSTRAINT "mail_aliases_transport" CHECK ("mail_aliases"."transport_kind" in ('smtp', 'ses', 'postmark', 'resend', 'mailgun')),
	CONSTRAINT "mail_aliases_status" CHECK ("mail_aliases"."status" in ('pending', 'active', 'paused', 'error', 'disabled')),
	CONSTRAINT "mail_aliases_last_error_kind" CHECK ("mail_aliases"."last_error_kind" in ('account', 'line', 'vault'))
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
	"ed25519_selector" text,
	"ed25519_public_key" text,
	"ed25519_private_key" text,
	"records" jsonb,
	"checked_at" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"daily_limit" integer,
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
CREATE TABLE "mail_consents" (
	"alias_id" uuid PRIMARY KEY NOT NULL,
	"state_hash" text NOT NULL,
	"provider" text NOT NULL,
	"verifier" text NOT NULL,
	"return_url" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mail_consents_provider" CHECK ("mail_consents"."provider" in ('google', 'microsoft', 'other'))
);
--> statement-breakpoint
CREATE TABLE "mail_logins" (
	"alias_id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"client_id" text,
	"client_secret" text,
	"token_url" text,
	"tokens" text,
	"renewing_until" timestamp (3) with time zone,
	CONSTRAINT "mail_logins_provider" CHECK ("mail_logins"."provider" in ('google', 'microsoft', 'other'))
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
CREATE TABLE "prospect_opt_out_days" (
	"day" date NOT NULL,
	"subject" text NOT NULL,
	"asked" integer NOT NULL,
	CONSTRAINT "prospect_opt_out_days_day_subject_pk" PRIMARY KEY("day","subject")
);
--> statement-breakpoint
CREATE TABLE "prospect_opt_outs" (
	"profile_hash" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"profile_key" text,
	"confirmed_by" text,
	"asked_from" text,
	"undone_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "prospect_tag_names" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "prospect_tag_names_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"tag" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "prospect_tags" (
	"tag_id" integer NOT NULL,
	"quality" smallint NOT NULL,
	"prospect_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "prospects" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "prospects_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"profile_url" text NOT NULL,
	"profile_key" text NOT NULL,
	"full_name" text NOT NULL,
	"company" text,
	"title" text,
	"location" text,
	"quality" smallint NOT NULL,
	"tag_ids" integer[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
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
CREATE TABLE "disposable_domains" (
	"domain" text PRIMARY KEY NOT NULL,
	"list" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "probe_days" (
	"day" date PRIMARY KEY NOT NULL,
	"connections" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "probe_operators" (
	"operator" text PRIMARY KEY NOT NULL,
	"lease_a" timestamp (3) with time zone,
	"lease_b" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone NOT NULL,
	"rests_until" timestamp (3) with time zone,
	"strikes" text[] NOT NULL,
	"struck_at" timestamp (3) with time zone,
	"minute_at" timestamp (3) with time zone,
	"minute_recipients" integer DEFAULT 0 NOT NULL,
	"waiter" uuid,
	"waiter_is_urgent" boolean,
	"waiter_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "verified_addresses" (
	"key_hash" text PRIMARY KEY NOT NULL,
	"reason" text,
	"backend" text,
	"has_mx" boolean,
	"is_catch_all" boolean,
	"checked_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"probing_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "verified_domains" (
	"domain" text PRIMARY KEY NOT NULL,
	"is_catch_all" boolean NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dataset_verification_rows" (
	"job_id" uuid NOT NULL,
	"row_index" integer NOT NULL,
	"lead_id" uuid NOT NULL,
	"key_hash" text NOT NULL,
	"domain" text NOT NULL,
	"state" text NOT NULL,
	"cached" boolean NOT NULL,
	"attempts" integer NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"claim_token" uuid,
	"verdict" jsonb,
	CONSTRAINT "dataset_verification_rows_job_id_row_index_pk" PRIMARY KEY("job_id","row_index"),
	CONSTRAINT "dataset_verification_rows_state" CHECK ("dataset_verification_rows"."state" in ('waiting', 'done', 'dropped'))
);
--> statement-breakpoint
CREATE TABLE "dataset_verifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"dataset_id" uuid NOT NULL,
	"status" text NOT NULL,
	CONSTRAINT "dataset_verifications_status" CHECK ("dataset_verifications"."status" in ('pending', 'running', 'completed', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "verification_jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"email" text NOT NULL,
	"force" boolean NOT NULL,
	"status" text NOT NULL,
	"attempts" integer NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"verdict" jsonb,
	"error" text,
	CONSTRAINT "verification_jobs_status" CHECK ("verification_jobs"."status" in ('pending', 'running', 'completed', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "payment_events" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"type" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"pack_id" text NOT NULL,
	"credits" integer NOT NULL,
	"amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"success_url" text NOT NULL,
	"cancel_url" text NOT NULL,
	"status" text NOT NULL,
	"click_key" text,
	"session_id" text,
	"payment_id" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"check_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "payment_orders_status" CHECK ("payment_orders"."status" in ('open', 'expired', 'failed', 'mismatch', 'paid'))
);
--> statement-breakpoint
CREATE TABLE "payment_reversals" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"standing" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_reversals_kind" CHECK ("payment_reversals"."kind" in ('refund', 'dispute'))
);
--> statement-breakpoint
CREATE TABLE "account_checkpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"provider_account_id" text NOT NULL,
	"type" text NOT NULL,
	"tries" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "connected_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"provider" text NOT NULL,
	"provider_account_id" text NOT NULL,
	"person_id" text,
	"public_identifier" text,
	"display_name" text NOT NULL,
	"profile_url" text NOT NULL,
	"is_premium" boolean NOT NULL,
	"status" text NOT NULL,
	"status_since" timestamp (3) with time zone NOT NULL,
	"checkpoint_pending" boolean NOT NULL,
	"rate_limited_until" timestamp (3) with time zone,
	"is_default" boolean NOT NULL,
	"daily_connection_limit" integer NOT NULL,
	"daily_message_limit" integer NOT NULL,
	"warmup_days" integer NOT NULL,
	"warmup_from" timestamp (3) with time zone,
	"connection_country" text,
	"failures" integer NOT NULL,
	"last_error" text,
	"heard_until" timestamp (3) with time zone,
	"next_sync_at" timestamp (3) with time zone,
	CONSTRAINT "connected_accounts_status" CHECK ("connected_accounts"."status" in ('connected', 'disconnected', 'error', 'reconnecting'))
);
--> statement-breakpoint
CREATE TABLE "social_post_images" (
	"post_id" uuid PRIMARY KEY NOT NULL,
	"content_type" text NOT NULL,
	"content" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "social_posts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"connected_account_id" uuid,
	"status" text NOT NULL,
	"text" text,
	"provider_post_id" text,
	"social_id" text,
	"share_url" text,
	"attachments" jsonb NOT NULL,
	"is_repost" boolean NOT NULL,
	"author_name" text,
	"author_id" text,
	"published_at" timestamp (3) with time zone,
	"scheduled_at" timestamp (3) with time zone,
	"retry_count" integer NOT NULL,
	"last_error" text,
	"impressions" integer NOT NULL,
	"reactions" integer NOT NULL,
	"comments" integer NOT NULL,
	"reposts" integer NOT NULL,
	"metrics_updated_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	"begun_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"worker_token" uuid,
	CONSTRAINT "social_posts_status" CHECK ("social_posts"."status" in ('draft', 'scheduled', 'publishing', 'published', 'failed', 'deleted'))
);
--> statement-breakpoint
CREATE TABLE "notice_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"notice_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"state" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer NOT NULL,
	"worker_token" uuid,
	"lease_until" timestamp (3) with time zone,
	"error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notice_deliveries_channel" CHECK ("notice_deliveries"."channel" in ('email', 'whatsapp')),
	CONSTRAINT "notice_deliveries_state" CHECK ("notice_deliveries"."state" in ('waiting', 'transmitting', 'sent', 'unknown', 'undeliverable', 'dead'))
);
--> statement-breakpoint
CREATE TABLE "notice_windows" (
	"topic" text PRIMARY KEY NOT NULL,
	"open_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_preferences" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"email_enabled" boolean NOT NULL,
	"personal_email" text,
	"whatsapp_enabled" boolean NOT NULL,
	"whatsapp_number" text,
	"notify_on_reply" boolean NOT NULL,
	"notify_on_bounce" boolean NOT NULL,
	"notify_on_complaint" boolean NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_payments" (
	"payer" text NOT NULL,
	"nonce" text NOT NULL,
	"state" text NOT NULL,
	"payment_hash" text NOT NULL,
	"body_hash" text NOT NULL,
	"call" text NOT NULL,
	"amount" integer NOT NULL,
	"claim_token" uuid NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"payment" jsonb NOT NULL,
	"requirements" jsonb NOT NULL,
	"valid_before" timestamp (3) with time zone NOT NULL,
	"answer_status" integer,
	"answer_body" text,
	"transaction" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "wallet_payments_payer_nonce_pk" PRIMARY KEY("payer","nonce"),
	CONSTRAINT "wallet_payments_state" CHECK ("wallet_payments"."state" in ('claimed', 'settling', 'settled'))
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
	"erasure_began_at" timestamp (3) with time zone,
	"erased_at" timestamp (3) with time zone,
	CONSTRAINT "workspaces_plan" CHECK ("workspaces"."plan" in ('free', 'paid'))
);
--> statement-breakpoint
ALTER TABLE "campaign_leads" ADD CONSTRAINT "campaign_leads_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_senders" ADD CONSTRAINT "campaign_senders_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_zones" ADD CONSTRAINT "campaign_zones_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_balances" ADD CONSTRAINT "credit_balances_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_holds" ADD CONSTRAINT "credit_holds_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_messages" ADD CONSTRAINT "conversation_messages_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send_bodies" ADD CONSTRAINT "send_bodies_send_id_sends_id_fk" FOREIGN KEY ("send_id") REFERENCES "public"."sends"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generation_batches" ADD CONSTRAINT "generation_batches_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generations" ADD CONSTRAINT "generations_batch_id_generation_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."generation_batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "raw_mails" ADD CONSTRAINT "raw_mails_message_id_conversation_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."conversation_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inboxes" ADD CONSTRAINT "inboxes_alias_id_mail_aliases_id_fk" FOREIGN KEY ("alias_id") REFERENCES "public"."mail_aliases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_import_chunks" ADD CONSTRAINT "lead_import_chunks_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sheet_imports" ADD CONSTRAINT "sheet_imports_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_shares" ADD CONSTRAINT "domain_shares_domain_id_mail_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_aliases" ADD CONSTRAINT "mail_aliases_domain_id_mail_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_consents" ADD CONSTRAINT "mail_consents_alias_id_mail_aliases_id_fk" FOREIGN KEY ("alias_id") REFERENCES "public"."mail_aliases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_logins" ADD CONSTRAINT "mail_logins_alias_id_mail_aliases_id_fk" FOREIGN KEY ("alias_id") REFERENCES "public"."mail_aliases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_days" ADD CONSTRAINT "model_days_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "row_research" ADD CONSTRAINT "row_research_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dataset_verification_rows" ADD CONSTRAINT "dataset_verification_rows_job_id_dataset_verifications_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."dataset_verifications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dataset_verifications" ADD CONSTRAINT "dataset_verifications_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_events" ADD CONSTRAINT "payment_events_order_id_payment_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."payment_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_reversals" ADD CONSTRAINT "payment_reversals_order_id_payment_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."payment_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_checkpoints" ADD CONSTRAINT "account_checkpoints_account_id_connected_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."connected_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_post_images" ADD CONSTRAINT "social_post_images_post_id_social_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."social_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_owner_user_id_users_id_fk" FOREIGN KEY ("owner_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_leads_lead" ON "campaign_leads" USING btree ("lead_id","campaign_id");--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_leads_address" ON "campaign_leads" USING btree ("campaign_id","email_key");--> statement-breakpoint
CREATE INDEX "campaign_leads_order" ON "campaign_leads" USING btree ("campaign_id","row_index","id");--> statement-breakpoint
CREATE INDEX "campaign_leads_by_address" ON "campaign_leads" USING btree ("workspace_id","email_key");--> statement-breakpoint
CREATE INDEX "campaign_leads_follow_up" ON "campaign_leads" USING btree ("campaign_id","alias_id","zone","next_action_at") WHERE "campaign_leads"."status" = 'active' and "campaign_leads"."next_action_at" is not null and "campaign_leads"."hold_reason" is null;--> statement-breakpoint
CREATE INDEX "campaign_leads_new" ON "campaign_leads" USING btree ("campaign_id","zone","next_action_at","row_index") WHERE "campaign_leads"."status" = 'pending' and "campaign_leads"."next_action_at" is not null and "campaign_leads"."hold_reason" is null;--> statement-breakpoint
CREATE INDEX "campaign_leads_budget" ON "campaign_leads" USING btree ("campaign_id","alias_id","next_budget","zone","next_action_at") WHERE "campaign_leads"."next_budget" <> '' and "campaign_leads"."alias_id" is not null and "campaign_leads"."next_action_at" is not null and "campaign_leads"."hold_reason" is null;--> statement-breakpoint
CREATE INDEX "campaign_leads_pool" ON "campaign_leads" USING btree ("campaign_id","next_channel","next_budget","zone","next_action_at") WHERE "campaign_leads"."status" = 'active' and "campaign_leads"."alias_id" is null and "campaign_leads"."next_action_at" is not null and "campaign_leads"."hold_reason" is null;--> statement-breakpoint
CREATE INDEX "campaign_leads_open" ON "campaign_leads" USING btree ("campaign_id","status") WHERE "campaign_leads"."status" in ('pending', 'active');--> statement-breakpoint
CREATE INDEX "campaign_leads_ended" ON "campaign_leads" USING btree ("campaign_id") WHERE "campaign_leads"."status" not in ('pending', 'active');--> statement-breakpoint
CREATE INDEX "campaign_leads_awaiting_draft" ON "campaign_leads" USING btree ("campaign_id","status","next_action_at","row_index") WHERE "campaign_leads"."hold_reason" = 'awaiting_draft';--> statement-breakpoint
CREATE INDEX "campaign_leads_awaiting_acceptance" ON "campaign_leads" USING btree ("alias_id") WHERE "campaign_leads"."hold_reason" = 'awaiting_acceptance';--> statement-breakpoint
CREATE INDEX "campaign_leads_person" ON "campaign_leads" USING btree ("workspace_id","person_id") WHERE "campaign_leads"."person_id" is not null;--> statement-breakpoint
CREATE INDEX "campaign_leads_profile" ON "campaign_leads" USING btree ("workspace_id",lower(substring("profile_url" from '/in/([^/]+)'))) WHERE "campaign_leads"."profile_url" is not null;--> statement-breakpoint
CREATE INDEX "campaign_leads_hold" ON "campaign_leads" USING btree ("hold_until") WHERE "campaign_leads"."hold_until" is not null;--> statement-breakpoint
CREATE INDEX "campaign_senders_lane" ON "campaign_senders" USING btree ("lane_id");--> statement-breakpoint
CREATE INDEX "campaign_zones_window" ON "campaign_zones" USING btree ("open_until");--> statement-breakpoint
CREATE INDEX "campaigns_workspace" ON "campaigns" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "campaigns_dataset" ON "campaigns" USING btree ("dataset_id");--> statement-breakpoint
CREATE INDEX "campaigns_window" ON "campaigns" USING btree ("open_until") WHERE "campaigns"."status" in ('active', 'draining');--> statement-breakpoint
CREATE INDEX "sender_profiles_workspace" ON "sender_profiles" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "sender_profiles_default" ON "sender_profiles" USING btree ("workspace_id") WHERE "sender_profiles"."is_default";--> statement-breakpoint
CREATE INDEX "templates_workspace" ON "templates" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_once" ON "credit_entries" USING btree ("workspace_id","kind","ref_type","ref_id");--> statement-breakpoint
CREATE INDEX "credit_entries_workspace" ON "credit_entries" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "credit_holds_expiry" ON "credit_holds" USING btree ("expires_at") WHERE "credit_holds"."returned_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "outbox_once" ON "outbox" USING btree ("dedup_key");--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("topic","created_at") WHERE "outbox"."delivered_at" is null;--> statement-breakpoint
CREATE INDEX "outbox_notice" ON "outbox" USING btree ("notice_id") WHERE "outbox"."notice_id" is not null;--> statement-breakpoint
CREATE INDEX "conversation_messages_thread" ON "conversation_messages" USING btree ("conversation_id","sent_at","id");--> statement-breakpoint
CREATE INDEX "conversation_messages_message_id" ON "conversation_messages" USING btree ("workspace_id","message_id");--> statement-breakpoint
CREATE UNIQUE INDEX "conversation_messages_once" ON "conversation_messages" USING btree ("workspace_id","dedup_key");--> statement-breakpoint
CREATE INDEX "conversations_workspace" ON "conversations" USING btree ("workspace_id","last_message_at","id");--> statement-breakpoint
CREATE INDEX "conversations_peer" ON "conversations" USING btree ("workspace_id","peer_key");--> statement-breakpoint
CREATE UNIQUE INDEX "conversations_campaign_lead" ON "conversations" USING btree ("campaign_lead_id");--> statement-breakpoint
CREATE INDEX "emails_workspace" ON "emails" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "emails_address" ON "emails" USING btree ("workspace_id","email_key");--> statement-breakpoint
CREATE INDEX "emails_correspondents" ON "emails" USING btree ("email_key",lower("from_email"));--> statement-breakpoint
CREATE INDEX "emails_message_id" ON "emails" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "emails_due" ON "emails" USING btree ("due_at") WHERE "emails"."state" in ('queued', 'scheduled');--> statement-breakpoint
CREATE INDEX "emails_counted" ON "emails" USING btree ("alias_id","counted_at") WHERE "emails"."counted_at" is not null;--> statement-breakpoint
CREATE INDEX "emails_open" ON "emails" USING btree ("lease_until") WHERE "emails"."state" = 'transmitting';--> statement-breakpoint
CREATE INDEX "email_events_message" ON "email_events" USING btree ("send_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "email_events_unsubscribed" ON "email_events" USING btree ("send_id") WHERE "email_events"."kind" = 'unsubscribe';--> statement-breakpoint
CREATE INDEX "email_events_campaign" ON "email_events" USING btree ("campaign_id","at");--> statement-breakpoint
CREATE INDEX "send_bodies_written" ON "send_bodies" USING btree ("written_at");--> statement-breakpoint
CREATE INDEX "sender_lanes_due" ON "sender_lanes" USING btree ("next_slot_at") WHERE "sender_lanes"."open" and "sender_lanes"."next_slot_at" is not null;--> statement-breakpoint
CREATE INDEX "sender_lanes_workspace" ON "sender_lanes" USING btree ("workspace_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sends_lead_step" ON "sends" USING btree ("campaign_lead_id","step");--> statement-breakpoint
CREATE INDEX "sends_campaign" ON "sends" USING btree ("campaign_id","state");--> statement-breakpoint
CREATE INDEX "sends_lane" ON "sends" USING btree ("lane_id","slot_at");--> statement-breakpoint
CREATE INDEX "sends_message_id" ON "sends" USING btree ("message_id") WHERE "sends"."message_id" is not null;--> statement-breakpoint
CREATE INDEX "sends_address" ON "sends" USING btree ("workspace_id","email_key","accepted_at");--> statement-breakpoint
CREATE INDEX "sends_open" ON "sends" USING btree ("lease_until") WHERE "sends"."state" in ('claimed', 'transmitting');--> statement-breakpoint
CREATE INDEX "sends_unknown" ON "sends" USING btree ("transmitting_at") WHERE "sends"."state" = 'unknown';--> statement-breakpoint
CREATE INDEX "generation_batches_campaign" ON "generation_batches" USING btree ("campaign_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "generations_work" ON "generations" USING btree ("batch_id","lead_id","prompt_version_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "generations_at_send_time" ON "generations" USING btree ("campaign_lead_id","step") WHERE "generations"."kind" = 'send_time' and "generations"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "generations_order" ON "generations" USING btree ("batch_id","lead_index");--> statement-breakpoint
CREATE INDEX "generations_open" ON "generations" USING btree ("batch_id","due_at","lead_index") WHERE "generations"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "generations_due" ON "generations" USING btree ("kind","due_at") WHERE "generations"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "generations_lead" ON "generations" USING btree ("campaign_lead_id","step","generated_at");--> statement-breakpoint
CREATE INDEX "generations_person" ON "generations" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "generations_campaign" ON "generations" USING btree ("campaign_id","generated_at") WHERE "generations"."kind" = 'send_time';--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_mails_once" ON "inbound_mails" USING btree ("content_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_mails_identity" ON "inbound_mails" USING btree ("identity") WHERE "inbound_mails"."identity" is not null;--> statement-breakpoint
CREATE INDEX "raw_mails_age" ON "raw_mails" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "inboxes_due" ON "inboxes" USING btree ("next_read_at");--> statement-breakpoint
CREATE INDEX "datasets_workspace" ON "datasets" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "lead_import_chunks_dataset" ON "lead_import_chunks" USING btree ("dataset_id","staged_at");--> statement-breakpoint
CREATE INDEX "lead_import_chunks_age" ON "lead_import_chunks" USING btree ("staged_at");--> statement-breakpoint
CREATE UNIQUE INDEX "leads_row" ON "leads" USING btree ("dataset_id","row_index");--> statement-breakpoint
CREATE UNIQUE INDEX "leads_identity" ON "leads" USING btree ("dataset_id","identity_key");--> statement-breakpoint
CREATE INDEX "leads_email" ON "leads" USING btree ("workspace_id","email_key");--> statement-breakpoint
CREATE UNIQUE INDEX "sheet_imports_running" ON "sheet_imports" USING btree ("dataset_id") WHERE "sheet_imports"."status" = 'running';--> statement-breakpoint
CREATE INDEX "sheet_imports_dataset" ON "sheet_imports" USING btree ("dataset_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "mail_aliases_email" ON "mail_aliases" USING btree ("workspace_id","email");--> statement-breakpoint
CREATE INDEX "mail_aliases_address" ON "mail_aliases" USING btree (split_part(lower("email"), '@', 2),lower("email"));--> statement-breakpoint
CREATE INDEX "mail_aliases_reply_domain" ON "mail_aliases" USING btree (split_part(lower("reply_to"), '@', 2)) WHERE "mail_aliases"."reply_to" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "mail_aliases_default" ON "mail_aliases" USING btree ("workspace_id") WHERE "mail_aliases"."is_default";--> statement-breakpoint
CREATE UNIQUE INDEX "mail_domains_name" ON "mail_domains" USING btree ("workspace_id","domain");--> statement-breakpoint
CREATE INDEX "mail_domains_checked" ON "mail_domains" USING btree ("checked_at");--> statement-breakpoint
CREATE INDEX "mail_domains_domain" ON "mail_domains" USING btree ("domain");--> statement-breakpoint
CREATE UNIQUE INDEX "suppressions_value" ON "suppressions" USING btree ("workspace_id","kind","value_hash");--> statement-breakpoint
CREATE INDEX "suppressions_workspace" ON "suppressions" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "mail_consents_state" ON "mail_consents" USING btree ("state_hash");--> statement-breakpoint
CREATE INDEX "prospect_opt_outs_newest" ON "prospect_opt_outs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "prospect_opt_outs_named" ON "prospect_opt_outs" USING btree ("created_at") WHERE "prospect_opt_outs"."profile_key" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "prospect_tag_names_tag" ON "prospect_tag_names" USING btree ("tag");--> statement-breakpoint
CREATE UNIQUE INDEX "prospect_tags_best" ON "prospect_tags" USING btree ("tag_id","quality" DESC NULLS FIRST,"prospect_id");--> statement-breakpoint
CREATE UNIQUE INDEX "prospects_profile" ON "prospects" USING btree ("profile_key");--> statement-breakpoint
CREATE INDEX "row_research_end" ON "row_research" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "web_lookups_end" ON "web_lookups" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "disposable_domains_list" ON "disposable_domains" USING btree ("list");--> statement-breakpoint
CREATE INDEX "dataset_verification_rows_waiting" ON "dataset_verification_rows" USING btree ("job_id","due_at","row_index") WHERE "dataset_verification_rows"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "dataset_verification_rows_claimed" ON "dataset_verification_rows" USING btree ("job_id","claim_token") WHERE "dataset_verification_rows"."state" = 'waiting' and "dataset_verification_rows"."claim_token" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "dataset_verifications_live" ON "dataset_verifications" USING btree ("dataset_id") WHERE "dataset_verifications"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "dataset_verifications_dataset" ON "dataset_verifications" USING btree ("dataset_id","created_at");--> statement-breakpoint
CREATE INDEX "dataset_verifications_moved" ON "dataset_verifications" USING btree ("updated_at") WHERE "dataset_verifications"."status" <> 'completed';--> statement-breakpoint
CREATE UNIQUE INDEX "verification_jobs_open" ON "verification_jobs" USING btree ("workspace_id","email") WHERE "verification_jobs"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "verification_jobs_due" ON "verification_jobs" USING btree ("due_at") WHERE "verification_jobs"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "verification_jobs_age" ON "verification_jobs" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_events_version" ON "payment_events" USING btree ("order_id","version");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_orders_click" ON "payment_orders" USING btree ("click_key");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_orders_session" ON "payment_orders" USING btree ("session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_orders_payment" ON "payment_orders" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "payment_orders_workspace" ON "payment_orders" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "payment_orders_check" ON "payment_orders" USING btree ("check_at") WHERE "payment_orders"."check_at" is not null;--> statement-breakpoint
CREATE INDEX "payment_reversals_order" ON "payment_reversals" USING btree ("order_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "account_checkpoints_token" ON "account_checkpoints" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "account_checkpoints_account" ON "account_checkpoints" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "connected_accounts_workspace" ON "connected_accounts" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "connected_accounts_default" ON "connected_accounts" USING btree ("workspace_id") WHERE "connected_accounts"."is_default";--> statement-breakpoint
CREATE UNIQUE INDEX "connected_accounts_provider" ON "connected_accounts" USING btree ("provider","provider_account_id") WHERE "connected_accounts"."provider_account_id" <> '';--> statement-breakpoint
CREATE UNIQUE INDEX "connected_accounts_person" ON "connected_accounts" USING btree ("workspace_id","provider","person_id") WHERE "connected_accounts"."person_id" is not null;--> statement-breakpoint
CREATE INDEX "connected_accounts_sync" ON "connected_accounts" USING btree ("next_sync_at") WHERE "connected_accounts"."next_sync_at" is not null;--> statement-breakpoint
CREATE INDEX "social_posts_workspace" ON "social_posts" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "social_posts_due" ON "social_posts" USING btree ("due_at") WHERE "social_posts"."due_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "notice_deliveries_once" ON "notice_deliveries" USING btree ("notice_id","channel");--> statement-breakpoint
CREATE INDEX "notice_deliveries_due" ON "notice_deliveries" USING btree ("due_at") WHERE "notice_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "notice_deliveries_open" ON "notice_deliveries" USING btree ("lease_until") WHERE "notice_deliveries"."state" = 'transmitting';--> statement-breakpoint
CREATE INDEX "notice_deliveries_failed" ON "notice_deliveries" USING btree ("updated_at") WHERE "notice_deliveries"."state" in ('unknown', 'undeliverable', 'dead');--> statement-breakpoint
CREATE INDEX "wallet_payments_open" ON "wallet_payments" USING btree ("lease_until") WHERE "wallet_payments"."state" in ('claimed', 'settling');--> statement-breakpoint
CREATE INDEX "wallet_payments_answers" ON "wallet_payments" USING btree ("settled_at") WHERE "wallet_payments"."answer_body" is not null and "wallet_payments"."state" = 'settled';--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "api_keys_workspace" ON "api_keys" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "workspaces_owner" ON "workspaces" USING btree ("owner_user_id");--> statement-breakpoint
CREATE INDEX "workspaces_to_erase" ON "workspaces" USING btree ("deleted_at") WHERE "workspaces"."deleted_at" is not null and "workspaces"."erased_at" is null;
--> statement-breakpoint
-- From here on what drizzle-kit does not know.
-- Two small tables whose rows each send changes: with room on their pages most changes touch no index.
alter table sender_lanes set (fillfactor = 50);
--> statement-breakpoint
alter table campaign_senders set (fillfactor = 50);
--> statement-breakpoint
-- The share by which a lane's gap is lengthened after its n-th action: [0, 0.3). Twin of jitterOf in
-- src/domain/engine/chance.ts; without a query of its own in it a call takes 2 microseconds instead of 28.
create function lane_jitter(lane uuid, slot_no bigint) returns double precision
language plpgsql immutable parallel safe as $$
declare
  h bigint := ('x' || right(lane::text, 8))::bit(32)::bigint # ((slot_no & 4294967295) * 1540483477 & 4294967295);
begin
  h := (h # (h >> 15)) * 1540483477 & 4294967295;
  h := (h # (h >> 13)) * 1540483477 & 4294967295;
  return (h # (h >> 16)) / 4294967296.0 * 0.3;
end $$;
--> statement-breakpoint
create function engine_claim_4(p_now timestamptz, p_until timestamptz, p_limit int, p_lease_seconds int, p_worker uuid, p_kinds text[]) returns table (id uuid, campaign_id uuid, campaign_lead_id uuid, lane_id uuid, step int, slot_at timestamptz, begins_at timestamptz, claims int, kind text)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare v_lanes uuid[]; v_slots timestamptz[]; v_campaigns uuid[]; v_is_mail boolean; v_claimed int;
begin
  select array_agg(l.id), array_agg(l.next_slot_at), bool_and(l.kind = 'email') into v_lanes, v_slots, v_is_mail from (
    select lane.id, lane.next_slot_at, lane.kind from sender_lanes lane
    where lane.open and lane.kind = any(p_kinds) and lane.next_slot_at <= p_until
    order by lane.next_slot_at limit p_limit for update skip locked) l;
  if v_lanes is null then
    return;
  end if;
  select array_agg(c.id), v_is_mail and not coalesce(bool_or(c.type = 'mixed' or c.use_lead_timezone), false) into v_campaigns, v_is_mail from (
    select c.id, c.type, c.use_lead_timezone from campaigns c
    where c.id in (select cs.campaign_id from campaign_senders cs where cs.lane_id = any(v_lanes)) and c.status in ('active', 'draining') and c.deleted_at is null
    order by c.id for update) c;
  if v_is_mail then
    return query with 
  due as materialized (
    select lane.id as lane_id, lane.workspace_id, case when lane.next_slot_at > p_now - interval '20 seconds' then lane.next_slot_at else p_now end as at, lane.last_slot_at, lane.last_begun_at, lane.slot_no, lane.closed_until,
           lane.kind, lane.min_interval_seconds, lane.used < lane.day_cap as has_room, lane.day_from, lane.day_until
    from sender_lanes lane where lane.id = any(v_lanes)
  ), slot as (
    select * from due
    where has_room and at >= day_from and at < day_until and (closed_until is null or closed_until <= at)
  ), running as materialized (
    select c.id, c.min_interval_seconds, c.daily_limit - c.used as room, c.max_new_leads_per_day - c.used_new as new_room, c.open_from, c.open_until,
           c.open_day, c.config_version,
           case when (c.status = 'active' and (c.max_new_leads_per_day is null or c.used_new < c.max_new_leads_per_day)) and c.first_channel = 'email' then (select l.next_action_at from campaign_leads l where l.campaign_id = c.id and l.zone = '' and l.status = 'pending' and l.next_action_at is not null and l.hold_reason is null order by l.next_action_at limit 1) end as new_from
    from campaigns c
    where c.id = any(v_campaigns) and c.used < c.daily_limit
  ), turn as materialized (
    select slot.*, cs.* from slot cross join lateral (
      select cs.campaign_id, cs.last_served_at from campaign_senders cs where cs.lane_id = slot.lane_id offset 0
    ) cs
  ), pick as materialized (
    select distinct on (slot.lane_id) slot.*, own.lead_id, c.room, c.new_room,
           c.open_day, c.config_version, (slot.last_slot_at + make_interval(secs => greatest(c.min_interval_seconds, slot.min_interval_seconds) + greatest(1, greatest(c.min_interval_seconds, slot.min_interval_seconds) * lane_jitter(slot.lane_id, slot.slot_no))))::timestamptz(3) as gap_over,
           greatest(slot.at, p_now, slot.last_begun_at + make_interval(secs => greatest(c.min_interval_seconds, slot.min_interval_seconds))) as begins_at
    from turn slot join running c on c.id = slot.campaign_id
    cross join lateral (select (
  select l.id from campaign_leads l
  where l.campaign_id = c.id and l.zone = '' and l.alias_id = slot.lane_id and l.status = 'active' and l.next_action_at <= slot.at and l.hold_reason is null
  order by l.next_action_at, l.row_index, l.id limit 1) as lead_id offset 0) own
    where slot.at >= c.open_from and slot.at < c.open_until and (own.lead_id is not null or c.new_from <= slot.at)
    order by slot.lane_id, own.lead_id is null, slot.last_served_at nulls first, c.id
  ), ranked as materialized (
    select pick.*, lead_id is null as is_new,
           row_number() over (partition by campaign_id order by lead_id is null, at, lane_id) as place,
           row_number() over (partition by campaign_id, lead_id is null order by at, lane_id) as place_of_kind
    from pick where pick.gap_over is null or pick.gap_over <= pick.at
  ), fresh as materialized (
    select c.id as campaign_id, array_agg(lead.id order by lead.next_action_at, lead.row_index, lead.id) as ids,
           array_agg(lead.next_action_at order by lead.next_action_at, lead.row_index, lead.id) as due_at
    from (select ranked.campaign_id as id, max(ranked.at) as at, count(*) as wanted from ranked where ranked.is_new group by 1) c
    cross join lateral (
      select l.id, l.next_action_at, l.row_index from campaign_leads l where l.campaign_id = c.id and l.zone = '' and l.status = 'pending' and l.next_action_at is not null and l.hold_reason is null and l.next_action_at <= c.at
      order by l.next_action_at, l.row_index, l.id limit c.wanted
    ) lead
    group by c.id
  ), slotted as materialized (
    select r.*, coalesce(r.lead_id, fresh.ids[r.place_of_kind]) as campaign_lead_id
    from ranked r left join fresh on fresh.campaign_id = r.campaign_id
    where r.place <= r.room
      and (not r.is_new or (fresh.due_at[r.place_of_kind] <= r.at and (r.new_room is null or r.place_of_kind <= r.new_room)))
  ), 
  taken as (
    update campaign_leads l
    set status = 'active', alias_id = s.lane_id, next_action_at = null, updated_at = p_now
    from slotted s
    where l.id = s.campaign_lead_id and case when l.next_action_at is null then false else l.status in ('pending', 'active') and l.hold_reason is null end
    returning l.id as lead_id, l.next_step, l.next_budget, case when s.kind = 'email' then l.email_key end as email_key, s.workspace_id, s.campaign_id, s.lane_id,
              s.config_version, s.at, s.begins_at, s.open_day, s.day_until, s.is_new
  ), ledger as (
    insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key,
                       config_version, slot_at, campaign_day, lane_day_until, budget, is_new, claimed_at, lease_until,
                       worker_token, claims, attempts, opens, clicks, machine_opens, machine_clicks, updated_at)
    select gen_random_uuid(), t.workspace_id, t.campaign_id, t.lead_id, t.next_step, t.lane_id, 'claimed', t.email_key,
           t.config_version, t.at, t.open_day, t.day_until, t.next_budget, t.is_new, p_now,
           t.begins_at + make_interval(secs => p_lease_seconds), p_worker, 1, 0, 0, 0, 0, 0, p_now
    from taken t
    on conflict (campaign_lead_id, step) do update
    set state = 'claimed', is_new = excluded.is_new, lane_id = excluded.lane_id, slot_at = excluded.slot_at, campaign_day = excluded.campaign_day,
        lane_day_until = excluded.lane_day_until, budget = excluded.budget, claimed_at = excluded.claimed_at, lease_until = excluded.lease_until,
        worker_token = excluded.worker_token, claims = sends.claims + 1, config_version = excluded.config_version,
        updated_at = excluded.updated_at
    where sends.state in ('released', 'retry_wait')
    returning sends.id, sends.campaign_id, sends.campaign_lead_id, sends.lane_id, sends.step, sends.slot_at, sends.lease_until, sends.claims, sends.budget, sends.is_new
  ), advanced as (
    update sender_lanes lane
    set last_slot_at = ledger.slot_at, slot_no = lane.slot_no + 1, used = lane.used + 1,
        connections_used = lane.connections_used + (ledger.budget = 'connection')::int, updated_at = p_now,
        next_slot_at = ledger.slot_at + make_interval(secs => greatest(c.min_interval_seconds, lane.min_interval_seconds) + greatest(1, greatest(c.min_interval_seconds, lane.min_interval_seconds) * lane_jitter(lane.id, (lane.slot_no + 1))))
    from ledger join campaigns c on c.id = ledger.campaign_id
    where lane.id = ledger.lane_id
  ), counted as (
    update campaigns c
    set used = c.used + sums.actions, used_new = c.used_new + sums.new_leads
    from (select ledger.campaign_id, count(*) as actions, count(*) filter (where ledger.is_new) as new_leads from ledger group by 1) sums
    where c.id = sums.campaign_id
  ), shared as materialized (
    select ledger.campaign_id, ledger.lane_id, ledger.slot_at from ledger
    where (select true from campaign_senders other cross join lateral (select c.status, c.deleted_at from campaigns c where c.id = other.campaign_id offset 0) c
           where other.lane_id = ledger.lane_id and other.campaign_id <> ledger.campaign_id and c.status <> 'completed' and c.deleted_at is null limit 1)
  ), served as (
    update campaign_senders cs set last_served_at = shared.slot_at
    from shared where cs.campaign_id = shared.campaign_id and cs.lane_id = shared.lane_id
  ), waiting as (
    update sender_lanes lane set next_slot_at = greatest(pick.gap_over, pick.at + interval '1 second'), updated_at = p_now
    from pick where lane.id = pick.lane_id and pick.gap_over > pick.at
  )
  select ledger.id, ledger.campaign_id, ledger.campaign_lead_id, ledger.lane_id, ledger.step, ledger.slot_at,
         ledger.lease_until - make_interval(secs => p_lease_seconds) as begins_at, ledger.claims, due.kind
  from ledger join due on due.lane_id = ledger.lane_id order by begins_at, ledger.slot_at, ledger.lane_id;
  else
    return query with 
  due as materialized (
    select lane.id as lane_id, lane.workspace_id, case when lane.next_slot_at > p_now - interval '20 seconds' then lane.next_slot_at else p_now end as at, lane.last_slot_at, lane.last_begun_at, lane.slot_no, lane.closed_until,
           lane.kind, lane.min_interval_seconds, 
  case when lane.kind <> 'email' then array_remove(array[
         case when lane.connections_used < coalesce(lane.connection_cap, 0) then 'connection' end,
         case when lane.used - lane.connections_used < lane.day_cap - coalesce(lane.connection_cap, 0) then 'message' end], null)
       when lane.used < lane.day_cap then '{""}'::text[] else '{}'::text[] end as budgets, lane.day_from, lane.day_until
    from sender_lanes lane where lane.id = any(v_lanes)
  ), slot as (
    select * from due
    where budgets <> '{}' and at >= day_from and at < day_until and (closed_until is null or closed_until <= at)
  ), pick as materialized (
    select slot.*, chosen.*
    from slot cross join lateral (
      select c.id as campaign_id, work.source, c.daily_limit - c.used as room, c.max_new_leads_per_day - c.used_new as new_room,
             c.open_day, c.config_version, work.lead_id, open.zones, (slot.last_slot_at + make_interval(secs => greatest(c.min_interval_seconds, slot.min_interval_seconds) + greatest(1, greatest(c.min_interval_seconds, slot.min_interval_seconds) * lane_jitter(slot.lane_id, slot.slot_no))))::timestamptz(3) as gap_over,
             greatest(slot.at, p_now, slot.last_begun_at + make_interval(secs => greatest(c.min_interval_seconds, slot.min_interval_seconds))) as begins_at
      from campaign_senders cs
      join campaigns c on c.id = cs.campaign_id
      cross join lateral (
  select array_agg(z.zone order by z.zone) as zones from (
  select '' as zone, c.open_from, c.open_until where not c.use_lead_timezone
  union all
  select zone.zone, zone.open_from, zone.open_until from campaign_zones zone
  where c.use_lead_timezone and zone.campaign_id = c.id) z
  where slot.at >= z.open_from and slot.at < z.open_until) open
      cross join lateral (
        select either.id as lead_id, either.source from (
          select * from (
  select first.id, 0 as source, first.next_action_at, first.row_index
  from unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.alias_id = slot.lane_id and l.status = 'active' and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit 1
  ) first
  order by first.next_action_at, first.row_index, first.id limit 1) f where slot.kind = 'email'
          union all
          select * from (
  select first.id, 0 as source, first.next_action_at, first.row_index
  from unnest(slot.budgets) b(budget) cross join unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.alias_id = slot.lane_id and l.next_budget = b.budget and l.next_budget <> '' and l.status <> 'pending' and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit 1
  ) first
  order by first.next_action_at, first.row_index, first.id limit 1) f where slot.kind <> 'email'
          union all
          select * from (
  select first.id, 1 as source, first.next_action_at, first.row_index
  from unnest(slot.budgets) b(budget) cross join unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.next_channel = slot.kind and l.next_budget = b.budget and l.alias_id is null and l.status = 'active' and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit 1
  ) first
  order by first.next_action_at, first.row_index, first.id limit 1) p where c.type = 'mixed'
          union all
          select * from (
  select first.id, 2 as source, first.next_action_at, first.row_index
  from unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.status = 'pending' and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit 1
  ) first
  order by first.next_action_at, first.row_index, first.id limit 1) n where (c.status = 'active' and (c.max_new_leads_per_day is null or c.used_new < c.max_new_leads_per_day)) and c.first_channel = slot.kind and case when slot.kind = 'email' then true else 
  case c.steps -> 0 ->> 'action_type' when 'connection_request' then 'connection'
       when 'message' then 'message' when 'profile_view' then 'message' else '' end = any(slot.budgets) end
        ) either order by either.source limit 1
      ) work
      where cs.lane_id = slot.lane_id
        and c.status in ('active', 'draining') and c.deleted_at is null
        and slot.at >= c.open_from and slot.at < c.open_until and c.used < c.daily_limit
      order by work.source = 2, cs.last_served_at nulls first, c.id
      limit 1
    ) chosen
  ), ranked as materialized (
    select pick.*,
           row_number() over (partition by campaign_id order by source = 2, at, lane_id) as place,
           row_number() over alike as place_of_kind,
           zones = first_value(zones) over alike and (source <> 1 or budgets = first_value(budgets) over alike) as sees_the_same
    from pick where pick.gap_over is null or pick.gap_over <= pick.at
    window alike as (partition by campaign_id, source, kind order by at, lane_id)
  ), fresh as materialized (
    select c.id as campaign_id, c.source, c.kind, array_agg(lead.id order by lead.next_action_at, lead.row_index, lead.id) as ids,
           array_agg(lead.next_action_at order by lead.next_action_at, lead.row_index, lead.id) as due_at
    from (select ranked.campaign_id as id, ranked.source, ranked.kind, ranked.zones, case when ranked.source = 1 then ranked.budgets end as budgets,
                 max(ranked.at) as at, count(*) as wanted
          from ranked where ranked.source <> 0 and ranked.sees_the_same group by 1, 2, 3, 4, 5) c
    cross join lateral (select c.at, c.budgets) slot
    cross join lateral (select c.zones) open
    cross join lateral (
      select * from (
  select first.id, 2 as source, first.next_action_at, first.row_index
  from unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.status = 'pending' and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit c.wanted
  ) first
  order by first.next_action_at, first.row_index, first.id limit c.wanted) n where c.source = 2
      union all
      select * from (
  select first.id, 1 as source, first.next_action_at, first.row_index
  from unnest(slot.budgets) b(budget) cross join unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.next_channel = c.kind and l.next_budget = b.budget and l.alias_id is null and l.status = 'active' and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit c.wanted
  ) first
  order by first.next_action_at, first.row_index, first.id limit c.wanted) p where c.source = 1
    ) lead
    group by c.id, c.source, c.kind
  ), slotted as materialized (
    select r.*, r.source = 2 as is_new, case when r.source = 0 then r.lead_id else fresh.ids[r.place_of_kind] end as campaign_lead_id
    from ranked r left join fresh on fresh.campaign_id = r.campaign_id and fresh.source = r.source and fresh.kind = r.kind
    where r.place <= r.room
      and (r.source = 0 or (r.sees_the_same and fresh.due_at[r.place_of_kind] <= r.at))
      and (r.source <> 2 or r.new_room is null or r.place_of_kind <= r.new_room)
  ), 
  taken as (
    update campaign_leads l
    set status = 'active', alias_id = s.lane_id, next_action_at = null, updated_at = p_now
    from slotted s
    where l.id = s.campaign_lead_id and case when l.next_action_at is null then false else l.status in ('pending', 'active') and l.hold_reason is null end
    returning l.id as lead_id, l.next_step, l.next_budget, case when s.kind = 'email' then l.email_key end as email_key, s.workspace_id, s.campaign_id, s.lane_id,
              s.config_version, s.at, s.begins_at, s.open_day, s.day_until, s.is_new
  ), ledger as (
    insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key,
                       config_version, slot_at, campaign_day, lane_day_until, budget, is_new, claimed_at, lease_until,
                       worker_token, claims, attempts, opens, clicks, machine_opens, machine_clicks, updated_at)
    select gen_random_uuid(), t.workspace_id, t.campaign_id, t.lead_id, t.next_step, t.lane_id, 'claimed', t.email_key,
           t.config_version, t.at, t.open_day, t.day_until, t.next_budget, t.is_new, p_now,
           t.begins_at + make_interval(secs => p_lease_seconds), p_worker, 1, 0, 0, 0, 0, 0, p_now
    from taken t
    on conflict (campaign_lead_id, step) do update
    set state = 'claimed', is_new = excluded.is_new, lane_id = excluded.lane_id, slot_at = excluded.slot_at, campaign_day = excluded.campaign_day,
        lane_day_until = excluded.lane_day_until, budget = excluded.budget, claimed_at = excluded.claimed_at, lease_until = excluded.lease_until,
        worker_token = excluded.worker_token, claims = sends.claims + 1, config_version = excluded.config_version,
        updated_at = excluded.updated_at
    where sends.state in ('released', 'retry_wait')
    returning sends.id, sends.campaign_id, sends.campaign_lead_id, sends.lane_id, sends.step, sends.slot_at, sends.lease_until, sends.claims, sends.budget, sends.is_new
  ), advanced as (
    update sender_lanes lane
    set last_slot_at = ledger.slot_at, slot_no = lane.slot_no + 1, used = lane.used + 1,
        connections_used = lane.connections_used + (ledger.budget = 'connection')::int, updated_at = p_now,
        next_slot_at = ledger.slot_at + make_interval(secs => greatest(c.min_interval_seconds, lane.min_interval_seconds) + greatest(1, greatest(c.min_interval_seconds, lane.min_interval_seconds) * lane_jitter(lane.id, (lane.slot_no + 1))))
    from ledger join campaigns c on c.id = ledger.campaign_id
    where lane.id = ledger.lane_id
  ), counted as (
    update campaigns c
    set used = c.used + sums.actions, used_new = c.used_new + sums.new_leads
    from (select ledger.campaign_id, count(*) as actions, count(*) filter (where ledger.is_new) as new_leads from ledger group by 1) sums
    where c.id = sums.campaign_id
  ), shared as materialized (
    select ledger.campaign_id, ledger.lane_id, ledger.slot_at from ledger
    where (select true from campaign_senders other cross join lateral (select c.status, c.deleted_at from campaigns c where c.id = other.campaign_id offset 0) c
           where other.lane_id = ledger.lane_id and other.campaign_id <> ledger.campaign_id and c.status <> 'completed' and c.deleted_at is null limit 1)
  ), served as (
    update campaign_senders cs set last_served_at = shared.slot_at
    from shared where cs.campaign_id = shared.campaign_id and cs.lane_id = shared.lane_id
  ), waiting as (
    update sender_lanes lane set next_slot_at = greatest(pick.gap_over, pick.at + interval '1 second'), updated_at = p_now
    from pick where lane.id = pick.lane_id and pick.gap_over > pick.at
  )
  select ledger.id, ledger.campaign_id, ledger.campaign_lead_id, ledger.lane_id, ledger.step, ledger.slot_at,
         ledger.lease_until - make_interval(secs => p_lease_seconds) as begins_at, ledger.claims, due.kind
  from ledger join due on due.lane_id = ledger.lane_id order by begins_at, ledger.slot_at, ledger.lane_id;
  end if;
  get diagnostics v_claimed = row_count;
  if v_claimed < cardinality(v_lanes) then
    
    update sender_lanes lane set next_slot_at = wake.at, updated_at = p_now
    from (
      select lane.id as lane_id, case when lane.next_slot_at > p_now - interval '20 seconds' then lane.next_slot_at else p_now end as at, lane.last_slot_at, lane.slot_no, lane.closed_until,
             lane.kind, lane.min_interval_seconds, 
  case when lane.kind <> 'email' then array_remove(array[
         case when lane.connections_used < coalesce(lane.connection_cap, 0) then 'connection' end,
         case when lane.used - lane.connections_used < lane.day_cap - coalesce(lane.connection_cap, 0) then 'message' end], null)
       when lane.used < lane.day_cap then '{""}'::text[] else '{}'::text[] end as budgets, lane.day_from, lane.day_until
      from unnest(v_lanes, v_slots) locked(lane_id, slot) join sender_lanes lane on lane.id = locked.lane_id and lane.next_slot_at = locked.slot
    ) due left join lateral (
    select case
      when due.at < due.day_from then due.day_from
      when due.budgets = '{}' or due.at >= due.day_until then due.day_until
      else greatest(due.at + interval '1 second', p_now, due.closed_until, min(
        case when c.used >= c.daily_limit then c.open_until
             else greatest(work.due_at, c.open_from, (due.last_slot_at + make_interval(secs => greatest(c.min_interval_seconds, due.min_interval_seconds) + greatest(1, greatest(c.min_interval_seconds, due.min_interval_seconds) * lane_jitter(due.lane_id, due.slot_no))))::timestamptz(3)) end))
      end as at
    from campaign_senders cs
    join campaigns c on c.id = cs.campaign_id
    cross join lateral (
      select min(greatest(both_kinds.next_action_at, z.open_from)) as due_at from (
  select '' as zone, c.open_from, c.open_until where not c.use_lead_timezone
  union all
  select zone.zone, zone.open_from, zone.open_until from campaign_zones zone
  where c.use_lead_timezone and zone.campaign_id = c.id) z cross join lateral (
        select * from (select l.next_action_at from campaign_leads l
          where due.kind = 'email' and l.campaign_id = c.id and l.zone = z.zone and l.alias_id = due.lane_id and l.status = 'active' and l.next_action_at is not null
            and l.hold_reason is null
          order by l.next_action_at limit 1) f
        union all
        select greatest(f.next_action_at, case when b.budget <> all(due.budgets) then due.day_until end)
        from unnest(case when due.kind <> 'email' then case when due.kind = 'email' then '{""}'::text[] else '{connection,message}'::text[] end end) b(budget) cross join lateral (
          select l.next_action_at from campaign_leads l
          where l.campaign_id = c.id and l.zone = z.zone and l.alias_id = due.lane_id and l.next_budget = b.budget and l.next_budget <> '' and l.status <> 'pending' and l.next_action_at is not null and l.hold_reason is null
          order by l.next_action_at limit 1) f
        union all
        select greatest(p.next_action_at, case when b.budget <> all(due.budgets) then due.day_until end)
        from unnest(case when c.type = 'mixed' then case when due.kind = 'email' then '{""}'::text[] else '{connection,message}'::text[] end end) b(budget) cross join lateral (
          select l.next_action_at from campaign_leads l
          where l.campaign_id = c.id and l.zone = z.zone and l.next_channel = due.kind and l.next_budget = b.budget and l.alias_id is null and l.status = 'active'
            and l.next_action_at is not null and l.hold_reason is null
          order by l.next_action_at limit 1) p
        union all
        select * from (select greatest(l.next_action_at, case when not (c.status = 'active' and (c.max_new_leads_per_day is null or c.used_new < c.max_new_leads_per_day)) then c.open_until end, case when not case when due.kind = 'email' then true else 
  case c.steps -> 0 ->> 'action_type' when 'connection_request' then 'connection'
       when 'message' then 'message' when 'profile_view' then 'message' else '' end = any(due.budgets) end then due.day_until end)
          from campaign_leads l
          where c.status = 'active' and c.first_channel = due.kind and l.campaign_id = c.id and l.zone = z.zone and l.status = 'pending' and l.next_action_at is not null
            and l.hold_reason is null
          order by l.next_action_at limit 1) n
      ) both_kinds
    ) work
    where cs.lane_id = due.lane_id and c.status in ('active', 'draining') and c.deleted_at is null
      and work.due_at is not null
    having count(*) > 0 or due.budgets = '{}' or due.at < due.day_from or due.at >= due.day_until) wake on true
    where lane.id = due.lane_id;
  end if;
  if v_claimed = 0 then
    return query select null::uuid, null::uuid, null::uuid, null::uuid, null::int, null::timestamptz, null::timestamptz, null::int, null::text;
  end if;
end $$;
--> statement-breakpoint
create function engine_record_and_begin_6(p_now timestamptz, p_worker uuid, p_outcomes jsonb, p_begin jsonb) returns table (id uuid, refusal text)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare v_ended uuid[] := array(select (named ->> 'id')::uuid from jsonb_array_elements(p_outcomes) named);
  v_begin uuid[] := array(select (named ->> 'id')::uuid from jsonb_array_elements(p_begin) named);
  v_count bigint;
begin
  if v_begin <> '{}' then
    
  with mine as (
    select s.workspace_id, s.email_key from sends s
    where s.id = any(v_begin) and s.email_key is not null
  ), workspace as materialized (
    select pg_advisory_xact_lock_shared(k) from (
      select distinct hashtextextended(workspace_id::text || ':suppressions', 0) as k from mine order by k
    ) keys
  ), address as materialized (
    select pg_advisory_xact_lock(k) from (
      select distinct hashtextextended(workspace_id::text || email_key, 0) as k from mine order by k
    ) keys, (select count(*) from workspace) first
  )
  select count(*) into v_count from address;
  end if;
  perform 1 from (
    select lane.id from sender_lanes lane
    where lane.id = any(array(select s.lane_id from sends s where s.id = any(v_ended || v_begin)))
    order by lane.id for update) lanes;
  if v_ended <> '{}' then
    
  with outcome as materialized (
    select * from jsonb_to_recordset(p_outcomes) as o(
      id uuid, kind text, reason text, accepted_at timestamptz, next_step int, next_action_at timestamptz, next_channel text, next_budget text,
      next_hold text, message_id text)
  ), held as materialized (
    select s.id, s.state, s.worker_token, s.lane_id, s.campaign_lead_id, s.step from sends s where s.id = any(v_ended) for update of s
  ), lane as materialized (
    select lane.id, lane.next_slot_at from sender_lanes lane
    where lane.id = any(array(select held.lane_id from held)) and lane.failures = 0 and (lane.closed_until > p_now) is not false
      and (select a.last_error from mail_aliases a where a.id = lane.id) is null
      and (select a.rate_limited_until <= p_now from connected_accounts a where a.id = lane.id) is not true
  ), plain as materialized (
    select h.id, h.campaign_lead_id, h.step, o.reason, o.accepted_at, o.message_id, o.next_step, o.next_action_at, o.next_budget, o.next_hold
    from outcome o join held h on h.id = o.id join lane on lane.id = h.lane_id
    where o.kind = 'accepted' and o.next_channel is null
      and h.state = 'transmitting' and h.worker_token = p_worker
      and (o.next_action_at is null or lane.next_slot_at <= o.next_action_at)
      and (select l.alias_id from campaign_leads l where l.id = h.campaign_lead_id) is not distinct from h.lane_id
  ), clear as materialized (
    select count(*) = cardinality(v_ended) as of_all from plain
  ), settled as (
    update sends s
    set state = 'accepted', accepted_at = p.accepted_at, message_id = coalesce(p.message_id, s.message_id), claims = 0, alone = null,
        reason = p.reason, lease_until = null, updated_at = p_now
    from plain p where s.id = any(v_ended) and s.id = p.id and (select clear.of_all from clear)
    returning s.id
  ), lead as (
    update campaign_leads l
    set current_step = greatest(l.current_step, p.step),
        status = case when l.status = 'active' and p.next_step is null then 'completed' else l.status end,
        next_step = case when l.status = 'active' then p.next_step end,
        next_action_at = case when l.status = 'active' then p.next_action_at end,
        next_channel = case when l.status <> 'active' then l.next_channel end,
        next_budget = case when l.status = 'active' then coalesce(p.next_budget, '') else l.next_budget end,
        hold_reason = case when l.status = 'active' and l.hold_reason is null and p.next_hold is not null and 
  case p.next_hold when 'awaiting_acceptance' then l.connected_at is null else (l.metadata -> 'approved_emails' -> (p.next_step)::text) is null end
                           then p.next_hold else l.hold_reason end,
        last_error = null, updated_at = p_now
    from plain p where l.id = any(array(select plain.campaign_lead_id from plain)) and l.id = p.campaign_lead_id and (select clear.of_all from clear)
  )
  select count(*) into v_count from settled;
    if v_count = 0 then
      
  with outcome as materialized (
    select * from jsonb_to_recordset(p_outcomes) as o(
      id uuid, kind text, reason text, accepted_at timestamptz, next_step int, next_action_at timestamptz, next_channel text, scope text, suppress boolean, suppress_until timestamptz, refused boolean,
      attempt_spent boolean, lane text, skip boolean, message_id text, next_budget text, next_hold text, hold text, approved_at text, looked_up boolean)
  ), held as materialized (
    select s.id, s.state, s.worker_token from sends s where s.id = any(array(select outcome.id from outcome)) for update of s
  ), settled as (
    update sends s
    set state = case o.kind when 'accepted' then 'accepted' when 'assumed' then 'assumed_sent' when 'confirmed' then 'accepted' when 'unknown' then 'unknown'
                            when 'rejected' then 'rejected' when 'retry' then 'retry_wait' when 'released' then 'released' when 'held' then 'released'
                            when 'render_failed' then case when o.skip then 'canceled' else 'failed' end
                            else 'failed' end,
        accepted_at = case o.kind when 'accepted' then o.accepted_at when 'assumed' then s.transmitting_at when 'confirmed' then s.transmitting_at else s.accepted_at end,
        message_id = coalesce(o.message_id, s.message_id),
        bounced_at = case when o.kind = 'rejected' and o.scope = 'recipient' then p_now else s.bounced_at end,
        attempts = s.attempts - case when o.kind = 'retry' and not o.attempt_spent and s.state = 'transmitting' then 1 else 0 end,
        refusals = s.refusals + o.refused::int, refused_since = case when o.refused then coalesce(s.refused_since, p_now) else s.refused_since end,
        claims = 0, alone = null,
        reason = o.reason, lease_until = null, updated_at = p_now
    from outcome o join held h on h.id = o.id
    where s.id = h.id and (
      ((o.kind in ('assumed', 'confirmed') or o.looked_up) and h.state = 'unknown')
      or (h.worker_token = p_worker
          and (h.state in ('claimed', 'transmitting') or (h.state = 'unknown' and o.kind = 'accepted'))))
    returning s.id, s.workspace_id, s.campaign_id, s.campaign_lead_id, s.lane_id, s.step, s.email_key, s.is_new,
              s.campaign_day, s.lane_day_until, s.budget, o.kind, o.reason, o.next_step, o.next_action_at, o.next_channel, o.next_budget, o.scope, o.suppress, o.suppress_until,
              o.lane, o.skip,
              h.state = 'claimed' as unbegun, o.kind in ('released', 'held', 'render_failed') or (o.kind = 'retry' and not o.attempt_spent) as refund,
              o.kind in ('released', 'held') or (o.kind = 'retry' and not o.attempt_spent) as untouched,
              o.next_hold, o.hold, o.approved_at,
              case when o.kind in ('released', 'held') then p_now else o.next_action_at end as back_at
  ), lead as (
    update campaign_leads l
    set current_step = case when s.kind in ('accepted', 'assumed', 'confirmed') then greatest(l.current_step, s.step) else l.current_step end,
        status = case
          when l.status <> 'active' then l.status
          when s.kind in ('accepted', 'assumed', 'confirmed') and s.next_step is null then 'completed'
          when s.kind = 'rejected' and s.scope = 'recipient' then 'bounced'
          when s.kind in ('rejected', 'given_up') then 'failed'
          when s.kind = 'render_failed' then case when s.skip then 'skipped' else 'failed' end
          when s.untouched and s.is_new then 'pending'
          else l.status end,
        next_step = case
          when l.status <> 'active' then null
          when s.kind in ('accepted', 'assumed', 'confirmed') then s.next_step
          when s.kind in ('rejected', 'given_up', 'render_failed') then null
          else l.next_step end,
        next_action_at = case
          when l.status <> 'active' then null
          when s.kind in ('accepted', 'assumed', 'confirmed', 'retry') then s.next_action_at
          when s.kind in ('released', 'held') then p_now
          else null end,
        hold_reason = case
          when l.status <> 'active' or l.hold_reason is not null then l.hold_reason
          when s.kind in ('accepted', 'assumed', 'confirmed') and 
  case s.next_hold when 'awaiting_acceptance' then l.connected_at is null else (l.metadata -> 'approved_emails' -> (s.next_step)::text) is null end then s.next_hold
          when s.kind = 'held' and s.hold = 'awaiting_acceptance' then case when l.connected_at is null then s.hold end
          when s.kind = 'held' and (l.metadata -> 'approved_emails' -> (s.step)::text) ->> 'approved_at' is not distinct from s.approved_at then s.hold
          else l.hold_reason end,
        alias_id = case when l.status <> 'active' then l.alias_id when s.next_channel is not null then known.lane_id
                        when s.untouched and (s.is_new or l.next_channel is not null) then null else l.alias_id end,
        next_channel = case when l.status <> 'active' or s.kind not in ('accepted', 'assumed', 'confirmed') then l.next_channel
                            when known.lane_id is null then s.next_channel end,
        next_budget = case when l.status = 'active' and s.kind in ('accepted', 'assumed', 'confirmed') then coalesce(s.next_budget, '') else l.next_budget end,
        stop_reason = case when l.status = 'active' and s.kind in ('rejected', 'given_up', 'render_failed') then s.reason else l.stop_reason end,
        last_error = case when s.kind in ('rejected', 'retry', 'given_up', 'render_failed', 'unknown') then s.reason
                          when s.kind in ('accepted', 'assumed', 'confirmed') then null else l.last_error end,
        updated_at = p_now
    from settled s left join lateral (
  select before.lane_id from sends before
  join sender_lanes lane on lane.id = before.lane_id
  join campaign_senders cs on cs.campaign_id = s.campaign_id and cs.lane_id = before.lane_id
  where s.next_channel is not null and before.campaign_lead_id = s.campaign_lead_id and lane.kind = s.next_channel
  order by before.step desc limit 1) known on true
    where l.id = s.campaign_lead_id
  ), looking as (
    select lane_id, id, true as is_own, false as is_heir from settled
    union all
    select cs.lane_id, s.id, false, false from settled s join campaign_senders cs on cs.campaign_id = s.campaign_id and cs.lane_id <> s.lane_id
    where s.refund or s.next_channel is not null
    union all
    
  select l.alias_id, open_send.id, false, true from settled open_send
  join campaign_leads l on l.id = open_send.campaign_lead_id and l.alias_id <> open_send.lane_id
  ), lane_change as (
    select look.lane_id, bool_or(look.is_own and s.kind = 'accepted') as healthy, bool_or(look.is_own and s.lane in ('limited', 'down', 'sealed')) as closes,
           bool_or(look.is_own and s.lane = 'broken') as breaks, bool_or(look.is_own and s.lane in ('down', 'sealed', 'broken')) as fails,
           case when bool_or(look.is_own and s.lane = 'broken') then 'account' when bool_or(look.is_own and s.lane = 'down') then 'line' when bool_or(look.is_own and s.lane = 'sealed') then 'vault' end as error_kind,
           bool_or(look.is_own and s.refund and s.unbegun) as gives_back, count(*) filter (where look.is_own and s.refund) as refunds,
           count(*) filter (where look.is_own and s.refund and s.budget = 'connection') as connection_refunds, 
  bool_or(look.is_own and s.lane = 'spent' and s.lane_day_until = lane.day_until
    and s.budget = 'connection') as spends_connections, 
  bool_or(look.is_own and s.lane = 'spent' and s.lane_day_until = lane.day_until
    and s.budget <> 'connection') as spends_messages,
           bool_or(look.is_own and s.lane = 'limited') as limits, max(s.lane_day_until) filter (where look.is_own) as day_until,
           bool_or(lane.open) as was_open, max(s.reason) filter (where look.is_own) as reason, min(greatest(case when s.refund then p_now else s.back_at end, lane.closed_until, (lane.last_slot_at + make_interval(secs => greatest(lane.min_interval_seconds, c.min_interval_seconds) + greatest(1, greatest(lane.min_interval_seconds, c.min_interval_seconds) * lane_jitter(lane.id, lane.slot_no))))::timestamptz(3))) filter (where s.refund or s.back_at is not null) as wake_at
    from looking look join settled s on s.id = look.id join sender_lanes lane on lane.id = look.lane_id join campaigns c on c.id = s.campaign_id
    where look.is_own or look.is_heir or ((s.is_new or c.type = 'mixed' or c.used >= c.daily_limit)
  and lane.open and (lane.next_slot_at is null or lane.next_slot_at > greatest(p_now, lane.closed_until, (lane.last_slot_at + make_interval(secs => greatest(lane.min_interval_seconds, c.min_interval_seconds) + greatest(1, greatest(lane.min_interval_seconds, c.min_interval_seconds) * lane_jitter(lane.id, lane.slot_no))))::timestamptz(3)))) group by look.lane_id
  ), lane as (
    update sender_lanes lane
    set last_slot_at = case when x.gives_back then lane.last_begun_at else lane.last_slot_at end,
        used = (lane.used - case when lane.day_until = x.day_until then least(lane.used, x.refunds::int) else 0 end), connections_used = (lane.connections_used - case when lane.day_until = x.day_until then least(lane.connections_used, x.connection_refunds::int) else 0 end),
        connection_cap = case when x.spends_connections then least(lane.connection_cap, (lane.connections_used - case when lane.day_until = x.day_until then least(lane.connections_used, x.connection_refunds::int) else 0 end)) else lane.connection_cap end, day_cap = coalesce(case when x.spends_connections then least(lane.connection_cap, (lane.connections_used - case when lane.day_until = x.day_until then least(lane.connections_used, x.connection_refunds::int) else 0 end)) else lane.connection_cap end, 0) + case when x.spends_messages then least(lane.day_cap - coalesce(lane.connection_cap, 0), (lane.used - case when lane.day_until = x.day_until then least(lane.used, x.refunds::int) else 0 end) - (lane.connections_used - case when lane.day_until = x.day_until then least(lane.connections_used, x.connection_refunds::int) else 0 end))
                     else lane.day_cap - coalesce(lane.connection_cap, 0) end,
        failures = case when x.closes or x.breaks then lane.failures + 1 when x.healthy then 0 else lane.failures end,
        open = lane.open and not x.breaks,
        closed_since = case when x.breaks then coalesce(lane.closed_since, p_now) else lane.closed_since end,
        closed_until = case when x.closes then greatest(lane.closed_until, p_now + least(interval '6 hours', interval '5 minutes' * power(2, least(lane.failures, 12)))) when x.healthy and lane.closed_until <= p_now then null else lane.closed_until end,
        next_slot_at = case when not x.breaks then least(lane.next_slot_at, x.wake_at, case when x.gives_back then greatest(p_now, lane.closed_until,
  (lane.last_begun_at + make_interval(secs => coalesce(lane.min_interval_seconds, 60) + greatest(1, coalesce(lane.min_interval_seconds, 60) * lane_jitter(lane.id, lane.slot_no))))::timestamptz(3)) end) end,
        updated_at = p_now
    from lane_change x where lane.id = x.lane_id and (
      x.closes or x.breaks or x.refunds > 0 or x.wake_at < coalesce(lane.next_slot_at, 'infinity')
      or (x.healthy and (lane.failures > 0 or lane.closed_until <= p_now)))
    returning lane.id, lane.day_until, lane.closed_until
  ), alias as (
    -- Of a sender that was closed meanwhile only that its account is wrong still counts.
    update mail_aliases a
    set status = case when x.breaks then 'error' when x.healthy and not x.closes then 'active' else a.status end,
        last_error = case when x.closes or x.breaks then x.reason else null end,
        last_error_kind = x.error_kind,
        updated_at = p_now
    from lane_change x
    where a.id = x.lane_id and ((a.status in ('active', 'error')) is true) and (x.was_open or x.breaks) and (x.closes or x.breaks or (x.healthy and a.last_error is not null))
  ), account as (
    update connected_accounts a
    set rate_limited_until = case when x.spends_connections or x.spends_messages then greatest(a.rate_limited_until, lane.day_until)
                                  when x.limits then greatest(a.rate_limited_until, lane.closed_until)
                                  when x.healthy and a.rate_limited_until <= p_now then null else a.rate_limited_until end,
        status = case when x.breaks and a.status = 'connected' then 'disconnected' else a.status end,
        status_since = case when x.breaks and a.status = 'connected' then p_now else a.status_since end,
        last_error = case when x.fails or x.closes or x.spends_connections or x.spends_messages then x.reason else a.last_error end,
        next_sync_at = case when x.fails then least(a.next_sync_at, p_now) else a.next_sync_at end,
        updated_at = p_now
    from lane_change x left join lane on lane.id = x.lane_id
    where a.id = x.lane_id and (x.fails or x.closes or x.spends_connections or x.spends_messages or (x.healthy and a.rate_limited_until <= p_now))
  ), campaign as (
    update campaigns c
    set used = c.used - least(c.used, x.refunds::int), used_new = c.used_new - least(c.used_new, x.new_refunds::int)
    from (select campaign_id, campaign_day, count(*) as refunds, count(*) filter (where is_new) as new_refunds
          from settled where refund group by campaign_id, campaign_day) x
    where c.id = x.campaign_id and c.open_day = x.campaign_day
  ), suppressed as (
    insert into suppressions (id, workspace_id, user_id, value, value_hash, kind, reason, source_campaign_id, expires_at, created_at, updated_at)
    select distinct on (s.workspace_id, s.email_key) gen_random_uuid(), s.workspace_id, w.owner_user_id, s.email_key,
           encode(sha256(convert_to(s.email_key, 'UTF8')), 'hex'), 'email', 'hard_bounce', s.campaign_id, s.suppress_until, p_now, p_now
    from settled s join workspaces w on w.id = s.workspace_id where s.suppress and s.email_key is not null
    on conflict (workspace_id, kind, value_hash) do update set reason = case when (suppressions.expires_at <= p_now or array_position(array['manual', 'hard_bounce', 'unsubscribe', 'complaint'], excluded.reason) >= array_position(array['manual', 'hard_bounce', 'unsubscribe', 'complaint'], suppressions.reason)) then excluded.reason else suppressions.reason end, expires_at = case
      when suppressions.expires_at <= p_now or (excluded.reason = 'manual' and (suppressions.expires_at <= p_now or array_position(array['manual', 'hard_bounce', 'unsubscribe', 'complaint'], excluded.reason) >= array_position(array['manual', 'hard_bounce', 'unsubscribe', 'complaint'], suppressions.reason))) then excluded.expires_at
      when excluded.reason = 'manual' then suppressions.expires_at
      when suppressions.expires_at is not null and excluded.expires_at is not null then greatest(suppressions.expires_at, excluded.expires_at) end, source_campaign_id = case when (suppressions.expires_at <= p_now or array_position(array['manual', 'hard_bounce', 'unsubscribe', 'complaint'], excluded.reason) >= array_position(array['manual', 'hard_bounce', 'unsubscribe', 'complaint'], suppressions.reason)) then excluded.source_campaign_id else suppressions.source_campaign_id end, updated_at = p_now
  )
  select count(*) into v_count from settled;
    end if;
  end if;
  if v_begin <> '{}' then
    
  with 
  wanted as materialized (
    select * from jsonb_to_recordset(p_begin) as b(
      id uuid, message_id text, subject text, html text, variant_label text, template_id uuid, template_version int,
      sender_profile_id uuid, lease_until timestamptz)
  ), locked as materialized (
    select s.id, s.state, s.worker_token, s.lease_until, s.workspace_id, s.campaign_id, s.campaign_lead_id, s.lane_id, s.email_key, s.is_new,
           s.slot_at, s.campaign_day, s.lane_day_until, s.budget
    from sends s where s.id = any(v_begin) for update of s
  ), mine as materialized (
    select * from locked where state = 'claimed' and worker_token = p_worker and locked.lease_until > p_now
  ), campaign as materialized (
    select c.id, c.status, c.deleted_at, c.open_from, c.open_until, c.use_lead_timezone, c.min_interval_seconds from campaigns c
    where c.id = any(array(select mine.campaign_id from mine)) order by c.id for share
  ), lead as materialized (
    select l.id, l.status, l.hold_reason, l.hold_until, l.zone from campaign_leads l
    where l.id = any(array(select mine.campaign_lead_id from mine)) order by l.id for share
  ), zone as materialized (
    select z.* from (
      select distinct c.id as campaign_id, l.zone from mine m join campaign c on c.id = m.campaign_id and c.use_lead_timezone
      join lead l on l.id = m.campaign_lead_id
    ) own join campaign_zones z on z.campaign_id = own.campaign_id and z.zone = own.zone
    order by z.campaign_id, z.zone for share of z
  ), sender as materialized (
    select lane.id, lane.open, lane.closed_until, lane.last_begun_at, lane.min_interval_seconds from sender_lanes lane
    where lane.id = any(array(select mine.lane_id from mine)) order by lane.id for update
  ), verdict as materialized (
    select m.*, recent.until as mailed_until, sup.reason as suppression,
      case
        when c.status not in ('active', 'draining') or c.deleted_at is not null then 'campaign_not_running'
        when c.status = 'draining' and m.is_new then 'campaign_draining'
        when l.status <> 'active' then 'lead_not_active'
        when l.hold_reason is not null and (l.hold_until is null or l.hold_until > p_now) then 'lead_held'
        when sup.reason is not null then 'suppressed'
        when p_now < c.open_from or p_now >= c.open_until then 'window_closed'
        when c.use_lead_timezone and (p_now >= z.open_from and p_now < z.open_until) is not true then 'window_closed'
        when not lane.open or not exists (select 1 from campaign_senders serving where serving.campaign_id = m.campaign_id and serving.lane_id = m.lane_id) then 'sender_not_active'
        when lane.closed_until > p_now then 'sender_resting'
        when p_now < lane.last_begun_at + make_interval(secs => greatest(lane.min_interval_seconds, c.min_interval_seconds))
          or row_number() over (partition by m.lane_id order by m.slot_at, m.id) > 1 then 'sender_too_soon'
        when m.email_key is not null and (recent.until is not null
          or row_number() over (partition by m.workspace_id, m.email_key order by m.slot_at, m.lane_id, m.id) > 1) then 'address_recently_mailed'
      end as refusal
    from mine m
    join campaign c on c.id = m.campaign_id
    join lead l on l.id = m.campaign_lead_id
    left join zone z on z.campaign_id = m.campaign_id and z.zone = l.zone
    join sender lane on lane.id = m.lane_id
    left join lateral (select coalesce((
    select x.reason from suppressions x
    where x.workspace_id = m.workspace_id and x.kind = 'email' and x.value_hash = encode(sha256(convert_to(m.email_key, 'UTF8')), 'hex')
      and (x.expires_at is null or x.expires_at > p_now)), (
    select x.reason from suppressions x
    where x.workspace_id = m.workspace_id and x.kind = 'domain' and x.value_hash = encode(sha256(convert_to(substring(m.email_key from '[^@]*$'), 'UTF8')), 'hex')
      and (x.expires_at is null or x.expires_at > p_now))) as reason) sup on true
    left join lateral (
  select max(coalesce(o.accepted_at, o.transmitting_at)) + interval '24 hours' as until from sends o
  where o.workspace_id = m.workspace_id and o.email_key = m.email_key and o.campaign_id <> m.campaign_id
    and (o.accepted_at > p_now - interval '24 hours'
  or (o.state in ('transmitting', 'unknown') and o.transmitting_at > p_now - interval '24 hours'))) recent on true
  ), clear as materialized (
    select count(*) = cardinality(v_begin) and bool_and(refusal is null) as of_all from verdict
  ), 
  begun as (
    update sends s
    set state = 'transmitting', claims = 0, alone = null, attempts = s.attempts + 1, transmitting_at = p_now, lease_until = w.lease_until,
        message_id = w.message_id, subject = w.subject, variant_label = w.variant_label, template_id = w.template_id,
        template_version = w.template_version, sender_profile_id = w.sender_profile_id, reason = null, updated_at = p_now
    from wanted w join verdict v on v.id = w.id
    where s.id = any(v_begin) and s.id = w.id and v.refusal is null and (select clear.of_all from clear)
    returning s.id
  ), written as (
    insert into send_bodies (send_id, html, written_at)
    select w.id, w.html, p_now from wanted w join begun on begun.id = w.id where w.html is not null
    on conflict (send_id) do update set html = excluded.html, written_at = excluded.written_at
  ), lane as (
    update sender_lanes lane
    set last_begun_at = p_now, last_slot_at = greatest(lane.last_slot_at, v.slot_at + greatest(interval '0', p_now - v.slot_at - interval '20 seconds')),
        next_slot_at = lane.next_slot_at + greatest(interval '0', p_now - v.slot_at - interval '20 seconds')
    from verdict v where lane.id = any(array(select verdict.lane_id from verdict)) and lane.id = v.lane_id and (select clear.of_all from clear)
  )
  select count(*) into v_count from begun;
    if v_count = 0 then
      return query 
  with 
  wanted as materialized (
    select * from jsonb_to_recordset(p_begin) as b(
      id uuid, message_id text, subject text, html text, variant_label text, template_id uuid, template_version int,
      sender_profile_id uuid, lease_until timestamptz)
  ), locked as materialized (
    select s.id, s.state, s.worker_token, s.lease_until, s.workspace_id, s.campaign_id, s.campaign_lead_id, s.lane_id, s.email_key, s.is_new,
           s.slot_at, s.campaign_day, s.lane_day_until, s.budget
    from sends s where s.id = any(v_begin) for update of s
  ), mine as materialized (
    select * from locked where state = 'claimed' and worker_token = p_worker and locked.lease_until > p_now
  ), campaign as materialized (
    select c.id, c.status, c.deleted_at, c.open_from, c.open_until, c.use_lead_timezone, c.min_interval_seconds from campaigns c
    where c.id = any(array(select mine.campaign_id from mine)) order by c.id for share
  ), lead as materialized (
    select l.id, l.status, l.hold_reason, l.hold_until, l.zone from campaign_leads l
    where l.id = any(array(select mine.campaign_lead_id from mine)) order by l.id for share
  ), zone as materialized (
    select z.* from (
      select distinct c.id as campaign_id, l.zone from mine m join campaign c on c.id = m.campaign_id and c.use_lead_timezone
      join lead l on l.id = m.campaign_lead_id
    ) own join campaign_zones z on z.campaign_id = own.campaign_id and z.zone = own.zone
    order by z.campaign_id, z.zone for share of z
  ), sender as materialized (
    select lane.id, lane.open, lane.closed_until, lane.last_begun_at, lane.min_interval_seconds from sender_lanes lane
    where lane.id = any(array(select mine.lane_id from mine)) order by lane.id for update
  ), verdict as materialized (
    select m.*, recent.until as mailed_until, sup.reason as suppression,
      case
        when c.status not in ('active', 'draining') or c.deleted_at is not null then 'campaign_not_running'
        when c.status = 'draining' and m.is_new then 'campaign_draining'
        when l.status <> 'active' then 'lead_not_active'
        when l.hold_reason is not null and (l.hold_until is null or l.hold_until > p_now) then 'lead_held'
        when sup.reason is not null then 'suppressed'
        when p_now < c.open_from or p_now >= c.open_until then 'window_closed'
        when c.use_lead_timezone and (p_now >= z.open_from and p_now < z.open_until) is not true then 'window_closed'
        when not lane.open or not exists (select 1 from campaign_senders serving where serving.campaign_id = m.campaign_id and serving.lane_id = m.lane_id) then 'sender_not_active'
        when lane.closed_until > p_now then 'sender_resting'
        when p_now < lane.last_begun_at + make_interval(secs => greatest(lane.min_interval_seconds, c.min_interval_seconds))
          or row_number() over (partition by m.lane_id order by m.slot_at, m.id) > 1 then 'sender_too_soon'
        when m.email_key is not null and (recent.until is not null
          or row_number() over (partition by m.workspace_id, m.email_key order by m.slot_at, m.lane_id, m.id) > 1) then 'address_recently_mailed'
      end as refusal
    from mine m
    join campaign c on c.id = m.campaign_id
    join lead l on l.id = m.campaign_lead_id
    left join zone z on z.campaign_id = m.campaign_id and z.zone = l.zone
    join sender lane on lane.id = m.lane_id
    left join lateral (select coalesce((
    select x.reason from suppressions x
    where x.workspace_id = m.workspace_id and x.kind = 'email' and x.value_hash = encode(sha256(convert_to(m.email_key, 'UTF8')), 'hex')
      and (x.expires_at is null or x.expires_at > p_now)), (
    select x.reason from suppressions x
    where x.workspace_id = m.workspace_id and x.kind = 'domain' and x.value_hash = encode(sha256(convert_to(substring(m.email_key from '[^@]*$'), 'UTF8')), 'hex')
      and (x.expires_at is null or x.expires_at > p_now))) as reason) sup on true
    left join lateral (
  select max(coalesce(o.accepted_at, o.transmitting_at)) + interval '24 hours' as until from sends o
  where o.workspace_id = m.workspace_id and o.email_key = m.email_key and o.campaign_id <> m.campaign_id
    and (o.accepted_at > p_now - interval '24 hours'
  or (o.state in ('transmitting', 'unknown') and o.transmitting_at > p_now - interval '24 hours'))) recent on true
  ), 
  begun as (
    update sends s
    set state = 'transmitting', claims = 0, alone = null, attempts = s.attempts + 1, transmitting_at = p_now, lease_until = w.lease_until,
        message_id = w.message_id, subject = w.subject, variant_label = w.variant_label, template_id = w.template_id,
        template_version = w.template_version, sender_profile_id = w.sender_profile_id, reason = null, updated_at = p_now
    from wanted w join verdict v on v.id = w.id
    where s.id = any(v_begin) and s.id = w.id and v.refusal is null and true
    returning s.id
  ), written as (
    insert into send_bodies (send_id, html, written_at)
    select w.id, w.html, p_now from wanted w join begun on begun.id = w.id where w.html is not null
    on conflict (send_id) do update set html = excluded.html, written_at = excluded.written_at
  ), refused as (
    update sends s
    set state = case when v.refusal in ('lead_not_active', 'suppressed') then 'canceled' else 'released' end,
        claims = 0, alone = null, lease_until = null, reason = v.refusal, updated_at = p_now
    from verdict v where s.id = v.id and v.refusal is not null
    returning s.id
  ), lead_back as (
    update campaign_leads l
    set status = case
          when v.refusal = 'suppressed' then case v.suppression when 'unsubscribe' then 'unsubscribed' when 'complaint' then 'complained'
                                                                when 'hard_bounce' then 'bounced' else 'stopped' end
          when v.is_new then 'pending' else l.status end,
        stop_reason = case when v.refusal = 'suppressed' then 'suppressed' else l.stop_reason end,
        next_step = case when v.refusal = 'suppressed' then null else l.next_step end,
        alias_id = case when v.is_new or l.next_channel is not null then null else l.alias_id end,
        next_action_at = case when v.refusal = 'suppressed' then null
                              when v.refusal = 'address_recently_mailed' then coalesce(v.mailed_until, p_now + interval '24 hours')
                              else p_now end,
        updated_at = p_now
    from verdict v
    where l.id = any(array(select verdict.campaign_lead_id from verdict where verdict.refusal is not null))
      and l.id = v.campaign_lead_id and v.refusal is not null and l.status = 'active'
  ), lane as (
    update sender_lanes lane
    set used = (lane.used - case when lane.day_until = x.day_until then least(lane.used, x.refunds::int) else 0 end), connections_used = (lane.connections_used - case when lane.day_until = x.day_until then least(lane.connections_used, x.connection_refunds::int) else 0 end),
        last_begun_at = case when x.begins then p_now else lane.last_begun_at end,
        last_slot_at = case when x.begins then greatest(lane.last_slot_at, x.slot_at + greatest(interval '0', p_now - x.slot_at - interval '20 seconds')) when (x.refunds > 0 and not x.begins) then lane.last_begun_at else lane.last_slot_at end,
        next_slot_at = least(x.wake_at, case when (x.refunds > 0 and not x.begins) then greatest(p_now, lane.closed_until,
  (lane.last_begun_at + make_interval(secs => coalesce(lane.min_interval_seconds, 60) + greatest(1, coalesce(lane.min_interval_seconds, 60) * lane_jitter(lane.id, lane.slot_no))))::timestamptz(3)) end,
          case when x.begins then lane.next_slot_at + greatest(interval '0', p_now - x.slot_at - interval '20 seconds') else lane.next_slot_at end)
    from (
      select look.lane_id, bool_or(look.is_own and v.refusal is null) as begins, max(v.slot_at) filter (where look.is_own and v.refusal is null) as slot_at, max(v.lane_day_until) filter (where look.is_own) as day_until,
             count(*) filter (where look.is_own and v.refusal is not null) as refunds,
             count(*) filter (where look.is_own and v.refusal is not null and v.budget = 'connection') as connection_refunds,
             min(greatest(p_now, lane.closed_until, (lane.last_slot_at + make_interval(secs => greatest(lane.min_interval_seconds, c.min_interval_seconds) + greatest(1, greatest(lane.min_interval_seconds, c.min_interval_seconds) * lane_jitter(lane.id, lane.slot_no))))::timestamptz(3))) filter (where v.refusal is not null) as wake_at
      from (
        select lane_id, id, true as is_own, false as is_heir from verdict
        union all
        select cs.lane_id, v.id, false, false from verdict v join campaign_senders cs on cs.campaign_id = v.campaign_id and cs.lane_id <> v.lane_id
        where v.refusal is not null
        union all
        
  select l.alias_id, open_send.id, false, true from verdict open_send
  join campaign_leads l on l.id = open_send.campaign_lead_id and l.alias_id <> open_send.lane_id
      ) look
      join verdict v on v.id = look.id join sender_lanes lane on lane.id = look.lane_id join campaigns c on c.id = v.campaign_id
      where look.is_own or look.is_heir or ((v.is_new or c.type = 'mixed' or c.used >= c.daily_limit)
  and lane.open and (lane.next_slot_at is null or lane.next_slot_at > greatest(p_now, lane.closed_until, (lane.last_slot_at + make_interval(secs => greatest(lane.min_interval_seconds, c.min_interval_seconds) + greatest(1, greatest(lane.min_interval_seconds, c.min_interval_seconds) * lane_jitter(lane.id, lane.slot_no))))::timestamptz(3))))
      group by look.lane_id
    ) x
    where lane.id = x.lane_id
  ), campaign_back as (
    update campaigns c set used = c.used - least(c.used, x.refunds::int), used_new = c.used_new - least(c.used_new, x.new_refunds::int)
    from (select campaign_id, campaign_day, count(*) as refunds, count(*) filter (where is_new) as new_refunds
          from verdict where refusal is not null group by campaign_id, campaign_day) x
    where c.id = x.campaign_id and c.open_day = x.campaign_day
  )
  select w.id, case when v.id is null then 'lease_lost' else v.refusal end as refusal
  from wanted w left join verdict v on v.id = w.id;
    else
      return query select named, null::text from unnest(v_begin) named;
    end if;
  end if;
end $$;
