create function event_campaign_created() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'campaign.created', new.updated_at, nullif(current_setting('overture.actor', true), ''), new.id,
    jsonb_strip_nulls(jsonb_build_object('status', new.status)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_campaign_created after insert on campaigns for each row execute function event_campaign_created();
--> statement-breakpoint
create function event_campaign_status() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case when old.status || '>' || new.status = 'scheduled>draft' and nullif(current_setting('overture.actor', true), '') is null then 'campaign.launch_cancelled'
      when old.status || '>' || new.status = 'scheduled>paused' and new.paused_reason = 'personalization_review_pending' then 'campaign.launch_held'
      else case old.status || '>' || new.status when 'draft>launching' then 'campaign.launching' when 'failed>launching' then 'campaign.launching' when 'scheduled>launching' then 'campaign.launching' when 'draft>scheduled' then 'campaign.scheduled' when 'failed>scheduled' then 'campaign.scheduled' when 'scheduled>draft' then 'campaign.unscheduled' when 'scheduled>paused' then 'campaign.paused' when 'launching>active' then 'campaign.launched' when 'launching>failed' then 'campaign.failed' when 'active>paused' then 'campaign.paused' when 'draining>paused' then 'campaign.paused' when 'paused>active' then 'campaign.resumed' when 'paused>draining' then 'campaign.resumed' when 'paused>launching' then 'campaign.resumed' when 'draining>active' then 'campaign.resumed' when 'active>draining' then 'campaign.draining' when 'active>completed' then 'campaign.completed' when 'draining>completed' then 'campaign.completed' when 'completed>active' then 'campaign.reopened' when 'failed>draft' then 'campaign.reset' end end, new.updated_at, nullif(current_setting('overture.actor', true), ''), new.id,
    jsonb_strip_nulls(jsonb_build_object('status', new.status, 'previous_status', old.status, 'reason', case when new.status = 'paused' then new.paused_reason end, 'error', case when new.status = 'failed' then left(new.launch_error, 300) end, 'leads', case when new.status in ('active', 'completed') then new.total_leads end)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_campaign_status after update of status on campaigns for each row when (old.status is distinct from new.status and old.status || '>' || new.status in ('draft>launching', 'failed>launching', 'scheduled>launching', 'draft>scheduled', 'failed>scheduled', 'scheduled>draft', 'scheduled>paused', 'launching>active', 'launching>failed', 'active>paused', 'draining>paused', 'paused>active', 'paused>draining', 'paused>launching', 'draining>active', 'active>draining', 'active>completed', 'draining>completed', 'completed>active', 'failed>draft')) execute function event_campaign_status();
--> statement-breakpoint
create function event_campaign_changed() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'campaign.changed', new.updated_at, nullif(current_setting('overture.actor', true), ''), new.id,
    jsonb_strip_nulls(jsonb_build_object('version', new.config_version)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_campaign_changed after update of config_version on campaigns for each row when (old.config_version is distinct from new.config_version) execute function event_campaign_changed();
--> statement-breakpoint
create function event_campaign_deleted() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'campaign.deleted', new.updated_at, nullif(current_setting('overture.actor', true), ''), new.id,
    jsonb_strip_nulls(jsonb_build_object('status', new.status)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_campaign_deleted after update of deleted_at on campaigns for each row when (old.deleted_at is null and new.deleted_at is not null) execute function event_campaign_deleted();
--> statement-breakpoint
create function event_campaign_lead_status() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case when new.status in ('pending', 'active') then 'campaign_lead.reopened' else case new.status when 'completed' then 'campaign_lead.completed' when 'replied' then 'campaign_lead.replied' when 'bounced' then 'campaign_lead.bounced' when 'unsubscribed' then 'campaign_lead.unsubscribed' when 'complained' then 'campaign_lead.complained' when 'stopped' then 'campaign_lead.stopped' when 'skipped' then 'campaign_lead.skipped' when 'failed' then 'campaign_lead.failed' end end, new.updated_at, nullif(current_setting('overture.actor', true), ''), new.campaign_id,
    jsonb_strip_nulls(jsonb_build_object('campaign_lead_id', new.id, 'lead_id', new.lead_id, 'status', new.status, 'previous_status', old.status, 'step', new.current_step, 'reason', new.stop_reason)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_campaign_lead_status after update of status on campaign_leads for each row when (old.status is distinct from new.status and (new.status not in ('pending', 'active') or old.status not in ('pending', 'active'))
      and new.stop_reason is distinct from 'campaign_drained') execute function event_campaign_lead_status();
--> statement-breakpoint
create function event_campaign_lead_hold() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case when coalesce(new.hold_reason not in ('awaiting_draft', 'awaiting_acceptance', 'notes_used_up'), false) then 'campaign_lead.held' else 'campaign_lead.released' end, new.updated_at, nullif(current_setting('overture.actor', true), ''), new.campaign_id,
    jsonb_strip_nulls(jsonb_build_object('campaign_lead_id', new.id, 'lead_id', new.lead_id, 'reason', coalesce(new.hold_reason, old.hold_reason), 'until', new.hold_until)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_campaign_lead_hold after update of hold_reason, hold_until on campaign_leads for each row when (new.status in ('pending', 'active') and (old.hold_reason is distinct from new.hold_reason or old.hold_until is distinct from new.hold_until) and (coalesce(old.hold_reason not in ('awaiting_draft', 'awaiting_acceptance', 'notes_used_up'), false) or coalesce(new.hold_reason not in ('awaiting_draft', 'awaiting_acceptance', 'notes_used_up'), false))) execute function event_campaign_lead_hold();
--> statement-breakpoint
create function event_draft_approval() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case when coalesce(new.metadata -> 'approved_emails', '{}') @> coalesce(old.metadata -> 'approved_emails', '{}') or
        (select count(*) from jsonb_object_keys(coalesce(new.metadata -> 'approved_emails', '{}'))) >=
        (select count(*) from jsonb_object_keys(coalesce(old.metadata -> 'approved_emails', '{}')))
      then 'draft.approved' else 'draft.unapproved' end, new.updated_at, nullif(current_setting('overture.actor', true), ''), new.campaign_id,
    jsonb_strip_nulls(jsonb_build_object('campaign_lead_id', new.id, 'lead_id', new.lead_id, 'steps', (select jsonb_agg(step::int order by step::int) from jsonb_object_keys(coalesce(new.metadata -> 'approved_emails', '{}')) step))));
  return null;
end $$;
--> statement-breakpoint
create trigger event_draft_approval after update of metadata on campaign_leads for each row when ((old.metadata -> 'approved_emails') is distinct from (new.metadata -> 'approved_emails')) execute function event_draft_approval();
--> statement-breakpoint
create function event_network_connected() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'network.connected', new.updated_at, nullif(current_setting('overture.actor', true), ''), new.campaign_id,
    jsonb_strip_nulls(jsonb_build_object('campaign_lead_id', new.id, 'lead_id', new.lead_id, 'account_id', new.alias_id)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_network_connected after update of connected_at on campaign_leads for each row when (old.connected_at is null and new.connected_at is not null) execute function event_network_connected();
--> statement-breakpoint
create function event_email_of_campaign() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case when new.state = 'canceled' and new.reason = 'suppressed' then 'email.suppressed' else case new.state when 'accepted' then 'email.sent' when 'assumed_sent' then 'email.sent' when 'retry_wait' then 'email.deferred' when 'rejected' then 'email.rejected' when 'canceled' then 'email.cancelled' when 'failed' then 'email.failed' end end, new.updated_at, nullif(current_setting('overture.actor', true), ''), new.campaign_id,
    jsonb_strip_nulls(jsonb_build_object('send_id', new.id, 'campaign_lead_id', new.campaign_lead_id, 'step', new.step, 'variant', new.variant_label, 'message_id', new.message_id, 'alias_id', new.lane_id, 'attempts', new.attempts, 'assumed', case when new.state = 'assumed_sent' then true end)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_email_of_campaign after update of state on sends for each row when (old.state is distinct from new.state and new.state in ('accepted', 'assumed_sent', 'retry_wait', 'rejected', 'canceled', 'failed') and new.budget = '') execute function event_email_of_campaign();
--> statement-breakpoint
create function event_network_action() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), coalesce((select case c.steps -> (new.step - 1) ->> 'action_type' when 'connection_request' then 'network.invited'
      when 'profile_view' then 'network.viewed' else 'network.messaged' end from campaigns c where c.id = new.campaign_id), 'network.messaged'), new.updated_at, nullif(current_setting('overture.actor', true), ''), new.campaign_id,
    jsonb_strip_nulls(jsonb_build_object('send_id', new.id, 'campaign_lead_id', new.campaign_lead_id, 'step', new.step, 'account_id', new.lane_id, 'assumed', case when new.state = 'assumed_sent' then true end)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_network_action after update of state on sends for each row when (old.state is distinct from new.state and new.state in ('accepted', 'assumed_sent') and not (new.budget = '')) execute function event_network_action();
--> statement-breakpoint
create function event_email_bounced() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'email.bounced', new.updated_at, nullif(current_setting('overture.actor', true), ''), new.campaign_id,
    jsonb_strip_nulls(jsonb_build_object('send_id', new.id, 'campaign_lead_id', new.campaign_lead_id, 'step', new.step, 'variant', new.variant_label, 'message_id', new.message_id, 'hard', old.bounced_at is null and new.bounced_at is not null)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_email_bounced after update of bounced_at, soft_bounced_at on sends for each row when ((old.bounced_at is null and new.bounced_at is not null) or (old.soft_bounced_at is distinct from new.soft_bounced_at and new.soft_bounced_at is not null)) execute function event_email_bounced();
--> statement-breakpoint
create function event_email_complained() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'email.complained', new.updated_at, nullif(current_setting('overture.actor', true), ''), new.campaign_id,
    jsonb_strip_nulls(jsonb_build_object('send_id', new.id, 'campaign_lead_id', new.campaign_lead_id, 'step', new.step, 'variant', new.variant_label, 'message_id', new.message_id)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_email_complained after update of complained_at on sends for each row when (old.complained_at is null and new.complained_at is not null) execute function event_email_complained();
--> statement-breakpoint
create function event_single_email_bounced() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case new.kind when 'email_complaint' then 'email.complained' else 'email.bounced' end, new.created_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('email_id', new.payload ->> 'email_id', 'hard', case new.kind when 'email_hard_bounce' then true end)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_single_email_bounced after insert on outbox for each row when (new.kind in ('email_hard_bounce', 'email_complaint')) execute function event_single_email_bounced();
--> statement-breakpoint
create function event_inbox_failing() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'alias.inbox_failing', new.created_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('alias_id', new.payload ->> 'alias_id', 'error', left(new.payload ->> 'why', 300))));
  return null;
end $$;
--> statement-breakpoint
create trigger event_inbox_failing after insert on outbox for each row when (new.kind = 'inbox_failing') execute function event_inbox_failing();
--> statement-breakpoint
create function event_email_hit() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case new.kind when 'open' then 'email.opened' when 'click' then 'email.clicked' else 'email.unsubscribed' end, new.at, nullif(current_setting('overture.actor', true), ''), new.campaign_id,
    jsonb_strip_nulls(jsonb_build_object('send_id', case when new.campaign_id is not null then new.send_id end, 'email_id', case when new.campaign_id is null then new.send_id end, 'link_index', case when new.kind = 'click' then new.link_index end, 'machine', case when new.kind <> 'unsubscribe' then new.classification <> 'human' end)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_email_hit after insert on email_events for each row execute function event_email_hit();
--> statement-breakpoint
create function event_email_made() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case new.state when 'suppressed' then 'email.suppressed' else 'email.queued' end, new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('email_id', new.id, 'conversation_id', new.conversation_id, 'alias_id', new.alias_id, 'send_at', new.scheduled_at)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_email_made after insert on emails for each row execute function event_email_made();
--> statement-breakpoint
create function event_email_state() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case when new.state = 'queued' then 'email.deferred' else case new.state when 'sent' then 'email.sent' when 'unknown' then 'email.unknown' when 'suppressed' then 'email.suppressed' when 'cancelled' then 'email.cancelled' when 'failed' then 'email.failed' end end, new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('email_id', new.id, 'conversation_id', new.conversation_id, 'alias_id', new.alias_id, 'attempts', new.attempts, 'message_id', new.message_id)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_email_state after update of state on emails for each row when (old.state is distinct from new.state and ((old.state = 'transmitting' and new.state = 'queued') or new.state in ('sent', 'unknown', 'suppressed', 'cancelled', 'failed'))) execute function event_email_state();
--> statement-breakpoint
create function event_reply() returns trigger language plpgsql as $$
declare v_row conversations%rowtype;
begin
  select c.* into v_row from conversations c where c.id = new.conversation_id;
  if true then insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case when new.class in ('reply', 'possible_opt_out') then 'reply.received' else 'reply.auto_received' end, new.sent_at, nullif(current_setting('overture.actor', true), ''), v_row.campaign_id,
    jsonb_strip_nulls(jsonb_build_object('conversation_id', new.conversation_id, 'conversation_message_id', new.id, 'channel', v_row.channel, 'class', new.class, 'intent', new.intent, 'lead_id', v_row.lead_id, 'campaign_lead_id', v_row.campaign_lead_id)));
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger event_reply after insert on conversation_messages for each row when (new.direction = 'in') execute function event_reply();
--> statement-breakpoint
create function event_draft() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case new.status when 'generated' then 'draft.generated' when 'failed' then 'draft.failed' end, new.updated_at, nullif(current_setting('overture.actor', true), ''), new.campaign_id,
    jsonb_strip_nulls(jsonb_build_object('draft_id', new.id, 'batch_id', new.batch_id, 'campaign_lead_id', new.campaign_lead_id, 'lead_id', new.lead_id, 'step', new.step)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_draft after update of status on generations for each row when (old.status is distinct from new.status and new.status in ('generated', 'failed')) execute function event_draft();
--> statement-breakpoint
create function event_batch_done() returns trigger language plpgsql as $$
declare v_total int;
begin
  perform pg_advisory_xact_lock(hashtextextended(new.batch_id::text || ':batch_done', 0));
  select b.total into v_total from generation_batches b where b.id = new.batch_id and b.cancelled_at is null
    and not exists (select from generations g where g.batch_id = b.id and g.status in ('pending', 'running'));
  if v_total is not null then insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'batch.done', new.updated_at, nullif(current_setting('overture.actor', true), ''), new.campaign_id,
    jsonb_strip_nulls(jsonb_build_object('batch_id', new.batch_id, 'total', v_total)));
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger event_batch_done after update of status on generations for each row when (new.batch_id is not null and old.status in ('pending', 'running') and new.status not in ('pending', 'running', 'cancelled')) execute function event_batch_done();
--> statement-breakpoint
create function event_batch_cancelled() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'batch.cancelled', new.updated_at, nullif(current_setting('overture.actor', true), ''), new.campaign_id,
    jsonb_strip_nulls(jsonb_build_object('batch_id', new.id, 'total', new.total)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_batch_cancelled after update of cancelled_at on generation_batches for each row when (old.cancelled_at is null and new.cancelled_at is not null) execute function event_batch_cancelled();
--> statement-breakpoint
create function event_verification() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case new.status when 'completed' then 'verification.done' when 'failed' then 'verification.failed' end, new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('verification_id', new.id, 'status', new.verdict ->> 'status')));
  return null;
end $$;
--> statement-breakpoint
create trigger event_verification after update of status on verification_jobs for each row when (old.status is distinct from new.status and new.status in ('completed', 'failed')) execute function event_verification();
--> statement-breakpoint
create function event_dataset_verification() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case new.status when 'completed' then 'dataset.verified' when 'cancelled' then 'dataset.verification_cancelled' end, new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('dataset_id', new.dataset_id, 'verification_id', new.id)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_dataset_verification after update of status on dataset_verifications for each row when (old.status is distinct from new.status and new.status in ('completed', 'cancelled')) execute function event_dataset_verification();
--> statement-breakpoint
create function event_dataset_imported() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'dataset.imported', new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('dataset_id', new.id, 'leads', new.row_count, 'added', new.row_count - old.row_count)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_dataset_imported after update of status on datasets for each row when (new.status = 'ready' and new.deleted_at is null) execute function event_dataset_imported();
--> statement-breakpoint
create function event_sheet_import() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case new.status when 'failed' then 'dataset.import_failed' end, new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('dataset_id', new.dataset_id, 'error', left(new.error, 300))));
  return null;
end $$;
--> statement-breakpoint
create trigger event_sheet_import after update of status on sheet_imports for each row when (old.status is distinct from new.status and new.status in ('failed')) execute function event_sheet_import();
--> statement-breakpoint
create function event_account_status() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case new.status when 'connected' then 'account.connected' when 'disconnected' then 'account.disconnected' when 'error' then 'account.error' end, new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('account_id', new.id, 'provider', new.provider, 'error', case when new.status <> 'connected' then left(new.last_error, 300) end)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_account_status after update of status on connected_accounts for each row when (old.status is distinct from new.status and new.status in ('connected', 'disconnected', 'error')) execute function event_account_status();
--> statement-breakpoint
create function event_account_checkpoint() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'account.checkpoint', new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('account_id', new.id, 'provider', new.provider)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_account_checkpoint after update of checkpoint_pending on connected_accounts for each row when (new.checkpoint_pending and not old.checkpoint_pending) execute function event_account_checkpoint();
--> statement-breakpoint
create function event_account_rate_limited() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'account.rate_limited', new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('account_id', new.id, 'provider', new.provider, 'until', new.rate_limited_until)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_account_rate_limited after update of rate_limited_until on connected_accounts for each row when (old.rate_limited_until is distinct from new.rate_limited_until and new.rate_limited_until > new.updated_at) execute function event_account_rate_limited();
--> statement-breakpoint
create function event_post_status() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case new.status when 'scheduled' then 'post.scheduled' when 'published' then 'post.published' when 'failed' then 'post.failed' when 'deleted' then 'post.deleted' end, new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('post_id', new.id, 'account_id', new.connected_account_id, 'scheduled_at', new.scheduled_at, 'error', case when new.status = 'failed' then left(new.last_error, 300) end)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_post_status after update of status on social_posts for each row when (old.status is distinct from new.status and new.status in ('scheduled', 'published', 'failed', 'deleted')) execute function event_post_status();
--> statement-breakpoint
create function event_post_made() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'post.scheduled', new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('post_id', new.id, 'account_id', new.connected_account_id, 'scheduled_at', new.scheduled_at)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_post_made after insert on social_posts for each row when (new.status = 'scheduled') execute function event_post_made();
--> statement-breakpoint
create function event_domain_status() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case new.status when 'verified' then 'domain.verified' when 'failing' then 'domain.failing' end, new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('domain_id', new.id, 'domain', new.domain)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_domain_status after update of status on mail_domains for each row when (old.status is distinct from new.status and new.status in ('verified', 'failing')) execute function event_domain_status();
--> statement-breakpoint
create function event_alias_status() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case new.status when 'active' then 'alias.recovered' when 'error' then 'alias.error' end, new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('alias_id', new.id, 'error', case when new.status = 'error' then left(new.last_error, 300) end)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_alias_status after update of status on mail_aliases for each row when (old.status is distinct from new.status and (new.status = 'error' or (old.status = 'error' and new.status = 'active'))) execute function event_alias_status();
--> statement-breakpoint
create function event_order_status() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case new.status when 'paid' then 'credits.purchased' when 'failed' then 'purchase.failed' when 'mismatch' then 'purchase.failed' when 'expired' then 'purchase.expired' end, new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('order_id', new.id, 'pack_id', new.pack_id, 'credits', new.credits)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_order_status after update of status on payment_orders for each row when (old.status is distinct from new.status and new.status in ('paid', 'failed', 'mismatch', 'expired')) execute function event_order_status();
--> statement-breakpoint
create function event_credits_taken_back() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case new.kind when 'refund' then 'credits.refunded' else 'credits.disputed' end, new.created_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('credits', -new.available_delta, 'owed', new.owed_delta)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_credits_taken_back after insert on credit_entries for each row when (new.kind in ('refund', 'dispute')) execute function event_credits_taken_back();
--> statement-breakpoint
create function event_credits_low() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), case new.available when 0 then 'credits.exhausted' else 'credits.low' end, new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('available', new.available)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_credits_low after update of available on credit_balances for each row when ((old.available > 0 and new.available = 0) or (old.available >= 100 and new.available < 100)) execute function event_credits_low();
--> statement-breakpoint
create function event_key_created() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'key.created', new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('key_id', new.id, 'scopes', to_jsonb(new.scopes))));
  return null;
end $$;
--> statement-breakpoint
create trigger event_key_created after insert on api_keys for each row execute function event_key_created();
--> statement-breakpoint
create function event_key_revoked() returns trigger language plpgsql as $$
begin
  insert into events (workspace_id, id, type, at, actor, campaign_id, data)
  values (new.workspace_id, gen_random_uuid(), 'key.revoked', new.updated_at, nullif(current_setting('overture.actor', true), ''), null,
    jsonb_strip_nulls(jsonb_build_object('key_id', new.id)));
  return null;
end $$;
--> statement-breakpoint
create trigger event_key_revoked after update of revoked_at on api_keys for each row when (old.revoked_at is null and new.revoked_at is not null) execute function event_key_revoked();
