CREATE TABLE "postmaster_consents" (
	"domain_id" uuid PRIMARY KEY NOT NULL,
	"state_hash" text NOT NULL,
	"verifier" text NOT NULL,
	"return_url" text,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "postmaster_days" (
	"domain_id" uuid NOT NULL,
	"day" date NOT NULL,
	"spam" double precision,
	"spf" double precision,
	"dkim" double precision,
	"dmarc" double precision,
	"tls" double precision,
	"rejected" double precision,
	"deferred" double precision,
	"errors" jsonb NOT NULL,
	CONSTRAINT "postmaster_days_domain_id_day_pk" PRIMARY KEY("domain_id","day")
);
--> statement-breakpoint
CREATE TABLE "postmaster_logins" (
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer NOT NULL,
	"claim_token" uuid,
	"domain_id" uuid PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"token" text,
	"connected_at" timestamp (3) with time zone NOT NULL,
	"fetched_at" timestamp (3) with time zone,
	"last_error" text,
	"compliance" jsonb,
	CONSTRAINT "postmaster_logins_state" CHECK ("postmaster_logins"."state" in ('connected', 'no_access', 'consent_lost'))
);
--> statement-breakpoint
ALTER TABLE "placement_mails" DROP CONSTRAINT "placement_mails_state";--> statement-breakpoint
ALTER TABLE "placement_mails" ADD COLUMN "ended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "postmaster_consents" ADD CONSTRAINT "postmaster_consents_domain_id_mail_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "postmaster_days" ADD CONSTRAINT "postmaster_days_domain_id_mail_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "postmaster_logins" ADD CONSTRAINT "postmaster_logins_domain_id_mail_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "postmaster_consents_state" ON "postmaster_consents" USING btree ("state_hash");--> statement-breakpoint
CREATE INDEX "postmaster_days_day" ON "postmaster_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "postmaster_logins_due" ON "postmaster_logins" USING btree ("due_at") WHERE "postmaster_logins"."state" <> 'consent_lost';--> statement-breakpoint
ALTER TABLE "placement_mails" ADD CONSTRAINT "placement_mails_state" CHECK ("placement_mails"."state" in ('queued', 'transmitting', 'looking', 'found', 'missing', 'bounced', 'not_sent', 'unreadable', 'unknown'));
--> statement-breakpoint
create function event_placement_test_completed() returns trigger language plpgsql as $$
declare v_test record;
begin
  perform pg_advisory_xact_lock(hashtextextended(new.test_id::text || ':placement_done', 0));
  select t.campaign_id, count(*) as mails, count(*) filter (where m.place = 'inbox') as inbox, count(*) filter (where m.place = 'spam') as spam,
    count(*) filter (where m.place = 'other') as other, count(*) filter (where m.state = 'missing') as missing, count(*) filter (where m.state = 'bounced') as bounced
  into v_test from placement_tests t join placement_mails m on m.test_id = t.id
  where t.id = new.test_id and t.deleted_at is null
    and not exists (select from events e where e.workspace_id = new.workspace_id and e.tx = pg_current_xact_id() and e.data ->> 'placement_test_id' = new.test_id::text)
  group by t.id having count(*) filter (where m.state in ('queued', 'transmitting', 'looking')) = 0;
  if found then insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'placement_test.completed', coalesce(new.ended_at, new.due_at), nullif(current_setting('overture.actor', true), ''), v_test.campaign_id,
    jsonb_strip_nulls(jsonb_build_object('placement_test_id', new.test_id, 'mails', v_test.mails, 'inbox', v_test.inbox, 'spam', v_test.spam, 'other', v_test.other, 'missing', v_test.missing, 'bounced', v_test.bounced)));
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger event_placement_test_completed after update of state on placement_mails for each row when (old.state in ('queued', 'transmitting', 'looking') and new.state not in ('queued', 'transmitting', 'looking')) execute function event_placement_test_completed();
