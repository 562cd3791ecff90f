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
  join campaigns c on c.id = z.campaign_id
  -- One that is being moved takes no row, and keeps its spellings.
  join workspaces w on w.id = c.workspace_id and w.frozen_at is null and w.cell is null
  order by z.campaign_id, s.name, z.open_until
  on conflict (campaign_id, zone) do nothing;--> statement-breakpoint
update campaign_leads l set timezone = s.name, zone = case l.zone when '' then '' else s.name end
  from spelled s where s.written = lower(l.timezone) and (s.name <> l.timezone or (l.zone <> '' and l.zone <> s.name));--> statement-breakpoint
delete from campaign_zones z using spelled s where s.written = lower(z.zone) and s.name <> z.zone;--> statement-breakpoint
-- An erased person's entry has no end.
update suppressions set expires_at = null where value is null and expires_at is not null;
