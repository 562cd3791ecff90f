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
ALTER TABLE "mail_consents" ADD CONSTRAINT "mail_consents_alias_id_mail_aliases_id_fk" FOREIGN KEY ("alias_id") REFERENCES "public"."mail_aliases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_logins" ADD CONSTRAINT "mail_logins_alias_id_mail_aliases_id_fk" FOREIGN KEY ("alias_id") REFERENCES "public"."mail_aliases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "mail_consents_state" ON "mail_consents" USING btree ("state_hash");