CREATE TABLE "sheet_imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"dataset_id" uuid NOT NULL,
	"source_url" text NOT NULL,
	"spreadsheet_id" text NOT NULL,
	"gid" integer,
	"mapping" jsonb NOT NULL,
	"status" text NOT NULL,
	"plan" jsonb NOT NULL,
	"cursor" jsonb NOT NULL,
	"tally" jsonb NOT NULL,
	"chunks" integer NOT NULL,
	"version" integer NOT NULL,
	"created" integer NOT NULL,
	"updated" integer NOT NULL,
	"duplicate" integer NOT NULL,
	"error" text,
	CONSTRAINT "sheet_imports_status" CHECK ("sheet_imports"."status" in ('running', 'done', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "sheet_imports" ADD CONSTRAINT "sheet_imports_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sheet_imports_running" ON "sheet_imports" USING btree ("dataset_id") WHERE "sheet_imports"."status" = 'running';--> statement-breakpoint
CREATE INDEX "sheet_imports_dataset" ON "sheet_imports" USING btree ("dataset_id","created_at");