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
ALTER TABLE "credit_entries" DROP CONSTRAINT "credit_entries_kind";--> statement-breakpoint
DROP INDEX "credit_entries_settled_once";--> statement-breakpoint
ALTER TABLE "credit_holds" ADD CONSTRAINT "credit_holds_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "credit_holds_expiry" ON "credit_holds" USING btree ("expires_at") WHERE "credit_holds"."returned_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "prospect_tag_names_tag" ON "prospect_tag_names" USING btree ("tag");--> statement-breakpoint
CREATE UNIQUE INDEX "prospect_tags_best" ON "prospect_tags" USING btree ("tag_id","quality" DESC NULLS FIRST,"prospect_id");--> statement-breakpoint
CREATE UNIQUE INDEX "prospects_profile" ON "prospects" USING btree ("profile_key");--> statement-breakpoint
CREATE INDEX "disposable_domains_list" ON "disposable_domains" USING btree ("list");--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_kind" CHECK ("credit_entries"."kind" in ('grant', 'hold', 'capture', 'release', 'expire', 'refund', 'refund_failed', 'dispute', 'dispute_won'));