import { and, asc, eq, gte, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { outboxRows } from "../base/fragments/outbox.ts";
import { instantParam } from "../base/instants.ts";
import {
  claimDueStatement,
  endJobStatement,
  isMine,
  type JobClaim,
  type JobQueue,
  putBackJob,
  stillMineStatement,
} from "../base/job-queue.ts";
import { orNull, instant, rowReader, text } from "../base/rows.ts";
import {
  type ComplianceRow,
  mailDomains,
  postmasterConsents,
  postmasterDays,
  postmasterLogins,
} from "../schema/index.ts";

export type PostmasterLogin = typeof postmasterLogins.$inferSelect;
export type PostmasterDayRow = typeof postmasterDays.$inferSelect;
type ConsentRow = typeof postmasterConsents.$inferSelect;

const FETCHES: JobQueue<typeof postmasterLogins> = {
  table: postmasterLogins,
  fields: { key: ["domainId"], dueAt: "dueAt", claimToken: "claimToken", lease: "dueAt" },
  isOpen: sql`${postmasterLogins.state} <> 'consent_lost'`,
};

/** Opens a consent; one that was opened for the domain before is void. */
export async function openPostmasterConsent(db: Db, consent: ConsentRow, now: Date): Promise<void> {
  const { domainId, ...rest } = consent;
  await commit(db, [
    db
      .delete(postmasterConsents)
      .where(sql`${postmasterConsents.expiresAt} < ${instantParam(now)}`),
    db
      .insert(postmasterConsents)
      .values({ domainId, ...rest })
      .onConflictDoUpdate({ target: postmasterConsents.domainId, set: rest }),
  ]);
}

const readTaken = rowReader({
  domainId: text,
  domain: text,
  verifier: text,
  returnUrl: orNull(text),
  expiresAt: instant,
});
export type TakenPostmasterConsent = ReturnType<typeof readTaken>;

/** The consent of that state, which is gone by this. */
export async function takePostmasterConsent(
  db: Db,
  stateHash: string,
): Promise<TakenPostmasterConsent | undefined> {
  const { rows } = await db.execute(sql`
    with taken as (delete from postmaster_consents where state_hash = ${stateHash} returning *)
    select taken.*, d.domain from taken join mail_domains d on d.id = taken.domain_id`);
  return rows[0] && readTaken(rows[0]);
}

/** Connects the domain in the place of what it had; false where the domain has gone. */
export async function keepPostmasterLogin(
  db: Db,
  { domainId, token }: { domainId: string; token: string },
  now: Date,
): Promise<boolean> {
  const at = instantParam(now);
  const { rows } = await db.execute(sql`
    insert into postmaster_logins (domain_id, state, token, connected_at, due_at, attempts)
    select id, 'connected', ${token}, ${at}, ${at}, 0 from mail_domains where id = ${domainId}
    on conflict (domain_id) do update set state = 'connected', token = excluded.token, connected_at = excluded.connected_at,
      due_at = excluded.due_at, attempts = 0, claim_token = null, last_error = null, fetched_at = null
    returning domain_id`);
  return rows.length > 0;
}

/** Forgets the access. The figures that were read stay. */
export async function removePostmasterLogin(db: Db, domainId: string): Promise<boolean> {
  const [, gone] = await commit(db, [
    db.delete(postmasterConsents).where(eq(postmasterConsents.domainId, domainId)),
    db
      .delete(postmasterLogins)
      .where(eq(postmasterLogins.domainId, domainId))
      .returning({ domainId: postmasterLogins.domainId }),
  ]);
  return gone.length > 0;
}

export async function findPostmaster(
  db: Db,
  domainId: string,
  since: string,
): Promise<{ login: PostmasterLogin | undefined; days: PostmasterDayRow[] }> {
  const [[login], days] = await commit(db, [
    db.select().from(postmasterLogins).where(eq(postmasterLogins.domainId, domainId)),
    db
      .select()
      .from(postmasterDays)
      .where(and(eq(postmasterDays.domainId, domainId), gte(postmasterDays.day, since)))
      .orderBy(asc(postmasterDays.day)),
  ]);
  return { login, days };
}

/** The login that has been due longest, and its domain's name; of a workspace that is there. */
export async function claimPostmasterFetch(
  db: Db,
  claim: JobClaim,
): Promise<(PostmasterLogin & { domain: string }) | undefined> {
  const where = sql`exists (select 1 from mail_domains d join workspaces w on w.id = d.workspace_id
    where d.id = postmaster_logins.domain_id and w.deleted_at is null)`;
  const [login] = await claimDueStatement(db, FETCHES, claim, { limit: 1, where });
  if (login === undefined) return undefined;
  const [domain] = await db
    .select({ domain: mailDomains.domain })
    .from(mailDomains)
    .where(eq(mailDomains.id, login.domainId));
  return domain && { ...login, ...domain };
}

interface Who {
  id: string;
  token: string;
}

/** What was read; a figure of a day that is known already is replaced. Nothing (`isFenced`) where the claim does not stand. */
export async function endPostmasterFetch(
  db: Db,
  who: Who,
  read: {
    days: Omit<PostmasterDayRow, "domainId">[];
    compliance: ComplianceRow[] | null;
    /** A refresh token in the place of the old one, sealed. */
    token: string | null;
    now: Date;
    dueAt: Date;
  },
): Promise<void> {
  const days = read.days.map((day) => ({ ...day, domainId: who.id }));
  const newest = (column: string) => sql.raw(`excluded.${column}`);
  await commit(db, [
    stillMineStatement(db, FETCHES, who),
    ...(days.length === 0
      ? []
      : [
          db
            .insert(postmasterDays)
            .values(days)
            .onConflictDoUpdate({
              target: [postmasterDays.domainId, postmasterDays.day],
              set: {
                spam: newest("spam"),
                spf: newest("spf"),
                dkim: newest("dkim"),
                dmarc: newest("dmarc"),
                tls: newest("tls"),
                rejected: newest("rejected"),
                deferred: newest("deferred"),
                errors: newest("errors"),
              },
            }),
        ]),
    endJobStatement(db, FETCHES, who, {
      ...{ state: "connected", attempts: 0, lastError: null, fetchedAt: read.now },
      ...{ dueAt: read.dueAt, compliance: read.compliance },
      ...(read.token === null ? {} : { token: read.token }),
    }),
  ]);
}

/** Another try later. */
export const putOffPostmasterFetch = (
  db: Db,
  who: Who,
  set: Pick<PostmasterLogin, "state" | "attempts" | "lastError" | "dueAt">,
): Promise<boolean> => putBackJob(db, FETCHES, who, set);

/** Ends a login whose consent is lost, and owes its owner a notice. */
export async function losePostmasterLogin(
  db: Db,
  who: Who,
  error: string,
  now: Date,
): Promise<boolean> {
  const told = outboxRows(
    "postmaster_lost",
    sql`lost`,
    sql`'postmaster:' || domain_id || ':' || ${now.toISOString()}::text`,
    { domain_id: sql`domain_id`, domain_name: sql`domain`, why: sql`last_error` },
    now,
  );
  const { rows } = await db.execute<{ is_lost: boolean }>(sql`
    with ended as (
      update postmaster_logins set state = 'consent_lost', token = null, last_error = ${error}
      where ${isMine(FETCHES, who)} returning domain_id, last_error
    ), lost as (
      select d.workspace_id, d.domain, ended.* from ended join mail_domains d on d.id = ended.domain_id
    ), told as (${told})
    select exists (select 1 from ended) as is_lost`);
  return rows[0]!.is_lost;
}
