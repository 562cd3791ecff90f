import { sql } from "drizzle-orm";
import {
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant, type Json, oneOf, ownedRow, revision } from "./columns.ts";

export const DATASET_SOURCES = ["csv", "sheet", "api", "prospects"] as const;
export type DatasetSource = (typeof DATASET_SOURCES)[number];

export const DATASET_STATUSES = ["importing", "ready", "failed"] as const;
export type DatasetStatus = (typeof DATASET_STATUSES)[number];

/** A column as the first import named it. `key` is a field of the lead, or `custom.<name>`. */
export interface DatasetColumn {
  key: string;
  label: string;
  type: string;
  sample: string | null;
}

/** The target of each column of a file: a field of the lead, `custom.<name>`, or null for "leave it out". */
export type ColumnMapping = Record<string, string | null>;

/**
 * `lastRowIndex` is the highest ever given out: a number that belonged to a
 * deleted lead is not given to another. A deleted dataset loses its leads and
 * stays as a stub that campaigns of the past still point at.
 */
export const datasets = pgTable(
  "datasets",
  {
    ...ownedRow(),
    name: text("name").notNull(),
    source: text("source", { enum: DATASET_SOURCES }).notNull(),
    sourceUrl: text("source_url"),
    status: text("status", { enum: DATASET_STATUSES }).notNull(),
    rowCount: integer("row_count").notNull(),
    columns: jsonb("columns").$type<DatasetColumn[]>().notNull(),
    mapping: jsonb("mapping").$type<ColumnMapping>().notNull(),
    error: text("error"),
    lastRowIndex: integer("last_row_index").notNull().default(0),
    revision: revision(),
    deletedAt: instant("deleted_at"),
  },
  (table) => [
    oneOf("datasets_source", table.source, DATASET_SOURCES),
    oneOf("datasets_status", table.status, DATASET_STATUSES),
    index("datasets_workspace").on(table.workspaceId, table.id),
  ],
);

/** A lead's text fields, besides its address; `people/leads/lead-columns.ts` says how each is read. */
const leadTexts = () => ({
  firstName: text("first_name"),
  lastName: text("last_name"),
  fullName: text("full_name"),
  company: text("company"),
  title: text("title"),
  profileUrl: text("profile_url"),
  phone: text("phone"),
  website: text("website"),
  location: text("location"),
  country: text("country"),
  timezone: text("timezone"),
});

/**
 * A person to write to. `emailKey` is the address as compared (lower case,
 * domain as A-label); `identityKey` is that, or the profile URL, and is unique
 * in the dataset, so that importing twice updates instead of doubling.
 */
export const leads = pgTable(
  "leads",
  {
    ...ownedRow(),
    datasetId: uuid("dataset_id")
      .notNull()
      .references(() => datasets.id, { onDelete: "cascade" }),
    rowIndex: integer("row_index").notNull(),
    email: text("email"),
    emailKey: text("email_key"),
    identityKey: text("identity_key"),
    ...leadTexts(),
    tags: text("tags").array().notNull(),
    custom: jsonb("custom").$type<Record<string, Json>>().notNull(),
    verification: jsonb("verification").$type<Json>(),
  },
  (table) => [
    uniqueIndex("leads_row").on(table.datasetId, table.rowIndex),
    uniqueIndex("leads_identity").on(table.datasetId, table.identityKey),
    index("leads_email").on(table.workspaceId, table.emailKey),
  ],
);

/** The code's name of a text of a lead, and the database's, which is the wire's as well. */
export type LeadText = keyof ReturnType<typeof leadTexts>;
export type LeadTextName = (typeof leads)[LeadText]["_"]["name"];

/** In the order in which they are exported. */
export const LEAD_TEXTS = (Object.keys(leadTexts()) as LeadText[]).map((key) => ({
  key,
  name: leads[key].name as LeadTextName,
}));

/**
 * Rows of an import that is being read, a chunk of them per row: nothing of a
 * file is visible before all of it is here, and one statement takes it over.
 */
export const leadImportChunks = pgTable(
  "lead_import_chunks",
  {
    importId: uuid("import_id").notNull(),
    chunk: integer("chunk").notNull(),
    datasetId: uuid("dataset_id")
      .notNull()
      .references(() => datasets.id, { onDelete: "cascade" }),
    rows: jsonb("rows").$type<Json>().notNull(),
    stagedAt: instant("staged_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.chunk] }),
    index("lead_import_chunks_dataset").on(table.datasetId, table.stagedAt),
    index("lead_import_chunks_age").on(table.stagedAt),
  ],
);

export const SHEET_IMPORT_STATUSES = ["running", "done", "failed"] as const;
export type SheetImportStatus = (typeof SHEET_IMPORT_STATUSES)[number];

/** The sheet's layout as of the import's beginning, or its restart after the sheet had changed. */
export interface SheetPlan {
  title: string | null;
  /** The tab with the size of its grid, read in pages by the service's Google account; null: the public export, read at one go. */
  tab: { title: string; rows: number } | null;
  labels: string[];
  /** The dataset's mapping and the request's, together. */
  mapping: ColumnMapping;
  /** Of the header as it was. */
  header: string;
}

/** How far an import has come. */
export interface SheetCursor {
  /** Number of the sheet's row that comes next. */
  nextRow: number;
  /** How many rows to ask for. */
  batchRows: number;
  /** Fingerprint of the row before the next: another one there means that rows have moved. */
  anchor: string;
  /** How often it began anew. */
  restarts: number;
}

/** The counts of rows read so far, by result. */
export interface ImportTally {
  /** Rows that hold anything. */
  total: number;
  rejected: number;
  rejections: { row_index: number; code: string; message: string }[];
  /** The first text of each column. */
  samples: (string | null)[];
}

/**
 * The import of a sheet that is under way, or the dataset's last. Its rows are staged in `lead_import_chunks` under
 * its id. `version` counts the writes: a worker with an older one has been overtaken, and writes nothing.
 */
export const sheetImports = pgTable(
  "sheet_imports",
  {
    ...ownedRow(),
    datasetId: uuid("dataset_id")
      .notNull()
      .references(() => datasets.id, { onDelete: "cascade" }),
    sourceUrl: text("source_url").notNull(),
    spreadsheetId: text("spreadsheet_id").notNull(),
    gid: integer("gid"),
    /** What the request said of columns. */
    mapping: jsonb("mapping").$type<ColumnMapping>().notNull(),
    status: text("status", { enum: SHEET_IMPORT_STATUSES }).notNull(),
    plan: jsonb("plan").$type<SheetPlan>().notNull(),
    cursor: jsonb("cursor").$type<SheetCursor>().notNull(),
    tally: jsonb("tally").$type<ImportTally>().notNull(),
    chunks: integer("chunks").notNull(),
    version: integer("version").notNull(),
    created: integer("created").notNull(),
    updated: integer("updated").notNull(),
    duplicate: integer("duplicate").notNull(),
    error: text("error"),
  },
  (table) => [
    oneOf("sheet_imports_status", table.status, SHEET_IMPORT_STATUSES),
    uniqueIndex("sheet_imports_running")
      .on(table.datasetId)
      .where(sql`${table.status} = 'running'`),
    index("sheet_imports_dataset").on(table.datasetId, table.createdAt),
  ],
);
