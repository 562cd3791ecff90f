import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** How companies write their people's addresses, one row for each address that its mail host confirmed; at most 50 of a domain. */
export const learnedAddresses = pgTable(
  "learned_addresses",
  {
    /** As A-label, in lower case. */
    domain: text("domain").notNull(),
    /** SHA-256 (hex) of the address: it counts once, and is not kept. */
    addressHash: text("address_hash").notNull(),
    pattern: text("pattern").notNull(),
    /** SHA-256 (hex) of the domain and the name that it was found for; null where it was told to nobody. */
    ownerHash: text("owner_hash"),
    /** Of the owner, where there is one. */
    learnedAt: instant("learned_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.domain, table.addressHash] })],
);
