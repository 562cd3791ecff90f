import { isMoving } from "#db/base/moving.ts";
import { AppError } from "#src/errors.ts";

const RETRY_SECONDS = 15;

/** Where a workspace is, as its row says. */
export interface Residence {
  frozenAt: Date | null;
  cell: string | null;
}

const moving = (): AppError =>
  new AppError(
    "unavailable",
    "WORKSPACE_MOVING",
    "This workspace is being moved to other servers, which takes about a minute; nothing of this request was done.",
    { retryAfter: RETRY_SECONDS },
  );

/** Lets through who works in a workspace that is in use here. */
export function requireResident({ frozenAt, cell }: Residence): void {
  if (frozenAt !== null) throw moving();
  if (cell === null) return;
  throw new AppError(
    "unavailable",
    "WORKSPACE_MOVED",
    `This workspace lives in the cell ${cell} of this service; nothing of this request was done.`,
    { retryAfter: RETRY_SECONDS, detail: { cell } },
  );
}

/** What the caller is told of an error: that its workspace is being moved, where the database refused the change for that. */
export const toldOf = (error: unknown): unknown => (isMoving(error) ? moving() : error);
