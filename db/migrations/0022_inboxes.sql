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
ALTER TABLE "inbound_mails" ADD COLUMN "identity" text;--> statement-breakpoint
ALTER TABLE "inboxes" ADD CONSTRAINT "inboxes_alias_id_mail_aliases_id_fk" FOREIGN KEY ("alias_id") REFERENCES "public"."mail_aliases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "inboxes_due" ON "inboxes" USING btree ("next_read_at");--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_mails_identity" ON "inbound_mails" USING btree ("identity") WHERE "inbound_mails"."identity" is not null;