create function event_email_unsubscribed() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'email.unsubscribed', new.updated_at, nullif(current_setting('overture.actor', true), ''), new.campaign_id,
    jsonb_strip_nulls(jsonb_build_object('send_id', new.id, 'campaign_lead_id', new.campaign_lead_id, 'step', new.step, 'variant', new.variant_label, 'message_id', new.message_id)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_email_unsubscribed after update of unsubscribed_at on sends for each row when (old.unsubscribed_at is null and new.unsubscribed_at is not null and new.budget = '') execute function event_email_unsubscribed();
--> statement-breakpoint
drop function event_email_hit() cascade;
--> statement-breakpoint
create function event_email_hit() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case new.kind when 'open' then 'email.opened' when 'click' then 'email.clicked' else 'email.unsubscribed' end, new.at, nullif(current_setting('overture.actor', true), ''), new.campaign_id,
    jsonb_strip_nulls(jsonb_build_object('send_id', case when new.campaign_id is not null then new.send_id end, 'email_id', case when new.campaign_id is null then new.send_id end, 'link_index', case when new.kind = 'click' then new.link_index end, 'machine', case when new.kind <> 'unsubscribe' then not (new.classification = 'human' or (new.classification = 'proxy' and not 'apple_privacy_proxy' = any(new.reasons))) end)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_email_hit after insert on email_events for each row when (new.kind <> 'unsubscribe' or new.campaign_id is null) execute function event_email_hit();
