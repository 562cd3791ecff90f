import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { type JobQueue, WORK_ROW } from "../base/job-queue.ts";
import { type NewOwned, newRow, ownedBy } from "../base/owned.ts";
import { verificationJobs } from "../schema/index.ts";

export type VerificationJob = typeof verificationJobs.$inferSelect;

/** In the words of its indexes. */
const isOpen = sql`${verificationJobs.status} in ('pending', 'running')`;

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

/** Open jobs, of all workspaces. */
export const VERIFICATION_JOBS: JobQueue<typeof verificationJobs> = {
  table: verificationJobs,
  fields: WORK_ROW,
  isOpen,
  begun: (now) => ({
    status: "running",
    attempts: sql`${verificationJobs.attempts} + 1`,
    updatedAt: now,
  }),
};
