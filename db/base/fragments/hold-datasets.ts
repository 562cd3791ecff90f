import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "../client.ts";
import { uuidArray } from "../text-array.ts";

/**
 * First in a transaction that makes something of leads, and a statement of its own: an erasure that is being committed
 * is waited for, and the next statement reads what it left. `datasets` selects their ids.
 */
export const holdDatasets = (db: Db, datasets: SQL): Statement =>
  db.execute(sql`
    select d.id from datasets d where d.id = any(array(${datasets})) order by d.id for key share`);

export const holdDatasetsOf = (
  db: Db,
  workspaceId: string,
  leadIds: readonly string[],
): Statement =>
  holdDatasets(
    db,
    sql`select l.dataset_id from leads l where l.workspace_id = ${workspaceId} and l.id = any(${uuidArray(leadIds)})`,
  );
