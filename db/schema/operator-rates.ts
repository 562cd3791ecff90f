import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";
import { mailDomains } from "./mail.ts";

/**
 * How much a sending domain writes to an operator that put it off or refused it by policy (db/engine/operator-rates.ts).
 * The rate of an instant follows from the row alone; after `fullAt` the row means nothing.
 */
export const operatorRates = pgTable(
  "operator_rates",
  {
    domainId: uuid("domain_id")
      .notNull()
      .references(() => mailDomains.id, { onDelete: "cascade" }),
    operator: text("operator").notNull(),
    /** Messages an hour, as of `changedAt`. */
    perHour: integer("per_hour").notNull(),
    /** When it was last cut. */
    changedAt: instant("changed_at").notNull(),
    /** No message begins before. */
    nextAt: instant("next_at").notNull(),
    fullAt: instant("full_at").notNull(),
    /** Since when the pair has been slow without a break. */
    since: instant("since").notNull(),
    /** The receiver's words for which it was last cut. */
    reason: text("reason").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.domainId, table.operator] }),
    index("operator_rates_full").on(table.fullAt),
  ],
);
