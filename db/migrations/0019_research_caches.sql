CREATE TABLE "row_research" (
	"workspace_id" uuid NOT NULL,
	"dataset_id" uuid NOT NULL,
	"row_index" integer NOT NULL,
	"subject_hash" text NOT NULL,
	"sources" jsonb NOT NULL,
	"looked_up_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "row_research_dataset_id_row_index_pk" PRIMARY KEY("dataset_id","row_index")
);
--> statement-breakpoint
CREATE TABLE "web_lookups" (
	"key_hash" text PRIMARY KEY NOT NULL,
	"answer" jsonb NOT NULL,
	"looked_up_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "row_research" ADD CONSTRAINT "row_research_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "row_research_end" ON "row_research" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "web_lookups_end" ON "web_lookups" USING btree ("expires_at");