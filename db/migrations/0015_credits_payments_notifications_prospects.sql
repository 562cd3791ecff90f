CREATE TABLE "credit_audit" (
	"id" integer PRIMARY KEY NOT NULL,
	"next_after" uuid,
	"began_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
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
CREATE TABLE "learned_addresses" (
	"domain" text NOT NULL,
	"address_hash" text NOT NULL,
	"pattern" text NOT NULL,
	"learned_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "learned_addresses_domain_address_hash_pk" PRIMARY KEY("domain","address_hash")
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
CREATE TABLE "prospect_opt_outs" (
	"profile_hash" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
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
CREATE TABLE "disposable_domains" (
	"domain" text PRIMARY KEY NOT NULL,
	"list" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "probe_operators" (
	"operator" text PRIMARY KEY NOT NULL,
	"lease_a" timestamp (3) with time zone,
	"lease_b" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone NOT NULL,
	"rests_until" timestamp (3) with time zone,
	"strikes" text[] NOT NULL,
	"struck_at" timestamp (3) with time zone
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
ALTER TABLE "credit_entries" DROP CONSTRAINT "credit_entries_kind";--> statement-breakpoint
DROP INDEX "credit_entries_settled_once";--> statement-breakpoint
DROP INDEX "outbox_waiting";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "topic" text GENERATED ALWAYS AS (coalesce(payload ->> 'campaign_id', workspace_id::text)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "notice_id" uuid;--> statement-breakpoint
ALTER TABLE "credit_holds" ADD CONSTRAINT "credit_holds_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sheet_imports" ADD CONSTRAINT "sheet_imports_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dataset_verification_rows" ADD CONSTRAINT "dataset_verification_rows_job_id_dataset_verifications_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."dataset_verifications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dataset_verifications" ADD CONSTRAINT "dataset_verifications_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_events" ADD CONSTRAINT "payment_events_order_id_payment_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."payment_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_reversals" ADD CONSTRAINT "payment_reversals_order_id_payment_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."payment_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "credit_holds_expiry" ON "credit_holds" USING btree ("expires_at") WHERE "credit_holds"."returned_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "sheet_imports_running" ON "sheet_imports" USING btree ("dataset_id") WHERE "sheet_imports"."status" = 'running';--> statement-breakpoint
CREATE INDEX "sheet_imports_dataset" ON "sheet_imports" USING btree ("dataset_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "prospect_tag_names_tag" ON "prospect_tag_names" USING btree ("tag");--> statement-breakpoint
CREATE UNIQUE INDEX "prospect_tags_best" ON "prospect_tags" USING btree ("tag_id","quality" DESC NULLS FIRST,"prospect_id");--> statement-breakpoint
CREATE UNIQUE INDEX "prospects_profile" ON "prospects" USING btree ("profile_key");--> statement-breakpoint
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
CREATE UNIQUE INDEX "notice_deliveries_once" ON "notice_deliveries" USING btree ("notice_id","channel");--> statement-breakpoint
CREATE INDEX "notice_deliveries_due" ON "notice_deliveries" USING btree ("due_at") WHERE "notice_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "notice_deliveries_open" ON "notice_deliveries" USING btree ("lease_until") WHERE "notice_deliveries"."state" = 'transmitting';--> statement-breakpoint
CREATE INDEX "notice_deliveries_failed" ON "notice_deliveries" USING btree ("updated_at") WHERE "notice_deliveries"."state" in ('unknown', 'undeliverable', 'dead');--> statement-breakpoint
CREATE INDEX "wallet_payments_open" ON "wallet_payments" USING btree ("lease_until") WHERE "wallet_payments"."state" in ('claimed', 'settling');--> statement-breakpoint
CREATE INDEX "wallet_payments_answers" ON "wallet_payments" USING btree ("settled_at") WHERE "wallet_payments"."answer_body" is not null and "wallet_payments"."state" = 'settled';--> statement-breakpoint
CREATE INDEX "outbox_notice" ON "outbox" USING btree ("notice_id") WHERE "outbox"."notice_id" is not null;--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("topic","created_at") WHERE "outbox"."delivered_at" is null;--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_kind" CHECK ("credit_entries"."kind" in ('grant', 'hold', 'capture', 'release', 'expire', 'refund', 'refund_failed', 'dispute', 'dispute_won'));