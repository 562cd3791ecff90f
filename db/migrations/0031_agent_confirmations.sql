CREATE TABLE "agent_confirmations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"actor" text NOT NULL,
	"tool" text NOT NULL,
	"digest" text NOT NULL,
	"status" text NOT NULL,
	"title" text,
	"preview" jsonb,
	"email_key" text,
	"decided_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "agent_confirmations_status" CHECK ("agent_confirmations"."status" in ('waiting', 'approved', 'declined', 'spent'))
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "confirm" text DEFAULT 'human' NOT NULL;--> statement-breakpoint
CREATE INDEX "agent_confirmations_waiting" ON "agent_confirmations" USING btree ("workspace_id","digest") WHERE "agent_confirmations"."status" in ('waiting', 'approved');--> statement-breakpoint
CREATE INDEX "agent_confirmations_age" ON "agent_confirmations" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_confirm" CHECK ("api_keys"."confirm" in ('human', 'token'));