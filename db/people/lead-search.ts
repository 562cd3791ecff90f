import { and, eq, exists, inArray, isNull, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { isCalled } from "../base/fragments/lead-words.ts";
import { containing } from "../base/patterns.ts";
import { integer, rowReader, text } from "../base/rows.ts";
import { datasets, leads } from "../schema/index.ts";
import type { LeadRow } from "./leads.ts";

/** A place in the order of all datasets and their rows. */
export interface LeadsPlace {
  datasetId: string;
  rowIndex: number;
}

/** So many leads are looked at for a page of those with a part of a text. */
export const LEADS_LOOKED_AT = 50_000;

const byPlace = (a: LeadsPlace, b: LeadsPlace) =>
  a.datasetId === b.datasetId ? a.rowIndex - b.rowIndex : a.datasetId < b.datasetId ? -1 : 1;

/** All of a workspace that have this address, at most one of each dataset. */
export async function leadsByAddress(db: Db, workspaceId: string, key: string): Promise<LeadRow[]> {
  const isKept = db
    .select({ one: sql`1` })
    .from(datasets)
    .where(and(eq(datasets.id, leads.datasetId), isNull(datasets.deletedAt)));
  const rows = await db
    .select()
    .from(leads)
    .where(and(eq(leads.workspaceId, workspaceId), eq(leads.emailKey, key), exists(isKept)));
  return rows.sort(byPlace);
}

const readLooked = rowReader({ id: text, datasetId: text, rowIndex: integer });

/**
 * One more than `limit` of those whose address, name or company contains `part`. `reached` is the last lead that was
 * looked at where more come behind it.
 */
export async function searchLeads(
  db: Db,
  workspaceId: string,
  { part, after, limit }: { part: string; after: LeadsPlace | undefined; limit: number },
  lookedAt = LEADS_LOOKED_AT,
): Promise<{ rows: LeadRow[]; reached: LeadsPlace | null }> {
  const pattern = containing(part);
  const behind = sql`case when d.id = ${after?.datasetId ?? null}::uuid then ${after?.rowIndex ?? -1}::int else -1 end`;
  // By each dataset's index of rows: leads have none by workspace and place.
  const { rows: found } = await db.execute(sql`
    with looked as (
      select l.id, l.dataset_id, l.row_index, l.email ilike ${pattern} or ${isCalled(pattern)} as is_meant
      from datasets d
      cross join lateral (
        select id, dataset_id, row_index, email, full_name, first_name, last_name, company from leads
        where dataset_id = d.id and row_index > ${behind} order by row_index limit ${lookedAt + 1}
      ) l
      where d.workspace_id = ${workspaceId} and d.deleted_at is null
        and (${after?.datasetId ?? null}::uuid is null or d.id >= ${after?.datasetId ?? null}::uuid)
      order by d.id, l.row_index limit ${lookedAt + 1}
    ), numbered as (
      select *, row_number() over (order by dataset_id, row_index) as n from looked
    )
    (select id, dataset_id, row_index, n from numbered where is_meant and n <= ${lookedAt} order by n limit ${limit + 1})
    union all
    -- The last one looked at, where there is one behind it.
    (select null::uuid, dataset_id, row_index, n from numbered
     where n = ${lookedAt} and exists (select from numbered where n > ${lookedAt}))`);
  const meant = found.filter(({ id }) => id !== null).map(readLooked);
  const end = found.find(({ id }) => id === null);
  const reached =
    end === undefined
      ? null
      : { datasetId: end["dataset_id"] as string, rowIndex: Number(end["row_index"]) };
  if (meant.length === 0) return { rows: [], reached };
  const ids = meant.map(({ id }) => id);
  const rows = await db.select().from(leads).where(inArray(leads.id, ids));
  return { rows: rows.sort(byPlace), reached };
}
