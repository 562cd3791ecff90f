-- A database that came through the migrations before 0000_first keeps what that one does not make: the engine's
-- functions of the build before, and two checks that were never held against the rows of their time. A new one
-- has none of it, and nothing is done there.
drop function if exists engine_claim_3(timestamptz, timestamptz, int, int, uuid, text[]);
--> statement-breakpoint
drop function if exists engine_record_and_begin_5(timestamptz, uuid, jsonb, jsonb);
--> statement-breakpoint
alter table campaign_leads validate constraint campaign_leads_budget;
--> statement-breakpoint
alter table sends validate constraint sends_budget;
