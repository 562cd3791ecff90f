import type { Deletion } from "#db/base/fragments/uses.ts";
import type { Db } from "#db/base/client.ts";
import type { NewOwned } from "#db/base/owned.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { conflict, notFound } from "#src/errors.ts";

export type { Part } from "#db/base/part.ts";

/** What the verbs of records have in common: get one or 404, delete one unless it is used, change one as it was read. */

export const newOwned = (
  deps: Pick<Deps, "clock" | "ids">,
  { workspaceId, userId }: Pick<Principal, "workspaceId" | "userId">,
): NewOwned => ({
  id: deps.ids.uuid(),
  workspaceId,
  userId,
  now: deps.clock.now(),
});

export function requireFound<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw notFound(what);
  return row;
}

/** The verb of the database with the asker's workspace filled in. */
export const inWorkspace =
  <Args extends unknown[], Result>(verb: (db: Db, workspaceId: string, ...args: Args) => Result) =>
  ({ db }: Deps, { workspaceId }: Principal, ...args: Args): Result =>
    verb(db, workspaceId, ...args);

type OfRecord<Result> = (db: Db, workspaceId: string, id: string, now: Date) => Promise<Result>;

/** The verb that gets a record of the workspace, or throws a 404 that says what is missing. */
export const requires =
  <Row>(what: string, get: OfRecord<Row | undefined>) =>
  async ({ db, clock }: Deps, { workspaceId }: Principal, id: string): Promise<Row> =>
    requireFound(await get(db, workspaceId, id, clock.now()), what);

/** The verb that deletes a record: 409 IN_USE with the campaigns under way that use it, or 404. */
export const removes =
  (what: string, why: string, remove: OfRecord<Deletion>) =>
  async ({ db, clock }: Deps, { workspaceId }: Principal, id: string): Promise<void> => {
    const { deleted, usedBy } = await remove(db, workspaceId, id, clock.now());
    if (deleted) return;
    if (usedBy.length === 0) throw notFound(what);
    throw conflict("IN_USE", why, { detail: { campaign_ids: usedBy } });
  };

/** Ten changes of one record at once all get through: each try that fails is another's that did not. */
const MAX_TRIES = 10;

/** Repeats a read and conditional write until no other request changed the row between (`undefined`); 409 after too many tries. */
export async function retryWhileChanged<Row>(
  attempt: () => Promise<Row | undefined>,
  code: string,
  message: string,
): Promise<Row> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const changed = await attempt();
    if (changed !== undefined) return changed;
  }
  throw conflict(code, message);
}
