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
ALTER TABLE "emails" ADD COLUMN "counted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sends" ADD COLUMN "refusals" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sends" ADD COLUMN "refused_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "inbound_mails" ADD COLUMN "identity" text;--> statement-breakpoint
ALTER TABLE "mail_aliases" ADD COLUMN "last_error_kind" text;--> statement-breakpoint
ALTER TABLE "mail_aliases" ADD COLUMN "return_test_address" text;--> statement-breakpoint
ALTER TABLE "mail_aliases" ADD COLUMN "return_test_asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "mail_aliases" ADD COLUMN "return_test_seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "connected_accounts" ADD COLUMN "heard_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "erasure_began_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "erased_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "raw_mails" ADD CONSTRAINT "raw_mails_message_id_conversation_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."conversation_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inboxes" ADD CONSTRAINT "inboxes_alias_id_mail_aliases_id_fk" FOREIGN KEY ("alias_id") REFERENCES "public"."mail_aliases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_consents" ADD CONSTRAINT "mail_consents_alias_id_mail_aliases_id_fk" FOREIGN KEY ("alias_id") REFERENCES "public"."mail_aliases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_logins" ADD CONSTRAINT "mail_logins_alias_id_mail_aliases_id_fk" FOREIGN KEY ("alias_id") REFERENCES "public"."mail_aliases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "raw_mails_age" ON "raw_mails" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "inboxes_due" ON "inboxes" USING btree ("next_read_at");--> statement-breakpoint
CREATE UNIQUE INDEX "mail_consents_state" ON "mail_consents" USING btree ("state_hash");--> statement-breakpoint
CREATE INDEX "emails_counted" ON "emails" USING btree ("alias_id","counted_at") WHERE "emails"."counted_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_mails_identity" ON "inbound_mails" USING btree ("identity") WHERE "inbound_mails"."identity" is not null;--> statement-breakpoint
CREATE INDEX "workspaces_to_erase" ON "workspaces" USING btree ("deleted_at") WHERE "workspaces"."deleted_at" is not null and "workspaces"."erased_at" is null;--> statement-breakpoint
ALTER TABLE "mail_aliases" ADD CONSTRAINT "mail_aliases_last_error_kind" CHECK ("mail_aliases"."last_error_kind" in ('account', 'line', 'vault'));--> statement-breakpoint
UPDATE "mail_aliases" a SET "last_error_kind" = 'line', "status" = 'active' FROM "sender_lanes" lane WHERE lane."id" = a."id" AND lane."open" AND a."status" = 'error';--> statement-breakpoint
UPDATE "mail_aliases" SET "last_error_kind" = 'account' WHERE "status" = 'error';
