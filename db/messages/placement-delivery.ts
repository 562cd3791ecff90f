import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "../base/client.ts";
import { suppressionReason } from "../base/fragments/suppression-reason.ts";
import { usableSender } from "../base/fragments/usable.ts";
import { instantParam } from "../base/instants.ts";
import {
  claimDueStatement,
  endJobStatement,
  isMine,
  type JobClaim,
  type JobQueue,
  overdueJobs,
  WORK_ROW,
} from "../base/job-queue.ts";
import { instant, orNull, type Row, rowReader, typed } from "../base/rows.ts";
import {
  countSingle,
  holdSuppressionsStatement,
  type LaneDay,
  lockLane,
  lockQuotas,
  rollOverLanesStatement,
  uncountSingle,
} from "../engine/index.ts";
import { placementMails } from "../schema/index.ts";
import type { PlacementMail } from "./placement-tests.ts";

/** Mails whose seeds are to be looked into. */
const LOOKS: JobQueue<typeof placementMails> = {
  table: placementMails,
  fields: WORK_ROW,
  isOpen: sql`${placementMails.state} = 'looking'`,
};
/** All that a message of the queue may find to do. */
const ALL: JobQueue<typeof placementMails> = {
  ...LOOKS,
  isOpen: sql`${placementMails.state} in ('queued', 'looking')`,
};
const HANDOVERS: JobQueue<typeof placementMails> = {
  ...LOOKS,
  isOpen: sql`${placementMails.state} = 'transmitting'`,
};

/** A seed of a test: what one message of the queue is about. */
export interface Seed {
  testId: string;
  seedAliasId: string;
}

const ofSeed = ({ testId, seedAliasId }: Seed): SQL =>
  and(eq(placementMails.testId, testId), eq(placementMails.seedAliasId, seedAliasId)) as SQL;

/** Mails to the seed that wait to be sent and are due. */
export const listQueuedMails = (db: Db, seed: Seed, now: Date): Promise<PlacementMail[]> =>
  db
    .select()
    .from(placementMails)
    .where(and(ofSeed(seed), eq(placementMails.state, "queued"), lte(placementMails.dueAt, now)))
    .orderBy(placementMails.id);

/** Why a mail did not begin; `used_up`: its alias has nothing left of its day, `resting`: its relay asked to be left alone. */
export type PlacementBegin =
  | "begun"
  | "suppressed"
  | "alias_not_ready"
  | "used_up"
  | "resting"
  | "taken";

/** The guard before DATA, as a single message has it: `begun` once the mail is `transmitting`, for this worker alone. */
export async function beginPlacementMail(
  db: Db,
  mail: Pick<PlacementMail, "id" | "workspaceId" | "aliasId">,
  { token, now, until, day }: JobClaim & { day: LaneDay | null },
): Promise<{ verdict: PlacementBegin; restsUntil: Date | null }> {
  const at = instantParam(now);
  const statements: [Statement, ...Statement[]] = [
    holdSuppressionsStatement(db, mail.workspaceId),
    ...(day === null ? [] : [db.execute(rollOverLanesStatement(now, [day]))]),
    lockLane(db, mail.aliasId),
    db.execute(beginStatement(mail.id, { token, until: instantParam(until) }, at)),
  ];
  if (day !== null) statements.unshift(lockQuotas(db, mail.workspaceId));
  const row = ((await commit(db, statements)).at(-1) as { rows: Row[] }).rows[0];
  return row === undefined ? { verdict: "taken", restsUntil: null } : readBegin(row);
}

const readBegin = rowReader({ verdict: typed<PlacementBegin>(), restsUntil: orNull(instant) });

const beginStatement = (
  id: string,
  { token, until }: { token: string; until: SQL },
  at: SQL,
): SQL => sql`
  with mine as (
    select * from placement_mails where id = ${id} and state = 'queued' and due_at <= ${at} for update
  ), verdict as (
    select mine.id, mine.alias_id, mine.counted_at, own.closed_until, case
      when ${suppressionReason(sql`mine.workspace_id`, sql`mine.email_key`, at)} is not null then 'suppressed'
      when not ${usableSender} or exists (select 1 from workspaces w where w.id = mine.workspace_id and w.deleted_at is not null)
        then 'alias_not_ready'
      when own.closed_until > ${at} then 'resting'
      when own.day_from <= ${at} and ${at} < own.day_until and own.used >= own.day_cap then 'used_up'
      else 'begun' end as verdict
    from mine left join mail_aliases a on a.id = mine.alias_id left join sender_lanes own on own.id = mine.alias_id
  ), changed as (
    update placement_mails m
    set state = 'transmitting', attempts = m.attempts + 1, counted_at = coalesce(m.counted_at, ${at}),
        due_at = ${until}, claim_token = ${token}::uuid
    from verdict v where m.id = v.id and v.verdict = 'begun'
  ), counted as (${countSingle(
    {
      from: sql`verdict v`,
      where: sql`lane.id = v.alias_id and v.verdict = 'begun' and v.counted_at is null`,
    },
    at,
  )})
  select verdict, closed_until as rests_until from verdict`;

/** A mail that was not begun waits until then, or has come to its end. */
export async function leavePlacementMail(
  db: Db,
  id: string,
  set: { dueAt: Date } | { state: "not_sent"; note: string; endedAt: Date },
): Promise<void> {
  await db
    .update(placementMails)
    .set(set)
    .where(and(eq(placementMails.id, id), eq(placementMails.state, "queued")));
}

type Ended = Partial<
  Pick<PlacementMail, "state" | "sentAt" | "dueAt" | "lookUntil" | "note" | "messageId" | "endedAt">
>;

/** How a handover ended. What did not go out gives its place of the day back. False where the claim does not stand. */
export async function endPlacementSend(
  db: Db,
  mail: Pick<PlacementMail, "id" | "aliasId">,
  { token, now }: Pick<JobClaim, "token" | "now">,
  set: Ended,
  keepsPlace: boolean,
): Promise<boolean> {
  const who = { id: mail.id, token };
  const at = instantParam(now);
  const givesBack = sql`${isMine(HANDOVERS, who)} and not ${keepsPlace}::boolean`;
  const [, , ended] = await commit(db, [
    lockLane(db, mail.aliasId),
    // A statement of its own, which reads when the place was taken.
    db.execute(sql`
      with mail as (select alias_id, counted_at from placement_mails where ${givesBack} for update)
      ${uncountSingle({ from: sql`mail`, where: sql`lane.id = mail.alias_id` }, sql`mail.counted_at`, at)}`),
    endJobStatement(db, HANDOVERS, who, {
      ...set,
      ...(keepsPlace ? {} : { countedAt: null }),
    }),
  ]);
  return ended.length > 0;
}

/** Claims what is to be looked for in one seed now, all of it for one login. */
export const claimPlacementLooks = (
  db: Db,
  seed: Seed,
  claim: JobClaim,
): Promise<PlacementMail[]> =>
  claimDueStatement(db, LOOKS, claim, { limit: 50, where: ofSeed(seed) });

/** What a look saw, or when the next is. False where the claim does not stand. */
export async function endPlacementLook(
  db: Db,
  who: { id: string; token: string },
  set: Partial<PlacementMail>,
): Promise<boolean> {
  return (await endJobStatement(db, LOOKS, who, set)).length > 0;
}

/** Handovers of dead workers: what may have left is looked for, and not sent again. */
export async function sweepPlacementMails(db: Db, now: Date, lookUntil: Date): Promise<void> {
  await db
    .update(placementMails)
    .set({
      state: "looking",
      claimToken: null,
      dueAt: now,
      lookUntil,
      note: "The worker stopped while this mail was being handed over; it may not have left.",
    })
    .where(and(eq(placementMails.state, "transmitting"), lte(placementMails.dueAt, now)));
}

/** When there is something to do for the seed again; null where nothing is left. */
export async function nextPlacementWork(db: Db, seed: Seed): Promise<Date | null> {
  const { rows } = await db.execute(sql`
    select min(due_at) as at from placement_mails
    where test_id = ${seed.testId} and seed_alias_id = ${seed.seedAliasId} and state in ('queued', 'transmitting', 'looking')`);
  return readNext(rows[0] as Row).at;
}
const readNext = rowReader({ at: orNull(instant) });

/** Forgets what a test says once nothing of it is to be sent any more. */
export async function forgetSentLetter(db: Db, testId: string): Promise<void> {
  await db.execute(sql`
    update placement_tests t set letter = null
    where t.id = ${testId} and t.letter is not null
      and not exists (select 1 from placement_mails m where m.test_id = t.id and m.state in ('queued', 'transmitting'))`);
}

/** Mails that have been due since then: the queue has lost their message. */
export const overduePlacementMails = (
  db: Db,
  since: Date,
  limit: number,
): Promise<PlacementMail[]> => overdueJobs(db, ALL, since, limit);
