import { sql } from "drizzle-orm";
import { transition } from "../base/fragments/transitions.ts";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { isArriving } from "../base/moving.ts";
import { rowReader, text } from "../base/rows.ts";
import { uuidArray } from "../base/text-array.ts";
import { type Restored, RESTORED, restoredReason } from "./restored.ts";

/** What else was due since, by how many; and the campaigns that may have started. */
export interface RestoredJobs {
  emails: number;
  posts: number;
  started: string[];
}

/**
 * Single messages become unknown, and mails of placement tests are looked for. Posts are looked up at the network, as those whose answer was lost. Campaigns that were
 * to start, or were starting, wait for a user: neither their messages nor their recipients are known here. A place of the
 * events' feed that was given out since names numbers of transactions that are given out anew.
 */
export async function markRestoredJobs(
  db: Db,
  { since, now }: Pick<Restored, "since" | "now">,
): Promise<RestoredJobs> {
  const at = instantParam(now);
  const why = restoredReason(since);
  const paused = sql`paused_reason = 'missed_schedule', paused_from = c.status, schedule_generation = c.schedule_generation + 1, updated_at = ${at}`;
  const failed = sql`launch_error = ${why}, updated_at = ${at}`;
  const [emails, posts, , , ...started] = await commit(db, [
    db.execute(sql`
      update emails set state = 'unknown', error = ${why}, attempts = greatest(attempts, 1), updated_at = ${at}
      where state in ('queued', 'scheduled') and due_at <= ${at} returning id`),
    db.execute(sql`
      update social_posts set status = 'publishing', begun_at = ${instantParam(since)}, lease_until = null, worker_token = null, updated_at = ${at}
      where status in ('scheduled', 'publishing') and due_at <= ${at} and begun_at is null returning id`),
    db.execute(sql`
      update placement_mails set state = 'looking', note = ${why}, due_at = ${at}, claim_token = null, look_until = ${at} + interval '15 minutes'
      where state in ('queued', 'transmitting') and due_at <= ${at}`),
    // Of what was arriving the instant says that it was, and no place was given out in it.
    db.execute(sql`update workspaces w set arrived_at = ${at} where not ${isArriving}`),
    db.execute(
      sql`${transition("miss_schedule", paused)} and c.start_date <= ${at} returning c.name`,
    ),
    db.execute(sql`${transition("fail_launch", failed)} returning c.name`),
  ]);
  const names = started.flatMap(({ rows }) => rows.map((row) => row["name"] as string));
  return { emails: emails.rows.length, posts: posts.rows.length, started: names };
}

export type RestoredEmail = ReturnType<typeof readEmail>;
const readEmail = rowReader({ id: text, toEmail: text, messageId: text });

export async function restoredEmails(
  db: Db,
  ids: readonly string[] | null,
): Promise<RestoredEmail[]> {
  const { rows } = await db.execute(sql`
    select id, to_email, message_id from emails
    where state = 'unknown' and starts_with(error, ${RESTORED})
      ${ids === null ? sql`` : sql`and id = any(${uuidArray(ids)})`}
    order by due_at, id`);
  return rows.map(readEmail);
}

/** Asked for again by the next full check. */
export async function sendEmailsAgain(db: Db, ids: readonly string[], now: Date): Promise<void> {
  await db.execute(sql`
    update emails set state = 'queued', error = null, due_at = ${instantParam(now)}, updated_at = ${instantParam(now)}
    where id = any(${uuidArray(ids)}) and state = 'unknown' and starts_with(error, ${RESTORED})`);
}
