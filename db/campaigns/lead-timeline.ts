import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { bool, instant, integer, orNull, rowReader, text, typed } from "../base/rows.ts";
import { isPersonsHit } from "../base/fragments/persons-hit.ts";
import type { CampaignStatus } from "../schema/index.ts";
import { DEED } from "./deed.ts";

export const TIMELINE_KINDS = [
  ...["joined", "sent", "invited", "visited", "failed", "unknown", "opened", "clicked"],
  ...["replied", "auto_replied", "bounced", "soft_bounced", "unsubscribed", "complained"],
  "suppressed",
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** Something that happened with a lead. */
export type TimelineEntry = ReturnType<typeof readEntry>;
const readEntry = rowReader({
  /** Names it among those of its instant. */
  key: text,
  at: instant,
  kind: typed<TimelineKind>(),
  campaignId: orNull(text),
  step: orNull(integer),
  emailId: orNull(text),
  conversationId: orNull(text),
  /** No person did it. */
  machine: bool,
  /** A subject, a link, an answer of a server, a class or a reason; by the kind. */
  detail: orNull(text),
});

export interface TimelinePlace {
  at: Date;
  key: string;
}

/** What a campaign may still do with a lead. */
export type UnderWay = ReturnType<typeof readUnderWay>;
const readUnderWay = rowReader({
  campaignId: text,
  campaignLeadId: text,
  status: typed<CampaignStatus>(),
});

export interface Timeline {
  entries: TimelineEntry[];
  /** Single messages that have an instant at which they go. */
  scheduled: TimelineEntry[];
  underWay: UnderWay[];
}

const IS_OUT = sql.raw("('accepted', 'assumed_sent', 'rejected', 'failed', 'unknown')");

/** What the campaigns of a lead, single messages to its address and its threads say of it, the newest first: one more than `limit`. Undefined when there is no such lead. */
export async function readTimeline(
  db: Db,
  workspaceId: string,
  leadId: string,
  { after, limit }: { after: TimelinePlace | undefined; limit: number },
): Promise<Timeline | undefined> {
  const of = sql`
    lead as (select l.id, l.email_key from leads l where l.id = ${leadId} and l.workspace_id = ${workspaceId}),
    ways as (select c.* from campaign_leads c join lead on c.lead_id = lead.id where c.workspace_id = ${workspaceId}),
    singles as (select e.* from emails e join lead on e.email_key = lead.email_key where e.workspace_id = ${workspaceId})`;
  const isBehind =
    after === undefined
      ? sql`true`
      : sql`(at, key collate "C") < (${instantParam(after.at)}, ${after.key})`;
  const [found, entries, scheduled, underWay] = await commit(db, [
    db.execute(sql`with ${of} select id from lead`),
    db.execute(sql`
      with ${of},
      steps as (select s.* from sends s join ways w on w.id = s.campaign_lead_id),
      threads as (
        select c.* from conversations c join lead on c.peer_key = lead.email_key where c.workspace_id = ${workspaceId}
        union select c.* from conversations c join ways w on w.id = c.campaign_lead_id
      ), entries as (${HAPPENED})
      select * from entries where ${isBehind} order by at desc, key collate "C" desc limit ${limit + 1}`),
    db.execute(sql`
      with ${of}
      select 'sent:' || id as key, scheduled_at as at, 'sent' as kind, null as campaign_id, null as step, id as email_id,
             conversation_id, false as machine, subject as detail
      from singles where state = 'scheduled' and scheduled_at is not null order by scheduled_at limit 100`),
    db.execute(sql`
      with ${of}
      select w.campaign_id, w.id as campaign_lead_id, c.status from ways w join campaigns c on c.id = w.campaign_id
      where w.status in ('pending', 'active') and c.status in ('active', 'draining') and c.deleted_at is null
      order by w.next_action_at nulls last, w.id`),
  ]);
  if (found.rows.length === 0) return undefined;
  return {
    entries: entries.rows.map(readEntry),
    scheduled: scheduled.rows.map(readEntry),
    underWay: underWay.rows.map(readUnderWay),
  };
}

const NONE = sql`null::uuid`;
const NO_TEXT = sql`null::text`;

interface Told {
  id: SQL;
  at: SQL;
  kind: SQL;
  campaign?: SQL;
  step?: SQL;
  email?: SQL;
  thread?: SQL;
  machine?: SQL;
  detail?: SQL;
}
const entry = ({ id, at, kind, ...of }: Told): SQL => sql`
  select ${kind} || ':' || ${id} as key, ${at} as at, ${kind} as kind, ${of.campaign ?? NONE} as campaign_id,
         ${of.step ?? sql`null::int`} as step, ${of.email ?? NONE} as email_id, ${of.thread ?? NONE} as conversation_id,
         ${of.machine ?? sql`false`} as machine, ${of.detail ?? NO_TEXT} as detail`;

const HAPPENED = sql.join(
  [
    sql`${entry({ id: sql`w.id`, at: sql`w.created_at`, kind: sql`'joined'`, campaign: sql`w.campaign_id` })} from ways w`,
    sql`${entry({
      id: sql`s.id`,
      at: sql`coalesce(s.accepted_at, s.transmitting_at, s.slot_at)`,
      kind: DEED,
      campaign: sql`s.campaign_id`,
      step: sql`s.step`,
      detail: sql`case when s.state in ('accepted', 'assumed_sent') then s.subject else s.reason end`,
    })} from steps s left join send_bodies b on b.send_id = s.id where s.state in ${IS_OUT}`,
    sql`${entry({
      id: sql`s.id`,
      at: sql`fact.at`,
      kind: sql`fact.kind`,
      campaign: sql`s.campaign_id`,
      step: sql`s.step`,
      machine: sql`fact.kind in ('bounced', 'soft_bounced')`,
      detail: sql`case when fact.kind in ('bounced', 'soft_bounced') then s.reason end`,
    })} from steps s cross join lateral (values ('bounced', s.bounced_at), ('soft_bounced', s.soft_bounced_at),
        ('unsubscribed', s.unsubscribed_at), ('complained', s.complained_at)) fact(kind, at) where fact.at is not null`,
    sql`${entry({
      id: sql`e.id`,
      at: sql`coalesce(e.sent_at, e.updated_at)`,
      kind: sql`case e.state when 'sent' then 'sent' when 'unknown' then 'unknown' else 'failed' end`,
      email: sql`e.id`,
      thread: sql`e.conversation_id`,
      detail: sql`case e.state when 'sent' then e.subject else coalesce(e.error, e.suppression_reason) end`,
    })} from singles e where e.state in ('sent', 'unknown', 'failed', 'suppressed')`,
    sql`${entry({
      id: sql`seen.id`,
      at: sql`seen.at`,
      kind: sql`case seen.kind when 'open' then 'opened' when 'click' then 'clicked' else 'unsubscribed' end`,
      campaign: sql`seen.campaign_id`,
      step: sql`m.step`,
      email: sql`m.email_id`,
      machine: sql`not ${sql.raw(isPersonsHit("seen"))}`,
      detail: sql`seen.url`,
    })} from (select id, step, null::uuid as email_id from steps union all select id, null, id from singles) m
      join email_events seen on seen.send_id = m.id where seen.kind <> 'unsubscribe' or seen.campaign_id is null`,
    sql`${entry({
      id: sql`m.id`,
      at: sql`m.sent_at`,
      kind: sql`case when m.direction = 'out' then 'sent' when m.class in ('reply', 'possible_opt_out') then 'replied' else 'auto_replied' end`,
      campaign: sql`t.campaign_id`,
      thread: sql`t.id`,
      machine: sql`m.direction = 'in' and m.class not in ('reply', 'possible_opt_out')`,
      detail: sql`case m.direction when 'in' then m.class end`,
    })} from threads t join conversation_messages m on m.conversation_id = t.id where m.direction = 'in' or m.dedup_key not like 'email:%'`,
    sql`${entry({
      id: sql`x.id`,
      at: sql`x.created_at`,
      kind: sql`'suppressed'`,
      campaign: sql`x.source_campaign_id`,
      detail: sql`x.reason`,
    })} from lead join suppressions x on x.workspace_id = (select workspace_id from leads where id = lead.id)
      and (x.kind, x.value_hash) in (('email', encode(sha256(convert_to(lead.email_key, 'UTF8')), 'hex')),
        ('domain', encode(sha256(convert_to(split_part(lead.email_key, '@', 2), 'UTF8')), 'hex')))`,
  ],
  sql` union all `,
);
