import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "../client.ts";
import { instantParam } from "../instants.ts";
import { isInUseHere } from "../moving.ts";
import { newId } from "../new-id.ts";
import { isErased } from "./suppression-reason.ts";
import { preferencesIn, readPreferences } from "./preferences.ts";
import { bool, instant, nested, nestedList, orNull, rowReader, text, typed } from "../rows.ts";
import { type NoticeChannel, type PausedReason, type Role } from "#db/schema/index.ts";

export type CampaignNotice =
  | "campaign_paused"
  | "campaign_launch_held"
  | "campaign_launch_cancelled";
export type LeadNotice = "lead_hard_bounce" | "lead_complaint";
/** The same of a single message of the API. */
export type EmailNotice = "email_hard_bounce" | "email_complaint";

type AboutLead = { campaign_id: string; campaign_lead_id: string; send_id: string };
type AboutEmail = { email_id: string };
/** The reply of the recipient's server. */
type Why = { why?: string };

/** The payloads of owed notices, by kind. Rows wait in databases: a kind keeps its fields. */
export type OutboxPayloads = Record<
  CampaignNotice,
  { campaign_id: string; campaign_name: string; reason: PausedReason }
> & {
  /**
   * `message_id` is the stored reply's; rows of the first releases have none. `send_id` is null where the lead writes
   * before anything was sent to it in that campaign.
   */
  lead_reply: Omit<AboutLead, "send_id"> & { send_id: string | null; message_id?: string };
  lead_hard_bounce: AboutLead & Why;
  lead_complaint: AboutLead;
  email_reply: AboutEmail & { message_id: string };
  email_hard_bounce: AboutEmail & Why;
  email_complaint: AboutEmail;
  /** To a message of the network that the API said. */
  network_reply: { message_id: string };
  account_disconnected: { account_id: string; account_name: string };
  /** `why` is what its server said, or what the owner has to do. */
  inbox_failing: { alias_id: string; alias_email: string; why: string };
  /** `why` is the rule's evidence, and what to do. */
  domain_rule_failing: { domain_id: string; domain_name: string; why: string };
  /** Gmail's figures of a domain are not read any more. */
  postmaster_lost: { domain_id: string; domain_name: string; why: string };
  webhook_failing: { webhook_id: string; webhook_url: string };
  webhook_disabled: { webhook_id: string; webhook_url: string; why: string };
};
export type OutboxKind = keyof OutboxPayloads;

export interface OutboxEffect<K extends OutboxKind> {
  id: string;
  workspaceId: string;
  kind: K;
  /** Names the cause: its second occurrence adds nothing. */
  dedupKey: string;
  payload: OutboxPayloads[K];
  /** The address that it tells of: of somebody who was erased meanwhile nothing is owed. */
  emailKey?: string;
  now: Date;
}

/** Owes an effect to the outside world, in the transaction of whatever causes it. */
export function outboxStatement<K extends OutboxKind>(
  db: Db,
  { id, workspaceId, kind, dedupKey, payload, emailKey, now }: OutboxEffect<K>,
): Statement {
  return db.execute(sql`
    insert into outbox (id, workspace_id, kind, dedup_key, payload, created_at, attempts)
    select ${id}::uuid, ${workspaceId}::uuid, ${kind}, ${dedupKey}, ${JSON.stringify(payload)}::jsonb, ${instantParam(now)}, 0
    where ${emailKey === undefined ? sql`true` : sql`not ${isErased(sql`${workspaceId}::uuid`, sql`${emailKey}::text`)}`}
    on conflict (dedup_key) do nothing`);
}

/** The same in SQL, for each row of a CTE: it has `workspace_id` and what key and payload are made of. */
export function outboxRows<K extends OutboxKind>(
  kind: K,
  cte: SQL,
  dedupKey: SQL,
  payload: Record<keyof OutboxPayloads[K], SQL>,
  now: Date,
): SQL {
  const fields = Object.entries<SQL>(payload).flatMap(([name, value]) => [
    sql`${name}::text`,
    value,
  ]);
  return sql`
    insert into outbox (id, workspace_id, kind, dedup_key, payload, created_at, attempts)
    select ${newId(instantParam(now))}, workspace_id, ${kind}, ${dedupKey}, jsonb_build_object(${sql.join(fields, sql`, `)}), ${instantParam(now)}, 0
    from ${cte} on conflict (dedup_key) do nothing`;
}

/** The campaign lead or single message that a row is about, as it is indexed: a statement that says it otherwise does not find the index. */
export const aboutOf = (row: SQL): SQL =>
  sql`coalesce(${row}.payload ->> 'campaign_lead_id', ${row}.payload ->> 'email_id')`;

/** Server replies about some sends and emails, which may quote the recipient's address. */
export const forgetReasonsStatement = (db: Db, workspaceId: string, sends: SQL, emails: SQL) =>
  db.execute(sql`
    update outbox set payload = payload - 'why'
    where workspace_id = ${workspaceId} and payload ? 'why'
      and ${aboutOf(sql`outbox`)} in (
        select s.campaign_lead_id::text from sends s where s.id in ${sends} union all select e.id::text from ${emails} e)
      and ((payload ->> 'send_id')::uuid in ${sends} or (payload ->> 'email_id')::uuid in ${emails})`);

const readMember = rowReader({
  userId: text,
  role: typed<Role>(),
  preferences: orNull(nested(readPreferences)),
});

/** The waiting notices of one topic, and the members who may hear of them. */
export type DueTopic = ReturnType<typeof readTopic>;
const readTopic = rowReader({
  topic: text,
  workspaceId: text,
  isErased: bool,
  /** Everything that waits, and of it what is recent enough to be news. */
  kinds: typed<OutboxKind[]>(),
  recentKinds: typed<OutboxKind[]>(),
  members: nestedList(readMember),
});

/** Topics about which something waits and nothing was told of late, the longest waiting first. */
export async function dueTopics(
  db: Db,
  order: { kinds: OutboxKind[]; recentSince: Date; now: Date; limit: number },
): Promise<DueTopic[]> {
  const { rows } = await db.execute(sql`
    with due as (
      select o.topic, o.workspace_id, min(o.created_at) as since, array_agg(distinct o.kind) as kinds,
        coalesce(array_agg(distinct o.kind) filter (where o.created_at > ${instantParam(order.recentSince)}), '{}') as recent_kinds
      from outbox o left join notice_windows n on n.topic = o.topic
      where o.delivered_at is null and o.kind = any(${sql.param(order.kinds)}::text[])
        and (n.topic is null or n.open_until <= ${instantParam(order.now)}) and ${isInUseHere(sql`o.workspace_id`)}
      group by o.topic, o.workspace_id order by since limit ${order.limit}
    )
    select due.*, w.deleted_at is not null as is_erased, (
        select coalesce(jsonb_agg(jsonb_build_object('user_id', m.user_id, 'role', m.role, 'preferences', ${preferencesIn(sql`p`, sql`w.id`)}) order by m.joined_at, m.user_id), '[]')
        from workspace_members m left join notification_preferences p on p.user_id = m.user_id where m.workspace_id = w.id
      ) as members
    from due join workspaces w on w.id = due.workspace_id
    order by due.since`);
  return rows.map(readTopic);
}

/** The plan for a topic's notices: some kinds are delivered, the rest of `kinds` dropped. */
export interface TopicPlan {
  topic: string;
  workspaceId: string;
  kinds: OutboxKind[];
  notice: {
    id: string;
    kinds: OutboxKind[];
    /** The recipients of a notice, each on a channel; one that cannot be used says why. */
    deliveries: { userId: string; channel: NoticeChannel; error: string | null }[];
  } | null;
}

/**
 * Makes notices of what waits, in one statement: effects are marked, deliveries made, and each
 * topic's window opens, by which of two readers at once only one has it. Answers how many effects were taken.
 */
export async function takeTopics(
  db: Db,
  plans: TopicPlan[],
  order: { recentSince: Date; openUntil: Date; now: Date },
): Promise<number> {
  const at = instantParam(order.now);
  const records = plans.map(({ topic, workspaceId, kinds, notice }) => ({
    topic,
    workspace_id: workspaceId,
    kinds,
    notice_id: notice?.id ?? null,
    told: notice?.kinds ?? [],
    deliveries:
      notice?.deliveries.map(({ userId, ...rest }) => ({ user_id: userId, ...rest })) ?? [],
  }));
  const { rows } = await db.execute<{ taken: number }>(sql`
    with plan as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
        as p(topic text, workspace_id uuid, kinds text[], notice_id uuid, told text[], deliveries jsonb)
    ), opened as (
      insert into notice_windows as n (topic, open_until)
      select topic, ${instantParam(order.openUntil)} from plan where notice_id is not null order by topic
      on conflict (topic) do update set open_until = excluded.open_until where n.open_until <= ${at}
      returning topic
    ), taken as (
      update outbox o
      set delivered_at = ${at},
          notice_id = case when o.kind = any(p.told) and o.created_at > ${instantParam(order.recentSince)} then p.notice_id end
      from plan p
      where o.topic = p.topic and o.delivered_at is null and o.kind = any(p.kinds)
        and (p.notice_id is null or exists (select 1 from opened where opened.topic = p.topic))
      returning 1
    ), made as (
      insert into notice_deliveries (id, workspace_id, notice_id, user_id, channel, state, due_at, attempts, error, created_at, updated_at)
      select ${newId(at)}, p.workspace_id, p.notice_id, c.user_id, c.channel,
        case when c.error is null then 'waiting' else 'undeliverable' end, ${at}, 0, c.error, ${at}, ${at}
      from plan p join opened on opened.topic = p.topic, jsonb_to_recordset(p.deliveries) as c(user_id uuid, channel text, error text)
    )
    select count(*)::int as taken from taken`);
  return rows[0]!.taken;
}

const readNext = rowReader({ at: orNull(instant) });

/** When the reader next has something to do; null while nothing is owed. What waits for a move is found when it is over. */
export async function nextNoticeAt(db: Db, kinds: OutboxKind[]): Promise<Date | null> {
  const { rows } = await db.execute(sql`
    select least(
      (select min(greatest(o.created_at, n.open_until)) from outbox o left join notice_windows n on n.topic = o.topic
        where o.delivered_at is null and o.kind = any(${sql.param(kinds)}::text[]) and ${isInUseHere(sql`o.workspace_id`)}),
      (select min(d.due_at) from notice_deliveries d where d.state = 'waiting' and ${isInUseHere(sql`d.workspace_id`)}),
      (select min(d.lease_until) from notice_deliveries d where d.state = 'transmitting' and ${isInUseHere(sql`d.workspace_id`)})) as at`);
  return readNext(rows[0]!).at;
}
