import { and, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { fenceStatement } from "../base/fence.ts";
import { instantParam } from "../base/instants.ts";
import { instant, integer, orNull, rowReader } from "../base/rows.ts";
import { generationBatches, generations } from "../schema/index.ts";
import { textArray } from "../base/text-array.ts";

export type Generation = typeof generations.$inferSelect;
export type { GenerationKind, GenerationStatus } from "../schema/index.ts";

const isOpen = inArray(generations.status, ["pending", "running"]);

/** As a condition of hand-written SQL it has to be the index's own words. */
export const OPEN_WORDS = "status in ('pending', 'running')";
export const OPEN = sql.raw(OPEN_WORDS);

export interface GenerationClaim {
  token: string;
  now: Date;
  /** The claim is believed until then. */
  until: Date;
}

const taken = ({ token, now, until }: GenerationClaim) => ({
  status: "running" as const,
  attempts: sql`${generations.attempts} + 1`,
  claimToken: token,
  dueAt: until,
  updatedAt: now,
});

/** What a message may do about its generation: nothing where it has ended, and nothing yet where somebody is at it. */
export type Claimed =
  | { kind: "claimed"; generation: Generation }
  | { kind: "waits"; generation: Generation }
  | { kind: "over" };

/** Takes one that is due, or was begun by somebody who must be dead. Of two at once one gets it. */
export async function claimGeneration(
  db: Db,
  id: string,
  claim: GenerationClaim,
): Promise<Claimed> {
  const [claimed] = await db
    .update(generations)
    .set(taken(claim))
    .where(and(eq(generations.id, id), isOpen, isDue(claim.now)))
    .returning();
  if (claimed !== undefined) return { kind: "claimed", generation: claimed };
  const [open] = await db
    .select()
    .from(generations)
    .where(and(eq(generations.id, id), isOpen));
  return open === undefined ? { kind: "over" } : { kind: "waits", generation: open };
}

/**
 * The same for whatever of a batch is due first, unless so many are at it already. Those that ask at once take turns at
 * the batch: in one statement each would count by what was true before the others took theirs.
 */
export async function claimNextGeneration(
  db: Db,
  batchId: string,
  claim: GenerationClaim,
  atMost: number,
): Promise<Generation | undefined> {
  const due = db.$with("due", { id: generations.id }).as(sql`
    select g.id from generations g
    where g.batch_id = ${batchId} and g.${OPEN} and g.due_at <= ${instantParam(claim.now)}
      and (${liveOf(batchId, claim.now)}) < ${atMost}
    order by g.due_at, g.lead_index limit 1 for update skip locked`);
  const [, [claimed]] = await commit(db, [
    db
      .select({ id: generationBatches.id })
      .from(generationBatches)
      .where(eq(generationBatches.id, batchId))
      .for("no key update"),
    db
      .with(due)
      .update(generations)
      .set(taken(claim))
      .from(due)
      .where(eq(generations.id, due.id))
      .returning(getTableColumns(generations)),
  ]);
  return claimed;
}

/** How many of a batch somebody is at: what is claimed is due when it is not believed any more. */
const liveOf = (batchId: string, now: Date): SQL => sql`
  select count(*)::int from generations at_work where at_work.batch_id = ${batchId} and at_work.${OPEN}
    and at_work.due_at > ${instantParam(now)} and at_work.status = 'running'`;

const readStand = rowReader({ live: integer, nextDueAt: orNull(instant) });

/** How many of a batch somebody is at, and when something of it is next to be done; null when all of it has ended. */
export async function standOf(
  db: Db,
  batchId: string,
  now: Date,
): Promise<ReturnType<typeof readStand>> {
  const { rows } = await db.execute(sql`
    select (${liveOf(batchId, now)}) as live, (
      select g.due_at from generations g where g.batch_id = ${batchId} and g.${OPEN} order by g.due_at limit 1) as next_due_at`);
  return readStand(rows[0]!);
}

const isDue = (now: Date): SQL => sql`${generations.dueAt} <= ${instantParam(now)}`;

type Claimant = { id: string; token: string };

/**
 * First in the transaction that ends a claimed generation: with it go its charge and what else follows, or nothing does.
 * A text is kept only of a lead that is there: it was deleted to be forgotten.
 */
export const stillClaimedStatement = (
  db: Db,
  { id, token }: Claimant,
  { isText }: { isText: boolean },
) =>
  fenceStatement(
    db,
    sql`select 1 from generations g where g.id = ${id} and g.claim_token = ${token} and g.status = 'running'
      and (not ${isText}::boolean or exists (select 1 from leads where leads.id = g.lead_id))`,
    1,
  );

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
  | ({ status: "generated"; usage: Generation["usage"] } & GenerationText)
  | { status: "failed" | "skipped" | "cancelled"; error: string; usage?: Generation["usage"] };

/** Behind `stillClaimedStatement`. */
export const endGenerationStatement = (db: Db, id: string, end: GenerationEnd, now: Date) =>
  db
    .update(generations)
    .set({
      ...end,
      claimToken: null,
      generatedAt: end.status === "generated" || end.status === "failed" ? now : null,
      updatedAt: now,
    })
    .where(eq(generations.id, id));

/** It is to be begun again, not before then. Nothing, where somebody else has taken it over. */
export async function putBackGeneration(
  db: Db,
  { id, token }: Claimant,
  { dueAt, error, now }: { dueAt: Date; error: string; now: Date },
): Promise<void> {
  await db
    .update(generations)
    .set({ status: "pending", dueAt, error, claimToken: null, updatedAt: now })
    .where(
      and(
        eq(generations.id, id),
        eq(generations.claimToken, token),
        eq(generations.status, "running"),
      ),
    );
}

/** Those of a batch that nobody has begun. */
export async function pendingOf(db: Db, batchId: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: generations.id })
    .from(generations)
    .where(and(eq(generations.batchId, batchId), eq(generations.status, "pending"), isOpen))
    .orderBy(generations.dueAt)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Those that are pending still. */
export const cancelGenerationsStatement = (db: Db, ids: readonly string[], now: Date) =>
  db
    .update(generations)
    .set({ status: "cancelled", updatedAt: now })
    .where(
      and(
        sql`${generations.id} = any(${textArray(ids)}::uuid[])`,
        eq(generations.status, "pending"),
      ),
    );

/** What is open and should long have been done, of no batch: its message was lost. */
export async function overdueSendTimeGenerations(
  db: Db,
  before: Date,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .select({ id: generations.id })
    .from(generations)
    .where(
      and(
        eq(generations.kind, "send_time"),
        isOpen,
        sql`${generations.dueAt} < ${instantParam(before)}`,
      ),
    )
    .orderBy(generations.dueAt)
    .limit(limit);
  return rows.map(({ id }) => id);
}
