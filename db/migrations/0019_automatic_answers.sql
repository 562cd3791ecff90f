ALTER TABLE "sends" ADD COLUMN "auto_replied_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sends_out" ON "sends" USING btree ("workspace_id","slot_at") WHERE "sends"."state" in ('accepted', 'assumed_sent', 'rejected');--> statement-breakpoint
-- What came in before stands in the list of incoming mail.
update sends set auto_replied_at = came.at
from (select message_row_id, min(received_at) as at from inbound_mails
      where class in ('auto_reply', 'challenge', 'out_of_office', 'left_company') and message_row_id is not null group by 1) came
where sends.id = came.message_row_id;
