import { and, asc, eq, gt, type SQL, sql } from "drizzle-orm";
import { changedAt } from "../base/revisions.ts";
import { commit, type Db } from "../base/client.ts";
import { lockDatasetStatement, newColumnsSql } from "./datasets.ts";
import { followTimeZones } from "../engine/index.ts";
import { forgetDrafts } from "../base/fragments/forget-drafts.ts";
import { instantParam } from "../base/instants.ts";
import type { NewOwned } from "../base/owned.ts";
import { type DatasetColumn, LEAD_TEXTS, type LeadText, leads } from "../schema/index.ts";
import { leadEnd } from "../base/fragments/lead-end.ts";

export type LeadRow = typeof leads.$inferSelect;

/** A lead's own fields; identity and order are the dataset's. */
export type LeadContent = Pick<LeadRow, "email" | "emailKey" | LeadText | "tags" | "custom"> & {
  /** The address, or else the profile: unique in a dataset. */
  identityKey: string;
};

const inDataset = (workspaceId: string, datasetId: string) =>
  and(eq(leads.workspaceId, workspaceId), eq(leads.datasetId, datasetId)) as SQL;

/**
 * In row order; `after` is the row index after which the page begins. The owner is asked of the
 * dataset: with the workspace as a condition on leads too, Postgres reads the whole workspace for each
 * page of a dataset that is not yet analysed (export of 250,000 fresh leads: 34.6 s against 6.9 s,
 * test/bench/import-memory.ts).
 */
export async function listLeads(
  db: Db,
  workspaceId: string,
  datasetId: string,
  { after, limit }: { after: number; limit: number },
): Promise<LeadRow[]> {
  return db
    .select()
    .from(leads)
    .where(
      and(
        sql`${leads.datasetId} = (
          select id from datasets where id = ${datasetId} and workspace_id = ${workspaceId} and deleted_at is null)`,
        gt(leads.rowIndex, after),
      ),
    )
    .orderBy(asc(leads.rowIndex))
    .limit(limit);
}

export async function getLead(
  db: Db,
  workspaceId: string,
  datasetId: string,
  id: string,
): Promise<LeadRow | undefined> {
  const [row] = await db
    .select()
    .from(leads)
    .where(and(inDataset(workspaceId, datasetId), eq(leads.id, id)));
  return row;
}

/** A lead of any dataset. */
export async function findLead(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<LeadRow | undefined> {
  const [row] = await db
    .select()
    .from(leads)
    .where(and(eq(leads.workspaceId, workspaceId), eq(leads.id, id)));
  return row;
}

/** The lead of a dataset that has this identity, for the message of a conflict. */
export async function findLeadByIdentity(
  db: Db,
  workspaceId: string,
  datasetId: string,
  identityKey: string,
): Promise<string | undefined> {
  const [row] = await db
    .select({ id: leads.id })
    .from(leads)
    .where(and(inDataset(workspaceId, datasetId), eq(leads.identityKey, identityKey)));
  return row?.id;
}

/** Every key that any lead of the dataset has in `custom`, sorted. */
export async function customKeys(
  db: Db,
  workspaceId: string,
  datasetId: string,
): Promise<string[]> {
  const { rows } = await db.execute<{ key: string }>(sql`
    select distinct key from leads, jsonb_object_keys(custom) as key
    where workspace_id = ${workspaceId} and dataset_id = ${datasetId} order by key`);
  return rows.map(({ key }) => key);
}

/** Behind the last row. Undefined when the dataset is gone; a taken identity is a unique violation of `leads_identity`. */
export async function insertLead(
  db: Db,
  owner: NewOwned,
  datasetId: string,
  lead: LeadContent,
  columns: DatasetColumn[],
): Promise<LeadRow | undefined> {
  const now = instantParam(owner.now);
  const texts = sql.join(
    LEAD_TEXTS.map(({ key }) => sql`${lead[key]}`),
    sql`, `,
  );
  const [, , rows] = await commit(db, [
    lockDatasetStatement(db, owner.workspaceId, datasetId),
    db.execute(sql`
      update datasets d
      set row_count = d.row_count + 1, columns = d.columns || ${newColumnsSql(columns)}, updated_at = ${now},
          last_row_index = 1 + greatest(d.last_row_index, (select max(row_index) from leads where dataset_id = d.id))
      where d.id = ${datasetId} and d.workspace_id = ${owner.workspaceId} and d.deleted_at is null`),
    db
      .insert(leads)
      .select(
        sql`select ${owner.id}::uuid, ${owner.workspaceId}::uuid, ${owner.userId}::uuid, ${now}, ${now}, d.id,
          d.last_row_index, ${lead.email}, ${lead.emailKey}, ${lead.identityKey}, ${texts},
          array(select jsonb_array_elements_text(${JSON.stringify(lead.tags)}::jsonb)), ${JSON.stringify(lead.custom)}::jsonb,
          null::jsonb
        from datasets d
        where d.id = ${datasetId} and d.workspace_id = ${owner.workspaceId} and d.deleted_at is null`,
      )
      .returning(),
  ]);
  return rows[0];
}

/** Its campaigns follow its time zone. Undefined when there is none, or when it changed after it was read. */
export async function updateLead(
  db: Db,
  row: Pick<LeadRow, "id" | "workspaceId" | "datasetId" | "updatedAt" | "timezone">,
  lead: LeadContent,
  now: Date,
): Promise<LeadRow | undefined> {
  const update = db
    .update(leads)
    .set({
      ...lead,
      updatedAt: changedAt(sql`${leads.updatedAt}`, now),
      // What is known is known of an address.
      verification: sql`case when ${leads.emailKey} is not distinct from ${lead.emailKey} then ${leads.verification} end`,
    })
    .where(
      and(
        inDataset(row.workspaceId, row.datasetId),
        eq(leads.id, row.id),
        eq(leads.updatedAt, row.updatedAt),
      ),
    )
    .returning();
  const follow =
    lead.timezone === row.timezone ? [] : followTimeZones(db, sql`lead.id = ${row.id}`, now);
  const [rows] = await commit(db, [update, ...follow]);
  return rows[0];
}

/** Deletes the lead and stops it in every campaign. False when there is none. */
export async function deleteLead(
  db: Db,
  workspaceId: string,
  datasetId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const at = instantParam(now);
  const [, result] = await commit(db, [
    lockDatasetStatement(db, workspaceId, datasetId),
    db.execute(sql`
      with gone as (
        delete from leads where workspace_id = ${workspaceId} and dataset_id = ${datasetId} and id = ${id}
        returning id, dataset_id, row_index
      ), forgotten as (
        delete from row_research r using gone
        where r.dataset_id = gone.dataset_id and r.row_index = gone.row_index
      ), forgotten_drafts as (${forgetDrafts(sql`select id from gone`)}
      ), stopped as (
        update campaign_leads l
        set ${leadEnd({ status: "stopped", stopReason: "lead_deleted" }, now)}
        from gone where l.lead_id = gone.id and l.workspace_id = ${workspaceId} and l.status in ('pending', 'active')
      ), counted as (
        update datasets d set row_count = d.row_count - 1, updated_at = ${at} from gone where d.id = gone.dataset_id
      )
      select id from gone`),
  ]);
  return result.rows.length > 0;
}
