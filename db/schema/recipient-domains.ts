import { index, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/**
 * Who runs the mail hosts of a recipient's domain, as far as MX records show it: one row for all workspaces, for
 * domains that were written to or verified.
 */
export const recipientDomains = pgTable(
  "recipient_domains",
  {
    /** As A-label, in lower case. */
    domain: text("domain").primaryKey(),
    /** The key of `operatorOf`; null before the first answer, and of a domain without mail hosts. */
    operator: text("operator"),
    /** When DNS last answered. */
    lookedUpAt: instant("looked_up_at"),
    /** When DNS is to be asked again. */
    dueAt: instant("due_at").notNull(),
    /** When it was last of use, to the day. */
    usedAt: instant("used_at").notNull(),
  },
  (table) => [
    index("recipient_domains_due").on(table.dueAt),
    index("recipient_domains_used").on(table.usedAt),
  ],
);
