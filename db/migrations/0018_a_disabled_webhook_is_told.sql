create function event_webhook_disabled() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'webhook.disabled', new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('webhook_id', new.id, 'reason', new.disabled_reason)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_webhook_disabled after update of status on webhooks for each row when (old.status is distinct from new.status and new.status = 'disabled') execute function event_webhook_disabled();
