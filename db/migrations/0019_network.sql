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
DROP INDEX "campaign_leads_pool";--> statement-breakpoint
ALTER TABLE "campaign_leads" ADD COLUMN "next_budget" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "campaign_leads" ADD COLUMN "person_id" text;--> statement-breakpoint
ALTER TABLE "campaign_leads" ADD COLUMN "connected_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sender_lanes" ADD COLUMN "connection_cap" integer;--> statement-breakpoint
ALTER TABLE "sender_lanes" ADD COLUMN "connections_used" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sends" ADD COLUMN "budget" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "account_checkpoints" ADD CONSTRAINT "account_checkpoints_account_id_connected_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."connected_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_post_images" ADD CONSTRAINT "social_post_images_post_id_social_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."social_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_checkpoints_token" ON "account_checkpoints" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "account_checkpoints_account" ON "account_checkpoints" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "connected_accounts_workspace" ON "connected_accounts" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "connected_accounts_default" ON "connected_accounts" USING btree ("workspace_id") WHERE "connected_accounts"."is_default";--> statement-breakpoint
CREATE UNIQUE INDEX "connected_accounts_provider" ON "connected_accounts" USING btree ("provider","provider_account_id") WHERE "connected_accounts"."provider_account_id" <> '';--> statement-breakpoint
CREATE UNIQUE INDEX "connected_accounts_person" ON "connected_accounts" USING btree ("workspace_id","provider","person_id") WHERE "connected_accounts"."person_id" is not null;--> statement-breakpoint
CREATE INDEX "connected_accounts_sync" ON "connected_accounts" USING btree ("next_sync_at") WHERE "connected_accounts"."next_sync_at" is not null;--> statement-breakpoint
CREATE INDEX "social_posts_workspace" ON "social_posts" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "social_posts_due" ON "social_posts" USING btree ("due_at") WHERE "social_posts"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "campaign_leads_budget" ON "campaign_leads" USING btree ("campaign_id","alias_id","next_budget","zone","next_action_at") WHERE "campaign_leads"."next_budget" <> '' and "campaign_leads"."alias_id" is not null and "campaign_leads"."next_action_at" is not null and "campaign_leads"."hold_reason" is null;--> statement-breakpoint
CREATE INDEX "campaign_leads_awaiting_acceptance" ON "campaign_leads" USING btree ("alias_id") WHERE "campaign_leads"."hold_reason" = 'awaiting_acceptance';--> statement-breakpoint
CREATE INDEX "campaign_leads_person" ON "campaign_leads" USING btree ("workspace_id","person_id") WHERE "campaign_leads"."person_id" is not null;--> statement-breakpoint
CREATE INDEX "campaign_leads_profile" ON "campaign_leads" USING btree ("workspace_id",lower(substring("profile_url" from '/in/([^/]+)'))) WHERE "campaign_leads"."profile_url" is not null;--> statement-breakpoint
CREATE INDEX "campaign_leads_pool" ON "campaign_leads" USING btree ("campaign_id","next_channel","next_budget","zone","next_action_at") WHERE "campaign_leads"."status" = 'active' and "campaign_leads"."alias_id" is null and "campaign_leads"."next_action_at" is not null and "campaign_leads"."hold_reason" is null;--> statement-breakpoint
ALTER TABLE "campaign_leads" ADD CONSTRAINT "campaign_leads_budget" CHECK ("campaign_leads"."next_budget" in ('', 'connection', 'message')) NOT VALID;--> statement-breakpoint
ALTER TABLE "sends" ADD CONSTRAINT "sends_budget" CHECK ("sends"."budget" in ('', 'connection', 'message')) NOT VALID;