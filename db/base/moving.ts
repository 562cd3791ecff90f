import { type SQL, sql } from "drizzle-orm";
import { driverError } from "./client.ts";

/** SQLSTATE of a change that the fence of a workspace refuses while it is moved (`db/workspace/moving/fence.ts`). */
export const MOVING = "OV503";

/**
 * That the workspace lives in this cell, and is not being moved. A statement that inserts rows of all workspaces passes
 * over the others: one of theirs would fail it for everybody.
 */
export const isInUseHere = (workspaceId: SQL): SQL =>
  sql`exists (select from workspaces here where here.id = ${workspaceId} and here.frozen_at is null and here.cell is null)`;

/**
 * Frozen because it comes, not because it goes: the entry that it left here still names a cell. Never so of one that goes
 * (`freeze`), so that a command that is given the two databases the wrong way round is told by either. Of a workspace called `w`.
 */
export const isArriving = sql`(w.frozen_at is not null and (w.cell is null or coalesce(w.arrived_at = w.frozen_at, false)))`;

export const isMoving = (error: unknown): boolean => driverError(error)?.code === MOVING;

/** A lock was not to be had in time, or was given up to end a deadlock: nothing took effect. */
export const isLockLost = (error: unknown): boolean =>
  ["55P03", "40P01"].includes(driverError(error)?.code ?? "");
