import { index, pgTable, text } from "drizzle-orm/pg-core";

/** Domains that hand out mailboxes for minutes. Loaded by `npm run db:migrate`, and from other lists by `npm run lists`. */
export const disposableDomains = pgTable(
  "disposable_domains",
  {
    /** As A-label, in lower case. Its subdomains count too. */
    domain: text("domain").primaryKey(),
    /** The list that it came with: loading a list again takes away what is no longer in it. */
    list: text("list").notNull(),
  },
  (table) => [index("disposable_domains_list").on(table.list)],
);
