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
CREATE UNIQUE INDEX "prospect_tag_names_tag" ON "prospect_tag_names" USING btree ("tag");--> statement-breakpoint
CREATE UNIQUE INDEX "prospect_tags_best" ON "prospect_tags" USING btree ("tag_id","quality" DESC NULLS FIRST,"prospect_id");--> statement-breakpoint
CREATE UNIQUE INDEX "prospects_profile" ON "prospects" USING btree ("profile_key");