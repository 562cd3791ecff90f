ALTER TABLE "templates" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "datasets" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "mail_aliases" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "mail_domains" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
create function require_revision(revision bigint, allowed bigint[]) returns bigint language plpgsql as $$
begin
  if revision <> all(allowed) then
    raise exception 'the record is at revision % and not at %', revision, allowed using errcode = 'OV412';
  end if;
  perform set_config('overture.revision', revision::text, true);
  return revision;
end
$$;
