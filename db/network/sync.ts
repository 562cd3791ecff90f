import { and, eq, gt, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { type JobQueue, overdueJobs, WORK_ROW } from "../base/job-queue.ts";
import { rowReader, text, typed } from "../base/rows.ts";
import { connectedAccounts } from "../schema/index.ts";
import type { AccountRow } from "./accounts.ts";
import { openCheckpoint } from "./checkpoints.ts";

/** An account as a callback finds it, which knows no workspace. */
export interface SyncedAccount {
  account: AccountRow;
  /** The provider's session that its newest challenge is about; null where there is none. */
  challenged: string | null;
  /** Whether that challenge can still be met. */
  challengeOpen: boolean;
}

const newest = (what: SQL): SQL => sql`(
  select ${what} from account_checkpoints k where k.account_id = connected_accounts.id order by k.created_at desc, k.id desc limit 1)`;

async function find(db: Db, where: SQL, now: Date): Promise<SyncedAccount | undefined> {
  const [row] = await db
    .select({
      account: connectedAccounts,
      challenged: sql<string | null>`${newest(sql`k.provider_account_id`)}`,
      challengeOpen: sql<boolean>`coalesce(${newest(openCheckpoint(now))}, false)`,
    })
    .from(connectedAccounts)
    .where(where);
  return row;
}

export const findAccount = (db: Db, id: string, now: Date) =>
  find(db, eq(connectedAccounts.id, id), now);

/** The account to which a session of the provider belongs, or whose challenge it is about. */
export const findAccountOfSession = (db: Db, session: string, now: Date) =>
  find(
    db,
    sql`${connectedAccounts.id} = coalesce(
      (select a.id from connected_accounts a where a.provider = 'socialnet' and a.provider_account_id = ${session} and a.provider_account_id <> ''),
      (select k.account_id from account_checkpoints k where k.provider_account_id = ${session} limit 1))`,
    now,
  );

/** Accounts about which the provider is to be asked. No claim: `recordStatus` finds no row where the account has changed. */
const SYNCS: JobQueue<typeof connectedAccounts> = {
  table: connectedAccounts,
  fields: { ...WORK_ROW, dueAt: "nextSyncAt", lease: "nextSyncAt", claimToken: null },
};

/** Those that are to be asked about again, the longest due first. */
export const dueAccounts = (db: Db, now: Date, limit: number): Promise<AccountRow[]> =>
  overdueJobs(db, SYNCS, now, limit);

/** The provider has said something about it: it is looked at by the next full check. */
export async function markSyncDue(db: Db, id: string, now: Date): Promise<void> {
  const { nextSyncAt } = connectedAccounts;
  await db
    .update(connectedAccounts)
    .set({ nextSyncAt: now })
    .where(and(eq(connectedAccounts.id, id), or(isNull(nextSyncAt), gt(nextSyncAt, now))));
}

/** Everything that was said to the account up to then is taken in. */
export async function noteBackfill(db: Db, id: string, until: Date): Promise<void> {
  await db
    .update(connectedAccounts)
    .set({ heardUntil: until })
    .where(
      and(
        eq(connectedAccounts.id, id),
        or(isNull(connectedAccounts.heardUntil), lt(connectedAccounts.heardUntil, until)),
      ),
    );
}

/** Whether an account has this session, or waits for the answer to its challenge: then it is not to be ended. */
export async function isSessionInUse(db: Db, session: string, now: Date): Promise<boolean> {
  const { rows } = await db.execute<{ used: boolean }>(sql`
    select exists (select 1 from connected_accounts a
        where a.provider = 'socialnet' and a.provider_account_id = ${session} and a.provider_account_id <> '')
      or exists (select 1 from account_checkpoints k where k.provider_account_id = ${session} and ${openCheckpoint(now)}) as used`);
  return rows[0]!.used;
}

const readAbandoned = rowReader({ id: text, workspaceId: text, sessions: typed<string[]>() });

/** Accounts that were never connected, with no connect begun since `before`, and the provider sessions begun for them. */
export async function abandonedAccounts(db: Db, before: Date) {
  const { rows } = await db.execute(sql`
    select a.id, a.workspace_id, coalesce(jsonb_agg(distinct k.provider_account_id) filter (where k.id is not null), '[]') as sessions
    from connected_accounts a left join account_checkpoints k on k.account_id = a.id
    where a.warmup_from is null and a.status = 'disconnected' and a.created_at < ${instantParam(before)}
    group by a.id having coalesce(max(k.created_at), '-infinity') < ${instantParam(before)}
    order by a.id limit 100`);
  return rows.map(readAbandoned);
}

export async function forgetCheckpoints(db: Db, before: Date): Promise<void> {
  await db.execute(sql`delete from account_checkpoints where expires_at < ${instantParam(before)}`);
}
