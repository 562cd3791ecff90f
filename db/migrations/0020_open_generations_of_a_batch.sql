DROP INDEX "generations_due";--> statement-breakpoint
CREATE INDEX "generations_open" ON "generations" USING btree ("batch_id","due_at","lead_index") WHERE "generations"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "generations_due" ON "generations" USING btree ("kind","due_at") WHERE "generations"."status" in ('pending', 'running');