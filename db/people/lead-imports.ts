import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "../base/client.ts";
import { lockDatasetStatement, newColumnsSql } from "./datasets.ts";
import { followTimeZones } from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { newIdAt } from "../base/new-id.ts";
import { integer, rowReader, typed } from "../base/rows.ts";
import { isErased } from "../base/fragments/suppression-reason.ts";
import type { LeadContent } from "./leads.ts";
import {
  type ColumnMapping,
  type DatasetColumn,
  type DatasetSource,
  LEAD_TEXTS,
  leadImportChunks,
} from "../schema/index.ts";

export interface ImportChunk {
  importId: string;
  chunk: number;
  datasetId: string;
  now: Date;
}

/** A lead with its place in the file. */
export interface StagedLead {
  place: number;
  lead: LeadContent;
}

/** Puts aside a piece of an import, out of everybody's sight. */
export async function stageLeads(
  db: Db,
  { now, ...chunk }: ImportChunk,
  leads: readonly StagedLead[],
): Promise<void> {
  await db
    .insert(leadImportChunks)
    .values({ ...chunk, stagedAt: now, rows: sql`${stagedJson(leads)}::jsonb` });
}

/** The rows as `jsonb_to_recordset` will read them. */
export const stagedJson = (leads: readonly StagedLead[]): string =>
  JSON.stringify(leads.map(stagedRow));

function stagedRow({ place, lead }: StagedLead): Record<string, unknown> {
  const { email, emailKey: email_key, identityKey: identity_key, tags, custom } = lead;
  const row: Record<string, unknown> = { place, email, email_key, identity_key, tags, custom };
  for (const { key, name } of LEAD_TEXTS) row[name] = lead[key];
  return row;
}

export async function dropStagedLeads(db: Db, importId: string): Promise<void> {
  await db.delete(leadImportChunks).where(eq(leadImportChunks.importId, importId));
}

/** Deletes the staged rows of imports that never ended; safe at any time, a running import is younger. */
export async function dropStaleImports(db: Db, before: Date): Promise<void> {
  await db.delete(leadImportChunks).where(lt(leadImportChunks.stagedAt, before));
}

export interface ImportTakeover {
  importId: string;
  workspaceId: string;
  userId: string;
  datasetId: string;
  /** Chunks that were staged: fewer in the table, and nothing is taken over. */
  chunks: number;
  columns: DatasetColumn[];
  mapping: ColumnMapping;
  source: DatasetSource;
  /** The sheet's; null for what comes from elsewhere. */
  sourceUrl: string | null;
  now: Date;
  /** What belongs to the takeover and is done last in it, by how many leads were created. */
  besides?: ((created: SQL) => Statement[]) | undefined;
}

/** Says how many were created to the statements behind, until the end of the transaction. */
const SAID = "overture.created";
const CREATED = sql`coalesce(nullif(current_setting(${SAID}, true), ''), '0')::int`;

export type ImportCounts = ReturnType<typeof readCounts>;
const readCounts = rowReader({
  created: integer,
  updated: integer,
  /** Rows whose identity an earlier row of the same import has. */
  duplicate: integer,
  /** Rows of people that the workspace has erased, by their place. */
  erased: typed<number[]>(),
});

/**
 * Takes over everything that was staged, or nothing: new leads behind those
 * there are, in the order of the file; known ones changed where the file has a
 * value, never blanked; their campaigns follow their time zones. The dataset's
 * lock comes first, so two imports of one file follow each other. Null when the dataset is gone or a chunk is missing.
 */
export async function takeOverImport(db: Db, order: ImportTakeover): Promise<ImportCounts | null> {
  const { importId, workspaceId, datasetId } = order;
  const [, taken] = await commit(db, [
    lockDatasetStatement(db, workspaceId, datasetId),
    db.execute(takeOverSql(order)),
    ...followTimeZones(
      db,
      sql`lead.dataset_id = ${datasetId} and lead.updated_at = ${instantParam(order.now)} and lead.created_at < lead.updated_at
        and lead.identity_key = any(array(
          select r ->> 'identity_key' from lead_import_chunks c, jsonb_array_elements(c.rows) r where c.import_id = ${importId}))`,
      order.now,
    ),
    db
      .delete(leadImportChunks)
      .where(
        and(eq(leadImportChunks.importId, importId), eq(leadImportChunks.datasetId, datasetId)),
      ),
    ...(order.besides?.(CREATED) ?? []),
  ]);
  const [row] = taken.rows;
  return row === undefined ? null : readCounts(row);
}

interface Weighed {
  identityKey: string;
  emailKey: string | null;
}

/** Which of these the dataset has already, by their identity, and which addresses are of erased people. */
export async function weighLeads(
  db: Db,
  { workspaceId, datasetId }: Pick<ImportTakeover, "workspaceId" | "datasetId">,
  leads: readonly Weighed[],
): Promise<{ known: Set<string>; erased: Set<string> }> {
  const listed = (keys: (string | null)[]) => sql`unnest(${sql.param(keys)}::text[])`;
  const { rows } = await db.execute<{ kind: string; key: string }>(sql`
    select 'known' as kind, l.identity_key as key from leads l join datasets d on d.id = l.dataset_id
    where l.dataset_id = ${datasetId} and d.workspace_id = ${workspaceId}
      and l.identity_key in (select ${listed(leads.map(({ identityKey }) => identityKey))})
    union all
    select 'erased', asked.key from ${listed(leads.map(({ emailKey }) => emailKey))} asked(key)
    where asked.key is not null and ${isErased(sql`${workspaceId}::uuid`, sql`asked.key`)}`);
  const of = (kind: string) =>
    new Set(rows.filter((row) => row.kind === kind).map(({ key }) => key));
  return { known: of("known"), erased: of("erased") };
}

/** What a report says of rows of erased people, at most so many of them. */
export const ERASED = {
  code: "SUPPRESSED",
  message: "The address is suppressed: its owner wished to be forgotten.",
  named: 1_000,
};

/** The sample text of a column may be of an erased person. */
const withoutSamples = (columns: readonly DatasetColumn[]): DatasetColumn[] =>
  columns.map((column) => ({ ...column, sample: null }));

const textsOf = (write: (name: string) => string): SQL =>
  sql.raw(LEAD_TEXTS.map(({ name }) => write(name)).join(", "));
const TEXT_NAMES = textsOf((name) => name);
const TEXTS_AS_READ = textsOf((name) => `${name} text`);
const TEXTS_OF_FILE = textsOf((name) => `f.${name}`);
const TEXTS_WHERE_GIVEN = textsOf((name) => `${name} = coalesce(f.${name}, l.${name})`);

function takeOverSql(order: ImportTakeover) {
  const now = instantParam(order.now);
  return sql`
  with dataset as (
    select id, greatest(last_row_index, (select max(row_index) from leads where dataset_id = ${order.datasetId})) as last_row_index
    from datasets
    where id = ${order.datasetId} and workspace_id = ${order.workspaceId} and deleted_at is null
      and (select count(*) from lead_import_chunks where import_id = ${order.importId}) = ${order.chunks}
  ), read as materialized (
    select r.* from lead_import_chunks c cross join lateral jsonb_to_recordset(c.rows) as r(
      place int, email text, email_key text, identity_key text, ${TEXTS_AS_READ}, tags jsonb, custom jsonb)
    where c.import_id = ${order.importId} and exists (select 1 from dataset)
  ), erased as materialized (
    select place from read where email_key is not null
      and exists (select 1 from suppressions where workspace_id = ${order.workspaceId} and kind = 'email' and value is null)
      and ${isErased(sql`${order.workspaceId}::uuid`, sql`read.email_key`)}
  ), staged as materialized (
    select * from read where place not in (select place from erased)
  ), firsts as materialized (
    select f.*, l.id as lead_id
    from (select distinct on (identity_key) * from staged order by identity_key, place) f
    left join leads l on l.dataset_id = ${order.datasetId} and l.identity_key = f.identity_key
  ), created as (
    insert into leads (id, workspace_id, user_id, created_at, updated_at, dataset_id, row_index, email, email_key,
      identity_key, ${TEXT_NAMES}, tags, custom)
    select ${newIdAt(now, sql`row_number() over (order by f.place)`)}, ${order.workspaceId}, ${order.userId}, ${now}, ${now}, ${order.datasetId},
      dataset.last_row_index + row_number() over (order by f.place), f.email, f.email_key, f.identity_key,
      ${TEXTS_OF_FILE}, array(select jsonb_array_elements_text(f.tags)), f.custom
    from firsts f cross join dataset where f.lead_id is null
    returning 1
  ), updated as (
    update leads l
    set ${TEXTS_WHERE_GIVEN},
        tags = case when f.tags = '[]' then l.tags else array(select jsonb_array_elements_text(f.tags)) end,
        custom = l.custom || f.custom, updated_at = ${now}
    from firsts f where l.id = f.lead_id
    returning 1
  ), counts as (
    select (select count(*) from created)::int as created, (select count(*) from updated)::int as updated,
           ((select count(*) from staged) - (select count(*) from firsts))::int as duplicate,
           coalesce((select jsonb_agg(place order by place) from erased), '[]') as erased
  ), counted as (
    update datasets d
    set row_count = d.row_count + counts.created, last_row_index = dataset.last_row_index + counts.created,
        columns = d.columns || case when counts.erased = '[]' then ${newColumnsSql(order.columns)} else ${newColumnsSql(withoutSamples(order.columns))} end,
        mapping = d.mapping || ${JSON.stringify(order.mapping)}::jsonb,
        revision = d.revision + (d.mapping || ${JSON.stringify(order.mapping)}::jsonb <> d.mapping)::int,
        source = case when d.last_row_index = 0 then ${order.source} else d.source end,
        source_url = coalesce(${order.sourceUrl}, d.source_url),
        status = 'ready', error = null, updated_at = ${now}
    from dataset cross join counts where d.id = dataset.id
    returning d.id
  ), finished as (
    update sheet_imports s
    set status = 'done', created = counts.created, updated = counts.updated, duplicate = counts.duplicate,
        tally = s.tally || '{"samples": []}' || jsonb_build_object(
          'rejected', (s.tally ->> 'rejected')::int + jsonb_array_length(counts.erased),
          'rejections', s.tally -> 'rejections' || (
            select coalesce(jsonb_agg(jsonb_build_object('row_index', place, 'code', ${ERASED.code}::text, 'message', ${ERASED.message}::text)), '[]')
            from (select place::int from jsonb_array_elements_text(counts.erased) as e(place) limit ${ERASED.named}) named)),
        version = s.version + 1, updated_at = ${now}
    from counts, counted where s.id = ${order.importId} and s.status = 'running'
  )
  select counts.*, set_config(${SAID}, counts.created::text, true) from counts, counted`;
}
