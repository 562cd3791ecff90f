import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant, type Json } from "./columns.ts";
import { datasets } from "./leads.ts";

/** Results read from public websites, shared by all workspaces: no workspace's data. */
export const webLookups = pgTable(
  "web_lookups",
  {
    /** SHA-256 (hex) of what was looked up: `page <url>` or `robots <origin>`. */
    keyHash: text("key_hash").primaryKey(),
    answer: jsonb("answer").$type<Json>().notNull(),
    lookedUpAt: instant("looked_up_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("web_lookups_end").on(table.expiresAt)],
);

/** Research results for a row of a dataset: personal data, deleted with the lead and with the dataset. */
export const rowResearch = pgTable(
  "row_research",
  {
    workspaceId: uuid("workspace_id").notNull(),
    datasetId: uuid("dataset_id")
      .notNull()
      .references(() => datasets.id, { onDelete: "cascade" }),
    rowIndex: integer("row_index").notNull(),
    /** SHA-256 (hex) of the research subject: another company in the row is another research. */
    subjectHash: text("subject_hash").notNull(),
    sources: jsonb("sources").$type<Json>().notNull(),
    lookedUpAt: instant("looked_up_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.datasetId, table.rowIndex] }),
    index("row_research_end").on(table.expiresAt),
  ],
);
