import { sql } from "drizzle-orm";
import {
  date,
  doublePrecision,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant, oneOf, workRow } from "./columns.ts";
import { mailDomains } from "./mail.ts";

/** `no_access`: the account does not have the domain; `consent_lost`: its owner took the access back. */
export const POSTMASTER_STATES = ["connected", "no_access", "consent_lost"] as const;
export type PostmasterState = (typeof POSTMASTER_STATES)[number];

/** A requirement of Gmail's that it checks by itself, and why where it says so. */
export interface ComplianceRow {
  requirement: string;
  status: "compliant" | "needs_work";
  reason: string | null;
}

/** A share of the mail of a day that Gmail refused or put off. */
export interface DeliveryErrorRate {
  type: "reject" | "temp_fail";
  reason: string;
  rate: number;
}

const ofDomain = () => uuid("domain_id").references(() => mailDomains.id, { onDelete: "cascade" });

/** By which account Gmail's figures of a domain are read. */
export const postmasterLogins = pgTable(
  "postmaster_logins",
  {
    ...workRow(),
    domainId: ofDomain().primaryKey(),
    state: text("state", { enum: POSTMASTER_STATES }).notNull(),
    /** The refresh token, sealed by the master key; null once it is of no use. */
    token: text("token"),
    connectedAt: instant("connected_at").notNull(),
    /** When figures were last read, whether or not there were any. */
    fetchedAt: instant("fetched_at"),
    lastError: text("last_error"),
    compliance: jsonb("compliance").$type<ComplianceRow[]>(),
  },
  (table) => [
    oneOf("postmaster_logins_state", table.state, POSTMASTER_STATES),
    index("postmaster_logins_due")
      .on(table.dueAt)
      .where(sql`${table.state} <> 'consent_lost'`),
  ],
);

/** A consent that a user was sent to Google to give: one at a time for a domain. */
export const postmasterConsents = pgTable(
  "postmaster_consents",
  {
    domainId: ofDomain().primaryKey(),
    /** SHA-256 (hex) of the `state` that comes back. */
    stateHash: text("state_hash").notNull(),
    /** PKCE's, sealed by the master key. */
    verifier: text("verifier").notNull(),
    returnUrl: text("return_url"),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [uniqueIndex("postmaster_consents_state").on(table.stateHash)],
);

/** What Gmail says of a domain's mail on a day; shares from 0 to 1, null where it says none. */
export const postmasterDays = pgTable(
  "postmaster_days",
  {
    domainId: ofDomain().notNull(),
    day: date("day", { mode: "string" }).notNull(),
    spam: doublePrecision("spam"),
    spf: doublePrecision("spf"),
    dkim: doublePrecision("dkim"),
    dmarc: doublePrecision("dmarc"),
    tls: doublePrecision("tls"),
    rejected: doublePrecision("rejected"),
    deferred: doublePrecision("deferred"),
    /** By reason, those above none. */
    errors: jsonb("errors").$type<DeliveryErrorRate[]>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.domainId, table.day] }),
    index("postmaster_days_day").on(table.day),
  ],
);
