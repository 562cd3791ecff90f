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
ALTER TABLE "credit_entries" DROP CONSTRAINT "credit_entries_kind";--> statement-breakpoint
DROP INDEX "credit_entries_settled_once";--> statement-breakpoint
ALTER TABLE "credit_holds" ADD CONSTRAINT "credit_holds_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "credit_holds_expiry" ON "credit_holds" USING btree ("expires_at") WHERE "credit_holds"."returned_at" is null;--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_kind" CHECK ("credit_entries"."kind" in ('grant', 'hold', 'capture', 'release', 'expire', 'refund', 'refund_failed', 'dispute', 'dispute_won'));