import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { ALL, isAbove } from "../base/part.ts";
import { agentConfirmations, type ConfirmationStatus } from "../schema/index.ts";

export type ConfirmationRow = typeof agentConfirmations.$inferSelect;
type NewConfirmation = Omit<typeof agentConfirmations.$inferInsert, "status" | "decidedBy">;

/** A question that waits for a person; undefined where the workspace has `most` of them. */
export async function insertWaiting(
  db: Db,
  question: NewConfirmation,
  most: number,
): Promise<ConfirmationRow | undefined> {
  const { workspaceId, createdAt } = question;
  const [{ waiting } = { waiting: 0 }] = await db
    .select({ waiting: sql<number>`count(*)::int` })
    .from(agentConfirmations)
    .where(isWaiting(workspaceId, createdAt));
  if (waiting >= most) return undefined;
  const [row] = await db
    .insert(agentConfirmations)
    .values({ ...question, status: "waiting" })
    .returning();
  return row;
}

const isWaiting = (workspaceId: string, now: Date) =>
  and(
    eq(agentConfirmations.workspaceId, workspaceId),
    eq(agentConfirmations.status, "waiting"),
    gt(agentConfirmations.expiresAt, now),
  );

/** The question of that digest which a person was asked already, answered with yes or not yet. */
export async function findAsked(
  db: Db,
  workspaceId: string,
  digest: string,
  now: Date,
): Promise<ConfirmationRow | undefined> {
  const [row] = await db
    .select()
    .from(agentConfirmations)
    .where(
      and(
        eq(agentConfirmations.workspaceId, workspaceId),
        eq(agentConfirmations.digest, digest),
        sql`${agentConfirmations.status} in ('waiting', 'approved')`,
        gt(agentConfirmations.expiresAt, now),
      ),
    )
    .limit(1);
  return row;
}

/** Spends a token that no person is asked about; false where it was spent before. */
export async function spend(db: Db, token: NewConfirmation): Promise<boolean> {
  const rows = await db
    .insert(agentConfirmations)
    .values({ ...token, status: "spent" })
    .onConflictDoNothing()
    .returning({ id: agentConfirmations.id });
  return rows.length > 0;
}

/** Spends what a person approved, once; false where none did, or it was spent. */
export async function spendApproved(
  db: Db,
  { workspaceId, id, now }: { workspaceId: string; id: string; now: Date },
): Promise<boolean> {
  const rows = await db
    .update(agentConfirmations)
    .set({ status: "spent" })
    .where(
      and(
        eq(agentConfirmations.id, id),
        eq(agentConfirmations.workspaceId, workspaceId),
        eq(agentConfirmations.status, "approved"),
        gt(agentConfirmations.expiresAt, now),
      ),
    )
    .returning({ id: agentConfirmations.id });
  return rows.length > 0;
}

export async function findConfirmation(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<ConfirmationRow | undefined> {
  const [row] = await db
    .select()
    .from(agentConfirmations)
    .where(and(eq(agentConfirmations.workspaceId, workspaceId), eq(agentConfirmations.id, id)));
  return row;
}

/** Those that wait for a person, the oldest first. */
export const listWaiting = (
  db: Db,
  workspaceId: string,
  now: Date,
  part = ALL,
): Promise<ConfirmationRow[]> =>
  db
    .select()
    .from(agentConfirmations)
    .where(and(isWaiting(workspaceId, now), isAbove(agentConfirmations.id, part)))
    .orderBy(asc(agentConfirmations.id))
    .limit(part.limit);

/** A person's answer to a question that waits; undefined where none does any more. */
export async function decide(
  db: Db,
  { workspaceId, id, now }: { workspaceId: string; id: string; now: Date },
  status: Extract<ConfirmationStatus, "approved" | "declined">,
  decidedBy: string,
): Promise<ConfirmationRow | undefined> {
  const [row] = await db
    .update(agentConfirmations)
    .set({ status, decidedBy })
    .where(and(isWaiting(workspaceId, now), eq(agentConfirmations.id, id)))
    .returning();
  return row;
}
