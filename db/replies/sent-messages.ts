import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { bool, orNull, rowReader, text, typed } from "../base/rows.ts";
import { domainOf } from "../schema/index.ts";

/** Something that was sent: a campaign's message, or one of the API's. */
export type SentMessage = Omit<FoundMessage, "isOfDeleted">;
/** The same as it was found; its workspace may be deleted. */
export type FoundMessage = ReturnType<typeof readSent>;
const COLUMNS = {
  kind: typed<"campaign" | "email">(),
  id: text,
  workspaceId: text,
  ownerUserId: text,
  laneId: text,
  emailKey: text,
  campaignId: orNull(text),
  campaignLeadId: orNull(text),
  leadId: orNull(text),
  conversationId: orNull(text),
  isOfDeleted: bool,
};
const readSent = rowReader(COLUMNS);

const columns = {
  sends: sql`select 'campaign' as kind, s.id, s.workspace_id, w.owner_user_id, s.lane_id, s.email_key, s.campaign_id, s.campaign_lead_id, l.lead_id,
    null::uuid as conversation_id, coalesce(s.accepted_at, s.transmitting_at) as at, w.deleted_at is not null as is_of_deleted
    from sends s join workspaces w on w.id = s.workspace_id join campaign_leads l on l.id = s.campaign_lead_id`,
  emails: sql`select 'email' as kind, e.id, e.workspace_id, w.owner_user_id, e.alias_id, e.email_key, null::uuid as campaign_id, null::uuid as campaign_lead_id, null::uuid as lead_id,
    e.conversation_id, coalesce(e.sent_at, e.updated_at) as at, w.deleted_at is not null as is_of_deleted from emails e join workspaces w on w.id = e.workspace_id`,
};

/** What is kept of any message for good: its workspace, and its recipient. */
export type AddressedMessage = Pick<SentMessage, "id" | "workspaceId" | "ownerUserId" | "emailKey">;
const readAddressed = rowReader({ id: text, workspaceId: text, ownerUserId: text, emailKey: text });

/** A campaign's message whose row has ended; undefined for another one, and for one to a person who was erased. */
export async function findEndedById(db: Db, id: string): Promise<AddressedMessage | undefined> {
  const { rows } = await db.execute(sql`
    select e.id, l.workspace_id, w.owner_user_id, l.email_key
    from ended_sends e join campaign_leads l on l.id = e.campaign_lead_id join workspaces w on w.id = l.workspace_id
    where e.id = ${id} and l.email_key is not null`);
  return rows[0] && readAddressed(rows[0]);
}

export async function findSentById(db: Db, id: string): Promise<FoundMessage | undefined> {
  const { rows } = await db.execute(sql`
    ${columns.sends} where s.id = ${id} and s.transmitting_at is not null
    union all ${columns.emails} where e.id = ${id} and e.attempts > 0`);
  return rows[0] && readSent(rows[0]);
}

/** By Message-ID, as this service wrote it; ids are unguessable, so that a mail that names one answers that message. */
export async function findSentByMessageId(
  db: Db,
  messageId: string,
): Promise<FoundMessage | undefined> {
  const { rows } = await db.execute(sql`
    ${columns.sends} where s.message_id = ${messageId} and s.transmitting_at is not null
    union all ${columns.emails} where e.message_id = ${messageId} and e.attempts > 0 limit 1`);
  return rows[0] && readSent(rows[0]);
}

/** Whether one of these Message-IDs is that of a placement test's mail, which belongs to no conversation. */
export async function isOfPlacementTest(db: Db, messageIds: readonly string[]): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from placement_mails where message_id = any(${sql.param([...messageIds])}::text[]) limit 1`);
  return rows.length > 0;
}

/** A message to an address, and whether its workspace may read what comes from there to an address of its own. */
export type Correspondence = ReturnType<typeof readCorrespondence>;
const readCorrespondence = rowReader({ ...COLUMNS, mayRead: bool });

/** Of workspaces that wrote to one person from one address; no address is shared by so many. */
const MOST_WORKSPACES = 100;

/** An address that a mail was sent to, and its domain with those above it, the nearest first. */
export interface Recipient {
  address: string;
  domains: string[];
}

interface AddressOrder {
  from: string;
  to: Recipient[];
  since: Date;
  /** Null: of every workspace. */
  workspaceId: string | null;
  /** What the message may be called, but for "Re:" before it; null: anything. */
  subjects: readonly string[] | null;
}

/**
 * The last message of each workspace to an address from an alias that the mail was sent to, or whose `reply_to` is that
 * address, no older than `since`: workspaces that may read first, then the newest. An address may be several workspaces',
 * because a workspace need not prove that it is its own: `mayRead` is true for workspaces that have, by the domain's
 * ownership record, and for the only workspace that uses the domain at all.
 */
export async function findSentByAddress(db: Db, order: AddressOrder): Promise<Correspondence[]> {
  const { rows } = await db.execute(sentByAddressStatement(order));
  return rows.map(readCorrespondence);
}

/**
 * Begins with the aliases of the address, or with answers to it: what it reads is theirs, however many workspaces wrote
 * to the person. Each `offset 0` and `limit 1` keeps a part to be looked up row by row, whatever the planner thinks of
 * the table. A domain's aliases by the address for answers are read once, however many of its addresses are given.
 */
export const sentByAddressStatement = ({
  from,
  to,
  since,
  workspaceId,
  subjects,
}: AddressOrder) => {
  const after = instantParam(since);
  const within = (workspace: SQL) =>
    workspaceId === null ? sql`` : sql` and ${workspace} = ${workspaceId}::uuid`;
  const called = (subject: SQL) =>
    subjects === null
      ? sql``
      : sql` and btrim(regexp_replace(regexp_replace(${subject}, '\\s+', ' ', 'g'), '^( ?re ?:)+', '', 'i')) = any(${sql.param(subjects)}::text[])`;
  return sql`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(to)}::jsonb) as g(address text, domains text[])
    ), own as materialized (
      select a.id, a.workspace_id, given.domains, false as for_answers from given cross join lateral (
        select a.id, a.workspace_id from mail_aliases a
        where ${domainOf(sql`a.email`)} = given.domains[1] and lower(a.email) = given.address${within(sql`a.workspace_id`)} offset 0
      ) a
      union all
      select a.id, a.workspace_id, given.domains, true from (select distinct domains[1] as domain from given) named cross join lateral (
        select a.id, a.workspace_id, lower(a.reply_to) as address from mail_aliases a
        where ${domainOf(sql`a.reply_to`)} = named.domain and a.reply_to is not null${within(sql`a.workspace_id`)} offset 0
      ) a join given on given.address = a.address
    ), candidate as (
      select last.*, own.domains from own cross join lateral (
        ${columns.sends}
        where s.workspace_id = own.workspace_id and s.email_key = ${from} and s.lane_id = own.id and s.transmitting_at > ${after}${called(sql`s.subject`)}
        order by at desc limit 1
      ) last
      union all
      select last.*, own.domains from own cross join lateral (
        ${columns.emails}
        where own.for_answers and e.workspace_id = own.workspace_id and e.email_key = ${from} and e.alias_id = own.id and e.sent_at > ${after}${called(sql`e.subject`)}
        order by at desc limit 1
      ) last
      union all
      select last.*, given.domains from given cross join lateral (
        ${columns.emails}
        where e.email_key = ${from} and lower(e.from_email) = given.address and e.sent_at > ${after}${within(sql`e.workspace_id`)}${called(sql`e.subject`)} offset 0
      ) last
    ), judged as (
      select c.*, exists (${DOMAIN_PROVEN}) or not exists (${OTHERS_DOMAIN}) as may_read
      from candidate c where not is_of_deleted
    ), correspondent as (
      -- One message may be found by two addresses, of which its workspace has proved one.
      select distinct on (workspace_id) * from judged order by workspace_id, at desc, may_read desc
    )
    select * from correspondent order by may_read desc, at desc limit ${MOST_WORKSPACES}`;
};

/** The record names the row, so each workspace has one of its own to publish; a verified domain has it by definition. */
const DOMAIN_PROVEN = sql`
  select 1 from mail_domains d where d.workspace_id = c.workspace_id and d.domain = any(c.domains)
    and (d.status = 'verified' or d.records @> '[{"purpose": "ownership", "status": "ok"}]')`;

/** A deleted workspace counts until it is erased: its mail is not for the next workspace that claims its domain. */
const OTHERS_DOMAIN = sql`
  select 1 from unnest(c.domains) used(domain) cross join lateral (
    (select 1 from mail_domains d where d.domain = used.domain and d.workspace_id <> c.workspace_id limit 1)
    union all (select 1 from mail_aliases a
      where ${domainOf(sql`a.email`)} = used.domain and a.workspace_id <> c.workspace_id limit 1)
    union all (select 1 from mail_aliases a
      where ${domainOf(sql`a.reply_to`)} = used.domain and a.reply_to is not null and a.workspace_id <> c.workspace_id limit 1)
  ) another`;
