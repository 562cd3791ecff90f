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
ALTER TABLE "dataset_verification_rows" ADD CONSTRAINT "dataset_verification_rows_job_id_dataset_verifications_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."dataset_verifications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dataset_verifications" ADD CONSTRAINT "dataset_verifications_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dataset_verification_rows_waiting" ON "dataset_verification_rows" USING btree ("job_id","due_at","row_index") WHERE "dataset_verification_rows"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "dataset_verification_rows_claimed" ON "dataset_verification_rows" USING btree ("job_id","claim_token") WHERE "dataset_verification_rows"."state" = 'waiting' and "dataset_verification_rows"."claim_token" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "dataset_verifications_live" ON "dataset_verifications" USING btree ("dataset_id") WHERE "dataset_verifications"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "dataset_verifications_dataset" ON "dataset_verifications" USING btree ("dataset_id","created_at");--> statement-breakpoint
CREATE INDEX "dataset_verifications_moved" ON "dataset_verifications" USING btree ("updated_at") WHERE "dataset_verifications"."status" <> 'completed';--> statement-breakpoint
CREATE UNIQUE INDEX "verification_jobs_open" ON "verification_jobs" USING btree ("workspace_id","email") WHERE "verification_jobs"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "verification_jobs_due" ON "verification_jobs" USING btree ("due_at") WHERE "verification_jobs"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "verification_jobs_age" ON "verification_jobs" USING btree ("created_at");