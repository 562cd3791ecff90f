CREATE TABLE "idempotency_keys" (
	"workspace_id" uuid NOT NULL,
	"key_hash" text NOT NULL,
	"fingerprint" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"is_effect" boolean NOT NULL,
	"resource_id" uuid,
	"status" integer,
	"headers" jsonb,
	"body" text,
	CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY("workspace_id","key_hash")
);
--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");