import { and, eq, inArray, lt, sql } from "drizzle-orm";
import { CHECK_VIOLATION, type Db, violates } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { type NewOwned, newRow, ownedBy } from "../base/owned.ts";
import { type VerificationVerdict, verificationJobs } from "../schema/index.ts";

export type VerificationJob = typeof verificationJobs.$inferSelect;

const isOpen = inArray(verificationJobs.status, ["pending", "running"]);

/** A unique violation of `verification_jobs_open` where the workspace asks about the address already. */
export const insertVerificationJobStatement = (
  db: Db,
  owner: NewOwned,
  order: { email: string; force: boolean },
) =>
  db
    .insert(verificationJobs)
    .values({ ...newRow(owner), ...order, status: "pending", attempts: 0, dueAt: owner.now })
    .returning();

export async function findOpenVerificationJob(
  db: Db,
  workspaceId: string,
  email: string,
): Promise<VerificationJob | undefined> {
  const [row] = await db
    .select()
    .from(verificationJobs)
    .where(
      and(eq(verificationJobs.workspaceId, workspaceId), eq(verificationJobs.email, email), isOpen),
    );
  return row;
}

export async function getVerificationJob(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<VerificationJob | undefined> {
  const [row] = await db
    .select()
    .from(verificationJobs)
    .where(ownedBy(verificationJobs, workspaceId, id));
  return row;
}

/** Begins a job, or begins it again when whoever did is dead: `due` is false while that is not sure. */
export async function beginVerificationJob(
  db: Db,
  id: string,
  { now, until }: { now: Date; until: Date },
): Promise<{ due: boolean; job: VerificationJob } | undefined> {
  const [begun] = await db
    .update(verificationJobs)
    .set({
      status: "running",
      attempts: sql`${verificationJobs.attempts} + 1`,
      dueAt: until,
      updatedAt: now,
    })
    .where(
      and(
        eq(verificationJobs.id, id),
        isOpen,
        sql`${verificationJobs.dueAt} <= ${instantParam(now)}`,
      ),
    )
    .returning();
  if (begun !== undefined) return { due: true, job: begun };
  const [open] = await db
    .select()
    .from(verificationJobs)
    .where(and(eq(verificationJobs.id, id), isOpen));
  return open === undefined ? undefined : { due: false, job: open };
}

/** As it was begun: who was overtaken ends nothing. */
const asBegun = ({ id, attempts }: Pick<VerificationJob, "id" | "attempts">) =>
  and(
    eq(verificationJobs.id, id),
    eq(verificationJobs.attempts, attempts),
    eq(verificationJobs.status, "running"),
  );

/** Fails where the job was begun again meanwhile (`isJobOvertaken`), so that no verdict is charged that is not kept. */
export const endVerificationJobStatement = (
  db: Db,
  job: Pick<VerificationJob, "id" | "attempts">,
  end:
    | { status: "completed"; verdict: VerificationVerdict; now: Date }
    | { status: "failed"; error: string; now: Date },
) => {
  const { now, status, ...set } = end;
  const ended = sql`case when ${asBegun(job)} then ${status} else 'overtaken' end`;
  return db
    .update(verificationJobs)
    .set({ ...set, status: ended, updatedAt: now })
    .where(eq(verificationJobs.id, job.id))
    .returning({ id: verificationJobs.id });
};

export const isJobOvertaken = (error: unknown): boolean =>
  violates(error, CHECK_VIOLATION, "verification_jobs_status");

/** It is to be begun again, not before then. */
export async function putBackVerificationJob(
  db: Db,
  job: Pick<VerificationJob, "id" | "attempts">,
  dueAt: Date,
): Promise<void> {
  await db.update(verificationJobs).set({ status: "pending", dueAt }).where(asBegun(job));
}

/** Open, and long due: the queue's message was lost. */
export async function overdueVerificationJobs(
  db: Db,
  before: Date,
  limit: number,
): Promise<VerificationJob[]> {
  return db
    .select()
    .from(verificationJobs)
    .where(and(isOpen, lt(verificationJobs.dueAt, before)))
    .limit(limit);
}

export async function dropOldVerificationJobs(db: Db, before: Date): Promise<void> {
  await db
    .delete(verificationJobs)
    .where(
      and(
        lt(verificationJobs.createdAt, before),
        inArray(verificationJobs.status, ["completed", "failed"]),
      ),
    );
}
