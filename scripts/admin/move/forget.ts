import { findWorkspaces, type WorkspaceOverview } from "#db/access/operator.ts";
import type { Db } from "#db/base/client.ts";
import { eraseEntry } from "#db/workspace/moving/state.ts";
import { openDatabase } from "../database.ts";
import { Refusal } from "../refusal.ts";

/** Has the entry erased that a workspace left here which moved away, once its erasure has begun where it lives. */
export async function forgetMoved(
  db: Db,
  { id, cell, frozenAt }: WorkspaceOverview,
  now: Date,
  env: Record<string, string | undefined>,
): Promise<string> {
  if (cell === null || frozenAt !== null) throw new Refusal(`${id} does not live in another cell.`);
  const url = env[`CELL_${cell.toUpperCase()}_DATABASE_URL`];
  if (!url)
    throw new Refusal(`Set CELL_${cell.toUpperCase()}_DATABASE_URL to the database of ${cell}.`);
  const there = await openDatabase(url);
  const [living] = await findWorkspaces(there.db, { id }).finally(there.close);
  if (living?.isBeingErased !== true) throw new Refusal(`${id} is not erased in ${cell}.`);
  await eraseEntry(db, id, now);
  return `${id} is erased here too, by the next full check.`;
}
