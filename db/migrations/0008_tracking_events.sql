DROP INDEX "email_events_once";--> statement-breakpoint
CREATE INDEX "email_events_message" ON "email_events" USING btree ("send_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "email_events_unsubscribed" ON "email_events" USING btree ("send_id") WHERE "email_events"."kind" = 'unsubscribe';--> statement-breakpoint
ALTER TABLE "email_events" DROP COLUMN "minute";--> statement-breakpoint
ALTER TABLE "email_events" ADD COLUMN "asn" bigint;