import { and, eq, type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import {
  type Claimant,
  claimDueStatement,
  endJobStatement,
  type JobClaim,
  type JobQueue,
  overdueJobs,
  WORK_ROW,
} from "../base/job-queue.ts";
import { instant, integer, orNull, rowReader } from "../base/rows.ts";
import { generationBatches, generations } from "../schema/index.ts";
import { uuidArray } from "../base/text-array.ts";

export type Generation = typeof generations.$inferSelect;
export type { GenerationKind, GenerationStatus } from "../schema/index.ts";

/** Must equal the condition of the partial indexes, or the planner does not use them. */
export const OPEN_WORDS = "status in ('pending', 'running')";
export const OPEN = sql.raw(OPEN_WORDS);
const isOpen = sql`${generations}.${OPEN}`;

/** Open texts, of all workspaces. */
export const GENERATIONS: JobQueue<typeof generations> = {
  table: generations,
  fields: WORK_ROW,
  isOpen,
  begun: (now) => ({
    status: "running",
    attempts: sql`${generations.attempts} + 1`,
    updatedAt: now,
  }),
};

/**
 * Claims the batch's generation that is due first, unless so many workers hold some already. The batch's row lock
 * serialises claims: without it, concurrent ones would not count each other.
 */
export async function claimNextGeneration(
  db: Db,
  batchId: string,
  claim: JobClaim,
  atMost: number,
): Promise<Generation | undefined> {
  const [, [claimed]] = await commit(db, [
    db
      .select({ id: generationBatches.id })
      .from(generationBatches)
      .where(eq(generationBatches.id, batchId))
      .for("no key update"),
    claimDueStatement(db, GENERATIONS, claim, {
      where: sql`${generations.batchId} = ${batchId} and (${liveOf(batchId, claim.now)}) < ${atMost}`,
      thenBy: generations.leadIndex,
      limit: 1,
    }),
  ]);
  return claimed;
}

/** How many generations of a batch a worker holds: `due_at` of a claimed one is the end of its lease. */
const liveOf = (batchId: string, now: Date): SQL => sql`
  select count(*)::int from generations at_work where at_work.batch_id = ${batchId} and at_work.${OPEN}
    and at_work.due_at > ${instantParam(now)} and at_work.status = 'running'`;

const readStand = rowReader({ live: integer, nextDueAt: orNull(instant) });

/** How many generations of a batch a worker holds, and when the next is due; null when all have ended. */
export async function progressOfBatch(
  db: Db,
  batchId: string,
  now: Date,
): Promise<ReturnType<typeof readStand>> {
  const { rows } = await db.execute(sql`
    select (${liveOf(batchId, now)}) as live, (
      select g.due_at from generations g where g.batch_id = ${batchId} and g.${OPEN} order by g.due_at limit 1) as next_due_at`);
  return readStand(rows[0]!);
}

/** A text is kept only of a lead that is there: it was deleted to be forgotten. */
export const leadIsThere = sql`exists (select 1 from leads where leads.id = ${generations.leadId})`;

/** The columns of a text; all of them are known once it is there. */
export type GenerationText = Pick<
  Generation,
  | "subject"
  | "body"
  | "variantLabel"
  | "templateId"
  | "senderProfileId"
  | "model"
  | "latencyMs"
  | "promptVersionHash"
  | "leadIdentityFingerprint"
  | "stepConfigFingerprint"
  | "researchFingerprint"
  | "draftHash"
  | "promptSnapshot"
  | "commonality"
  | "claims"
  | "sources"
  | "leadSnapshot"
>;

export type GenerationEnd =
  | ({ status: "generated" } & Pick<Generation, "usage" | "heldReason"> & GenerationText)
  | { status: "failed" | "skipped" | "cancelled"; error: string; usage?: Generation["usage"] };

/** Behind `stillMineStatement`. */
export const endGenerationStatement = (db: Db, who: Claimant, end: GenerationEnd, now: Date) =>
  endJobStatement(db, GENERATIONS, who, {
    ...end,
    generatedAt: end.status === "generated" || end.status === "failed" ? now : null,
    updatedAt: now,
  });

/** Generations of a batch that no worker has begun. */
export async function pendingOf(db: Db, batchId: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: generations.id })
    .from(generations)
    .where(and(eq(generations.batchId, batchId), eq(generations.status, "pending"), isOpen))
    .orderBy(generations.dueAt)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Cancels the generations that are still pending. */
export const cancelGenerationsStatement = (db: Db, ids: readonly string[], now: Date) =>
  db
    .update(generations)
    .set({ status: "cancelled", updatedAt: now })
    .where(and(sql`${generations.id} = any(${uuidArray(ids)})`, eq(generations.status, "pending")));

/** Open generations without a batch that are long overdue: their queue message was lost. */
export const overdueSendTimeGenerations = (db: Db, before: Date, limit: number) =>
  overdueJobs(db, GENERATIONS, before, limit, eq(generations.kind, "send_time"));
