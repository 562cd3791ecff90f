-- A zone was stored in any case, and each spelling was one of its own. Rows are looked at once, without a lock of those that stay.
create temporary table spelled on commit drop as
  select distinct on (lower(name)) lower(name) as written, name from pg_timezone_names
  where name !~ '^(posix|right)/' order by lower(name), name;--> statement-breakpoint
analyze spelled;--> statement-breakpoint
update workspaces w set timezone = s.name from spelled s where s.written = lower(w.timezone) and s.name <> w.timezone;--> statement-breakpoint
update campaigns c set timezone = s.name from spelled s where s.written = lower(c.timezone) and s.name <> c.timezone;--> statement-breakpoint
update leads l set timezone = s.name from spelled s where s.written = lower(l.timezone) and s.name <> l.timezone;--> statement-breakpoint
-- With the interval of one of its spellings, so that lanes that sleep until then need not be woken.
insert into campaign_zones (campaign_id, zone, open_from, open_until)
  select distinct on (z.campaign_id, s.name) z.campaign_id, s.name, z.open_from, z.open_until
  from campaign_zones z join spelled s on s.written = lower(z.zone) and s.name <> z.zone
  order by z.campaign_id, s.name, z.open_until
  on conflict (campaign_id, zone) do nothing;--> statement-breakpoint
update campaign_leads l set timezone = s.name, zone = case l.zone when '' then '' else s.name end
  from spelled s where s.written = lower(l.timezone) and (s.name <> l.timezone or (l.zone <> '' and l.zone <> s.name));--> statement-breakpoint
delete from campaign_zones z using spelled s where s.written = lower(z.zone) and s.name <> z.zone;
