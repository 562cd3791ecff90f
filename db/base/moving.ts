import { driverError } from "./client.ts";

/** SQLSTATE of a change that the fence of a workspace refuses while it is moved (`db/workspace/moving/fence.ts`). */
export const MOVING = "OV503";

export const isMoving = (error: unknown): boolean => driverError(error)?.code === MOVING;

/** A lock was not to be had in time, or was given up to end a deadlock: nothing took effect. */
export const isLockLost = (error: unknown): boolean =>
  ["55P03", "40P01"].includes(driverError(error)?.code ?? "");
