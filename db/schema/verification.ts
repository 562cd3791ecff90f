import { boolean, date, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

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

/** Verification results by address, shared by all workspaces. Only hashes: no address can be read out of it. */
export const verifiedAddresses = pgTable(
  "verified_addresses",
  {
    /** SHA-256 (hex) of the address in lower case, its domain in A-labels. */
    keyHash: text("key_hash").primaryKey(),
    /** Null while the first probe is under way. */
    reason: text("reason"),
    backend: text("backend"),
    hasMx: boolean("has_mx"),
    isCatchAll: boolean("is_catch_all"),
    checkedAt: instant("checked_at"),
    expiresAt: instant("expires_at"),
    /** A worker is probing the mail hosts, until then at the latest. */
    probingUntil: instant("probing_until"),
  },
  (table) => [index("verified_addresses_expired").on(table.expiresAt)],
);

/** Whether a domain takes whatever address it is given. */
export const verifiedDomains = pgTable(
  "verified_domains",
  {
    domain: text("domain").primaryKey(),
    isCatchAll: boolean("is_catch_all").notNull(),
    checkedAt: instant("checked_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("verified_domains_expired").on(table.expiresAt)],
);

/** The pacing of probes by mail host operator: two connections at most, and a rest after it refused the prober. */
export const probeOperators = pgTable("probe_operators", {
  operator: text("operator").primaryKey(),
  /** Until when each of the two connections is lent out at the latest. */
  leaseA: instant("lease_a"),
  leaseB: instant("lease_b"),
  /** When the next connection may begin. */
  nextAt: instant("next_at").notNull(),
  restsUntil: instant("rests_until"),
  /** Domains whose hosts of this operator refused the prober at a recipient, since `struckAt`. */
  strikes: text("strikes").array().notNull(),
  struckAt: instant("struck_at"),
  /** Recipients named to it in the minute that began then. */
  minuteAt: instant("minute_at"),
  minuteRecipients: integer("minute_recipients").notNull().default(0),
  /** The caller that gets the next free connection, as long as it asks again. */
  waiter: uuid("waiter"),
  waiterIsUrgent: boolean("waiter_is_urgent"),
  waiterUntil: instant("waiter_until"),
});

/** Connections to mail hosts of all operators, by dates (UTC). */
export const probeDays = pgTable("probe_days", {
  day: date("day", { mode: "string" }).primaryKey(),
  connections: integer("connections").notNull(),
});
