import type pg from "pg";

export const TENANT = {
  workspaceId: "00000000-0000-4000-8000-0000000000c1",
  userId: "00000000-0000-4000-8000-0000000000c2",
  laneId: "00000000-0000-4000-8000-0000000000c3",
};
const OWNER = `'${TENANT.workspaceId}'::uuid, '${TENANT.userId}'::uuid`;

/** A campaign takes the new leads of so many days; its second mail follows so many days after the first. */
const DAYS_A_CAMPAIGN = 7;
const FOLLOWS_AFTER = 3;

/** $1 the day's morning, $2 messages a day. Of ids that are made from a campaign's number, `kind` tells what they are of. */
const campaignOf = (kind: string, number: string) =>
  `('00000000-0000-4000-80${kind}-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/** A campaign of two mails and its leads, whose addresses have been verified. `$3` is its number. */
const BEGIN: readonly string[] = [
  `insert into datasets (id, workspace_id, user_id, created_at, updated_at, name, source, status, row_count, columns, mapping, last_row_index)
   select ${campaignOf("da", "$3::int")}, ${OWNER}, $1, $1, 'Year', 'api', 'ready', $2::int * ${DAYS_A_CAMPAIGN} / 2, '[]', '{}', 0`,
  `insert into campaigns (id, workspace_id, user_id, created_at, updated_at, dataset_id, name, type, status, launch_type, daily_limit, sending_window_start, sending_window_end,
     min_interval_seconds, timezone, use_lead_timezone, send_days, steps, config_version, alias_ids, unreviewed_launch_policy, stop_on_reply, stop_on_auto_reply, stop_on_company_reply,
     launch_cursor, schedule_generation, launched_at, used, used_new)
   select ${campaignOf("ca", "$3::int")}, ${OWNER}, $1, $1, ${campaignOf("da", "$3::int")}, 'Year', 'email', 'active', 'immediate', $2::int, '00:00', '00:00', 60, 'UTC', false,
     '{mon,tue,wed,thu,fri,sat,sun}', '[{"step": 1, "channel": "email", "delay_days": 0}, {"step": 2, "channel": "email", "delay_days": ${FOLLOWS_AFTER}}]', 1, '{${TENANT.laneId}}',
     'launch_default', true, false, false, 0, 0, $1, 0, 0`,
  `insert into leads (id, workspace_id, user_id, created_at, updated_at, dataset_id, row_index, email, email_key, identity_key, first_name, company, tags, custom)
   select new_uuid($1, i), ${OWNER}, $1, $1, ${campaignOf("da", "$3::int")}, i, e, e, e, 'Lead ' || i, 'Company ' || i % 1000, '{}', '{"segment": "a"}'
   from generate_series(1, $2::int * ${DAYS_A_CAMPAIGN} / 2) i cross join lateral (select 'lead' || i || '.' || $3::int || '@example.zz' as e) x`,
  `insert into verified_addresses (key_hash, checked_at, expires_at)
   select encode(sha256(convert_to(email_key, 'UTF8')), 'hex'), $1, $1::timestamptz + interval '30 days' from leads where dataset_id = ${campaignOf("da", "$3::int")} and $2::int > 0`,
  `insert into campaign_leads (id, workspace_id, campaign_id, lead_id, dataset_id, row_index, email, email_key, status, current_step, next_step, next_action_at, metadata, created_at, updated_at)
   select new_uuid($1, row_index), workspace_id, ${campaignOf("ca", "$3::int")}, id, dataset_id, row_index, email, email_key, 'pending', 0, 1, $1::timestamptz + (row_index * 2 / $2::int) * interval '1 day', '{}', $1, $1
   from leads where dataset_id = ${campaignOf("da", "$3::int")}`,
];

const MADE = `lane_id = '${TENANT.laneId}' and slot_at >= $1 and slot_at < $1::timestamptz + interval '1 day'`;

/** What the engine and the world do with a day's messages. `$2` is not asked for where a statement has `$2::int is not null`. */
const DAY: readonly string[] = [
  // Claim, begin, record: a version of the row each, as the engine's functions write them.
  `with due as (
     select l.id, l.next_step from campaign_leads l join campaigns c on c.id = l.campaign_id and c.status = 'active'
     where l.workspace_id = '${TENANT.workspaceId}' and l.status in ('pending', 'active') and l.next_action_at < $1::timestamptz + interval '1 day' and $2::int is not null
   ), taken as (
     update campaign_leads l set status = 'active', alias_id = '${TENANT.laneId}', next_action_at = null, updated_at = $1 from due where l.id = due.id
     returning l.id, l.campaign_id, l.next_step, l.email_key
   )
   insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key, config_version, slot_at, campaign_day, lane_day_until, is_new, claimed_at,
     lease_until, claims, attempts, opens, clicks, machine_opens, machine_clicks, updated_at)
   select new_uuid($1, n), '${TENANT.workspaceId}', campaign_id, id, next_step, '${TENANT.laneId}', 'claimed', email_key, 1, $1::timestamptz + n * interval '1 second', $1::timestamptz::date, $1, next_step = 1,
     $1, $1, 1, 0, 0, 0, 0, 0, $1 from (select *, row_number() over () as n from taken) t`,
  `update sends set state = 'transmitting', transmitting_at = slot_at, message_id = id || '@sender.zz', variant_label = 'A', subject = 'Hello from us', updated_at = slot_at where ${MADE} and $2::int is not null`,
  `insert into send_bodies (send_id, html, written_at) select id, repeat(md5(id::text), 30), slot_at from sends where ${MADE} and $2::int is not null`,
  `update sends set state = 'accepted', accepted_at = slot_at, lease_until = null, attempts = 1, reason = '250 2.0.0 OK', claims = 0, updated_at = slot_at where ${MADE} and $2::int is not null`,
  `update campaign_leads l set current_step = s.step, next_step = case s.step when 1 then 2 end, status = case s.step when 1 then 'active' else 'completed' end,
     next_action_at = case s.step when 1 then $1::timestamptz + interval '${FOLLOWS_AFTER} days' end, updated_at = $1
   from sends s where s.campaign_lead_id = l.id and s.${MADE.replaceAll("slot_at", "s.slot_at")} and $2::int is not null`,
  `insert into credit_entries (id, workspace_id, kind, available_delta, held_delta, owed_delta, ref_type, ref_id, created_at)
   select new_uuid($1, row_number() over ()), workspace_id, 'capture', 0, -1, 0, 'generation', id::text, $1 from sends where ${MADE} and $2::int is not null`,
  // Two of five are opened, half of those twice; one of twenty is clicked.
  `insert into email_events (id, workspace_id, campaign_id, send_id, kind, at, link_index, url, classification, reasons, user_agent)
   select new_uuid($1, row_number() over ()), s.workspace_id, s.campaign_id, s.id, k.kind, s.slot_at + interval '1 hour', 0, case k.kind when 'click' then 'https://example.com/page' end, 'human', '{}', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'
   from sends s join campaign_leads l on l.id = s.campaign_lead_id join (values ('open', 5, 2), ('open', 5, 1), ('click', 20, 1)) k(kind, of, below) on (l.row_index + s.step) % k.of < k.below
   where s.${MADE.replaceAll("slot_at", "s.slot_at")} and $2::int is not null`,
  `update sends s set opens = x.opens, clicks = x.clicks, first_opened_at = s.slot_at + interval '1 hour', updated_at = $1
   from (select send_id, count(*) filter (where kind = 'open') as opens, count(*) filter (where kind = 'click') as clicks from email_events
         where at >= $1 and at < $1::timestamptz + interval '26 hours' group by 1) x where s.id = x.send_id and $2::int is not null`,
  // One of fifty is answered, one of a hundred comes back; either is told.
  `with answered as (
     update sends s set replied_at = s.slot_at + interval '2 hours', updated_at = $1 from campaign_leads l
     where l.id = s.campaign_lead_id and l.row_index % 50 = 3 and s.step = 1 and s.${MADE.replaceAll("slot_at", "s.slot_at")} and $2::int is not null returning s.*, l.lead_id
   ), ended as (
     update campaign_leads l set status = 'replied', stop_reason = 'replied', next_step = null, next_action_at = null, updated_at = $1 from answered a where l.id = a.campaign_lead_id
   ), thread as (
     insert into conversations (id, workspace_id, user_id, created_at, updated_at, alias_id, peer_key, lead_id, campaign_id, campaign_lead_id, channel, subject, last_message_at, unread)
     select new_uuid($1, row_number() over ()), ${OWNER}, $1, $1, lane_id, email_key, lead_id, campaign_id, campaign_lead_id, 'email', 'Hello', replied_at, 1 from answered
     returning id, peer_key, last_message_at
   ), said as (
     insert into conversation_messages (id, workspace_id, conversation_id, direction, class, message_id, from_email, to_emails, subject, text, sent_at, dedup_key)
     select new_uuid($1, row_number() over ()), '${TENANT.workspaceId}', id, 'in', 'reply', id || '@theirs.zz', peer_key, '{sender@sender.zz}', 'Re: Hello', repeat('Words of a reply. ', 20), last_message_at, id::text from thread
   ), told as (
     insert into outbox (id, workspace_id, kind, dedup_key, payload, created_at, delivered_at, attempts)
     select new_uuid($1, row_number() over ()), workspace_id, 'lead_reply', id::text, jsonb_build_object('campaign_id', campaign_id, 'campaign_lead_id', campaign_lead_id, 'send_id', id), $1, $1, 1 from answered
   )
   insert into inbound_mails (id, content_hash, received_at, class, workspace_id, matched_by, message_row_id)
   select new_uuid($1, row_number() over ()), encode(sha256(convert_to(id::text, 'UTF8')), 'hex'), replied_at, 'reply', workspace_id, 'message_id', id from answered`,
  `with returned as (
     update sends s set bounced_at = s.slot_at + interval '1 minute', reason = '550 5.1.1 no such user', updated_at = $1 from campaign_leads l
     where l.id = s.campaign_lead_id and l.row_index % 100 = 7 and s.step = 1 and s.${MADE.replaceAll("slot_at", "s.slot_at")} and $2::int is not null returning s.*
   ), ended as (
     update campaign_leads l set status = 'bounced', stop_reason = 'bounced', next_step = null, next_action_at = null, updated_at = $1 from returned r where l.id = r.campaign_lead_id
   ), suppressed as (
     insert into suppressions (id, workspace_id, user_id, created_at, updated_at, value, value_hash, kind, reason)
     select new_uuid($1, row_number() over ()), ${OWNER}, $1, $1, email_key, encode(sha256(convert_to(email_key, 'UTF8')), 'hex'), 'email', 'hard_bounce' from returned
     on conflict do nothing
   ), told as (
     insert into outbox (id, workspace_id, kind, dedup_key, payload, created_at, delivered_at, attempts)
     select new_uuid($1, row_number() over ()), workspace_id, 'lead_hard_bounce', id::text, jsonb_build_object('campaign_lead_id', campaign_lead_id, 'send_id', id, 'why', reason), $1, $1, 1 from returned
   )
   insert into inbound_mails (id, content_hash, received_at, class, workspace_id, matched_by, message_row_id)
   select new_uuid($1, row_number() over ()), encode(sha256(convert_to(id::text, 'UTF8')), 'hex'), bounced_at, 'bounce', workspace_id, 'message_id', id from returned`,
  `update campaigns c set status = 'completed', updated_at = $1 where c.status = 'active' and c.created_at < $1::timestamptz - interval '${DAYS_A_CAMPAIGN} days' and $2::int is not null
     and not exists (select from campaign_leads l where l.campaign_id = c.id and l.status in ('pending', 'active'))`,
];

/** Whom the messages are of. */
export async function loadTenant(sql: pg.Client, now: Date): Promise<void> {
  await sql.query(
    `insert into users (id, created_at, updated_at) values ('${TENANT.userId}', $1, $1)`,
    [now],
  );
  await sql.query(
    `insert into workspaces (id, owner_user_id, name, plan, timezone, created_at, updated_at) values (${OWNER}, 'Year', 'paid', 'UTC', $1, $1)`,
    [now],
  );
}

/** A day of so many messages; `day` counts from 0. */
export async function liveDay(
  sql: pg.Client,
  { day, morning, messages }: { day: number; morning: Date; messages: number },
): Promise<void> {
  if (day % DAYS_A_CAMPAIGN === 0)
    for (const statement of BEGIN)
      await sql.query(statement, [morning, messages, day / DAYS_A_CAMPAIGN]);
  for (const statement of DAY) await sql.query(statement, [morning, messages]);
}
