ALTER TABLE "workspaces" ADD COLUMN "erasure_began_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "erased_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "workspaces_to_erase" ON "workspaces" USING btree ("deleted_at") WHERE "workspaces"."deleted_at" is not null and "workspaces"."erased_at" is null;