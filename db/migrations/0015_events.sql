CREATE TABLE "events" (
	"workspace_id" uuid NOT NULL,
	"tx" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "events_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor" text,
	"campaign_id" uuid,
	"data" jsonb NOT NULL,
	CONSTRAINT "events_pkey" PRIMARY KEY("workspace_id","tx","seq")
);
--> statement-breakpoint
CREATE INDEX "events_age" ON "events" USING brin ("at");