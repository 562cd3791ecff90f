import { bigint, date, integer, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { workspaces } from "./workspaces.ts";

/** A workspace's use of the language model on a date (UTC), and its cost. */
export const modelDays = pgTable(
  "model_days",
  {
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    day: date("day", { mode: "string" }).notNull(),
    /** Begun, whatever became of them. */
    calls: integer("calls").notNull(),
    promptTokens: bigint("prompt_tokens", { mode: "number" }).notNull(),
    completionTokens: bigint("completion_tokens", { mode: "number" }).notNull(),
    /** In millionths of a US dollar, as far as prices are configured. */
    costMicros: bigint("cost_micros", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.day] })],
);
