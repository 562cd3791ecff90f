DROP INDEX "notice_deliveries_once";--> statement-breakpoint
ALTER TABLE "notice_deliveries" ADD COLUMN "user_id" uuid;--> statement-breakpoint
CREATE UNIQUE INDEX "notice_deliveries_once" ON "notice_deliveries" USING btree ("notice_id","user_id","channel");