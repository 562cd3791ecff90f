import { and, inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import {
  claimDueStatement,
  endJobStatement,
  isDue,
  isMine,
  type JobQueue,
} from "../base/job-queue.ts";
import { outboxRows } from "../base/fragments/outbox.ts";
import { bool, instant, integer, orNull, rowReader, text } from "../base/rows.ts";
import { inboxes } from "../schema/index.ts";

/** How many inboxes are due, and whether there are any at all. */
export async function countDueInboxes(db: Db, now: Date): Promise<{ due: number; any: boolean }> {
  const { rows } = await db.execute<{ due: number; any: boolean }>(sql`
    select (select count(*)::int from inboxes where ${and(isDue(INBOXES, now), isRead)}) as due, exists (select 1 from inboxes) as any`);
  return rows[0]!;
}

/** Of all workspaces. The end of its lease names a claim: no later one of that inbox ends at the same instant. */
const INBOXES: JobQueue<typeof inboxes> = {
  table: inboxes,
  fields: {
    key: ["aliasId"],
    dueAt: "nextReadAt",
    claimToken: "leasedUntil",
    lease: "leasedUntil",
  },
};

/** Not those of a deleted workspace, though it may still be restored, nor one whose owner has yet to consent. */
const isRead = sql`not exists (select 1 from workspaces w where w.id = inboxes.workspace_id and w.deleted_at is not null)
  and not (inboxes.secret is null and exists (select 1 from mail_logins l where l.alias_id = inboxes.alias_id and l.tokens is null))`;

/** An inbox that is to be read now, with what its alias is. */
export type ClaimedInbox = ReturnType<typeof readClaimed>;
const readClaimed = rowReader({
  aliasId: text,
  workspaceId: text,
  email: text,
  host: text,
  port: integer,
  username: orNull(text),
  folder: text,
  secret: orNull(text),
  uidValidity: orNull(integer),
  lastUid: orNull(integer),
  backlogBefore: orNull(integer),
  backlogSince: orNull(instant),
  failures: integer,
  stuck: integer,
  backlogStuck: integer,
  broken: bool,
  leasedUntil: instant,
});

/**
 * Claims the inboxes that are longest due, before them the one of `first`, until the lease ends. With a `share`, none of
 * workspaces of which so many are being read; `passedOver` says whether there are such.
 */
export async function claimInboxes(
  db: Db,
  order: {
    now: Date;
    leaseUntil: Date;
    limit: number;
    first?: string | undefined;
    share?: number;
  },
): Promise<{ claims: ClaimedInbox[]; passedOver: boolean }> {
  const { now, leaseUntil: until, limit, first, share } = order;
  const isFirst = first === undefined ? sql`false` : sql`alias_id = ${first}::uuid`;
  const served = sql`select workspace_id from inboxes where leased_until > ${instantParam(now)}
    group by workspace_id having count(*) >= ${share ?? null}::int`;
  const due = {
    limit,
    where:
      share === undefined
        ? isRead
        : sql`${isRead} and (${isFirst} or not exists (select from served where served.workspace_id = inboxes.workspace_id))`,
    // An order by an expression reads all that is due, in the place of the first of the index.
    ...(first === undefined ? {} : { first: sql`not ${isFirst}` }),
    thenBy: inboxes.aliasId,
  };
  const { rows } = await db.execute(sql`
    with served as materialized (${served}),
    mine as ${claimDueStatement(db, INBOXES, { now, until }, due)}
    select mine.*, a.email, exists (select from served) as passed_over
    from (select) one left join (mine join mail_aliases a on a.id = mine.alias_id) on true
    order by not ${isFirst}, mine.next_read_at, mine.alias_id`);
  return {
    claims: rows.filter((row) => row["alias_id"] !== null).map(readClaimed),
    passedOver: rows[0]!["passed_over"] === true,
  };
}

type Claim = Pick<ClaimedInbox, "aliasId" | "leasedUntil">;
const isOf = ({ aliasId, leasedUntil }: Claim) =>
  isMine(INBOXES, { id: aliasId, token: leasedUntil });

/** Gives back what there was no time for. */
export async function releaseInboxes(db: Db, claims: readonly Claim[]): Promise<void> {
  const areThese = inArray(
    inboxes.aliasId,
    claims.map(({ aliasId }) => aliasId),
  );
  await endJobStatement(db, INBOXES, { id: areThese, token: claims[0]!.leasedUntil }, {});
}

export interface Position {
  uidValidity: number;
  /** Everything up to it was read, but for the backlog. */
  lastUid: number;
  /** What a first look has still to read: what has a smaller UID and came since. */
  backlog: { before: number; since: Date } | null;
}

/** The part of an inbox that is read: mail behind the last UID, or the backlog of its first look. */
export type InboxPart = "new" | "backlog";

/** Notes how far an inbox was read, where the next worker begins. */
export async function recordPosition(
  db: Db,
  claim: Claim,
  { uidValidity, lastUid, backlog }: Position,
  part: InboxPart,
): Promise<void> {
  await db.execute(sql`
    update inboxes set uid_validity = ${uidValidity}, last_uid = ${lastUid},
      backlog_before = ${backlog?.before ?? null}::bigint, backlog_since = ${backlog?.since.toISOString() ?? null}::timestamptz,
      ${part === "new" ? sql`stuck` : sql`backlog_stuck`} = 0
    where ${isOf(claim)}`);
}

/**
 * Ends successful looks of one claim. The next is due sooner while the alias has sent mail since `recently`, when
 * most people answer. Answers when, by alias; without inboxes that were changed meanwhile.
 */
export async function recordLooks(
  db: Db,
  looks: readonly (Claim & { position: Position })[],
  order: { now: Date; recently: Date; soon: Date; later: Date },
): Promise<Map<string, Date>> {
  const at = instantParam(order.now);
  const records = looks.map(({ aliasId, position }) => ({
    alias_id: aliasId,
    uid_validity: position.uidValidity,
    last_uid: position.lastUid,
    backlog_before: position.backlog?.before ?? null,
    backlog_since: position.backlog?.since.toISOString() ?? null,
  }));
  const who = { id: sql`inboxes.alias_id = look.alias_id`, token: looks[0]!.leasedUntil };
  const { rows } = await db.execute(sql`
    update inboxes
    set uid_validity = look.uid_validity, last_uid = look.last_uid,
      backlog_before = look.backlog_before, backlog_since = look.backlog_since, read_at = ${at}, leased_until = null,
      failures = 0, stuck = 0, backlog_stuck = 0, broken = false, last_error = null,
      next_read_at = case when exists (
        select 1 from sender_lanes lane where lane.id = inboxes.alias_id and lane.last_begun_at > ${instantParam(order.recently)})
        then ${instantParam(order.soon)} else ${instantParam(order.later)} end
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as look(
      alias_id uuid, uid_validity bigint, last_uid bigint, backlog_before bigint, backlog_since timestamptz)
    where ${isMine(INBOXES, who)}
    returning inboxes.alias_id, inboxes.next_read_at`);
  return new Map(rows.map(readNext).map(({ aliasId, nextReadAt }) => [aliasId, nextReadAt]));
}

const readNext = rowReader({ aliasId: text, nextReadAt: instant });

export interface FailedLook {
  /** How far it got before; null where it got nowhere. */
  position: Position | null;
  /** Reading failed, not only getting there: where, and whether it got any further there before. */
  reading: { part: InboxPart; moved: boolean } | null;
  error: string;
  /** Its owner has to act, and is told when that is news. */
  broken: boolean;
  nextReadAt: Date;
}

/** Ends a look that failed, and owes its owner a notice when the inbox has just stopped working. */
export async function recordFailure(
  db: Db,
  claim: Claim,
  { position, reading, error, broken, nextReadAt }: FailedLook,
  now: Date,
): Promise<void> {
  const told = outboxRows(
    "inbox_failing",
    sql`news`,
    sql`'inbox:' || alias_id || ':failing:' || ${now.toISOString()}::text`,
    { alias_id: sql`alias_id`, alias_email: sql`email`, why: sql`last_error` },
    now,
  );
  const again = (part: InboxPart, before: SQL) =>
    reading?.part !== part ? before : reading.moved ? sql`1` : sql`${before} + 1`;
  await db.execute(sql`
    with before as (select alias_id, broken from inboxes where ${isOf(claim)} for update),
    failed as (
      update inboxes i
      set failures = i.failures + 1, broken = ${broken}, last_error = ${error.slice(0, 1000)}, leased_until = null,
        next_read_at = ${instantParam(nextReadAt)}, stuck = ${again("new", sql`i.stuck`)}, backlog_stuck = ${again("backlog", sql`i.backlog_stuck`)},
        backlog_before = case when ${position === null} then i.backlog_before else ${position?.backlog?.before ?? null}::bigint end,
        backlog_since = case when ${position === null} then i.backlog_since else ${position?.backlog?.since.toISOString() ?? null}::timestamptz end,
        uid_validity = coalesce(${position?.uidValidity ?? null}::bigint, i.uid_validity),
        last_uid = coalesce(${position?.lastUid ?? null}::bigint, i.last_uid)
      from before where i.alias_id = before.alias_id
      returning i.alias_id, i.workspace_id, i.last_error, i.broken and not before.broken as is_news
    ), news as (
      select failed.*, a.email from failed join mail_aliases a on a.id = failed.alias_id where failed.is_news
    )
    ${told}`);
}
