import { type SQL, sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  type PgColumn,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant, oneOf, ownedRow, revision } from "./columns.ts";

export const DOMAIN_STATUSES = ["pending", "verified", "failing", "unknown"] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

export const TRANSPORT_KINDS = ["smtp", "ses", "postmark", "resend", "mailgun"] as const;
export type TransportKind = (typeof TRANSPORT_KINDS)[number];

export const ALIAS_STATUSES = ["pending", "active", "paused", "error", "disabled"] as const;
export type AliasStatus = (typeof ALIAS_STATUSES)[number];

/** The party at fault: the account itself, the connection to its server, or the vault that keeps its secret. */
export const ALIAS_ERROR_KINDS = ["account", "line", "vault"] as const;
export type AliasErrorKind = (typeof ALIAS_ERROR_KINDS)[number];

export const SUPPRESSION_KINDS = ["email", "domain"] as const;
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number];

export const SUPPRESSION_REASONS = ["hard_bounce", "complaint", "unsubscribe", "manual"] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** The part of an account that may be shown; its password or key lies sealed in `transportSecret`. */
export interface TransportSettings {
  smtp: { host: string; port: number; security: "tls" | "starttls" | "none"; username?: string };
  ses: { region: string; accessKeyId: string };
  mailgun: { domain: string; region: "us" | "eu" };
  postmark: { messageStream?: string };
  resend: Record<never, never>;
}

/** `startedAt` (ISO 8601) is when the ramp was last switched on; without it, the sender's creation counts. */
export interface Ramp {
  enabled: boolean;
  start: number;
  step: number;
  ceiling: number;
  startedAt?: string;
}

export interface SeenDomainRecord {
  purpose: "ownership" | "spf" | "dkim" | "dmarc" | "mx" | "return_path" | "tracking";
  host: string;
  found: string[];
  status: "ok" | "missing" | "mismatch" | "multiple" | "unknown";
}

export const mailDomains = pgTable(
  "mail_domains",
  {
    ...ownedRow(),
    domain: text("domain").notNull(),
    status: text("status", { enum: DOMAIN_STATUSES }).notNull(),
    dkimSelector: text("dkim_selector").notNull(),
    dkimPublicKey: text("dkim_public_key").notNull(),
    /** PKCS #8, sealed by the master key. */
    dkimPrivateKey: text("dkim_private_key").notNull(),
    /** The second key (RFC 8463); null for domains that were added before there was one. */
    ed25519Selector: text("ed25519_selector"),
    ed25519PublicKey: text("ed25519_public_key"),
    /** PKCS #8, sealed by the master key. */
    ed25519PrivateKey: text("ed25519_private_key"),
    /** What the last check saw of each record. */
    records: jsonb("records").$type<SeenDomainRecord[]>(),
    checkedAt: instant("checked_at"),
    failingSince: instant("failing_since"),
    /** Messages that all its aliases together may send on one accounting day. */
    dailyLimit: integer("daily_limit"),
    revision: revision(),
  },
  (table) => [
    oneOf("mail_domains_status", table.status, DOMAIN_STATUSES),
    uniqueIndex("mail_domains_name").on(table.workspaceId, table.domain),
    index("mail_domains_checked").on(table.checkedAt),
    // The workspaces that claim a domain.
    index("mail_domains_domain").on(table.domain),
  ],
);

/**
 * The shares dealt out of a domain's daily limit, by accounting day (named by the
 * instant at which it begins). A sender's share stays dealt when it leaves the
 * domain or is deleted, so that it is not dealt a second time.
 */
export const domainShares = pgTable(
  "domain_shares",
  {
    domainId: uuid("domain_id")
      .notNull()
      .references(() => mailDomains.id, { onDelete: "cascade" }),
    dayFrom: instant("day_from").notNull(),
    laneId: uuid("lane_id").notNull(),
    dealt: integer("dealt").notNull(),
  },
  (table) => [primaryKey({ columns: [table.domainId, table.dayFrom, table.laneId] })],
);

/** The domain of an address as it is compared: in lower case, with one `@`. */
export const domainOfKey = (emailKey: SQL): SQL => sql`split_part(${emailKey}, '@', 2)`;

/** The domain of an address, as it is indexed: a statement that says it otherwise does not find the index. */
export const domainOf = (address: PgColumn | SQL): SQL => domainOfKey(sql`lower(${address})`);

export const mailAliases = pgTable(
  "mail_aliases",
  {
    ...ownedRow(),
    domainId: uuid("domain_id").references(() => mailDomains.id),
    email: text("email").notNull(),
    displayName: text("display_name").notNull(),
    replyTo: text("reply_to"),
    transportKind: text("transport_kind", { enum: TRANSPORT_KINDS }).notNull(),
    transportSettings: jsonb("transport_settings")
      .$type<TransportSettings[TransportKind]>()
      .notNull(),
    transportSecret: text("transport_secret"),
    status: text("status", { enum: ALIAS_STATUSES }).notNull(),
    dailyLimit: integer("daily_limit").notNull(),
    minIntervalSeconds: integer("min_interval_seconds"),
    ramp: jsonb("ramp").$type<Ramp>(),
    signature: text("signature"),
    isDefault: boolean("is_default").notNull(),
    lastError: text("last_error"),
    /**
     * The party at fault in `lastError`; null without one, and for limits and policy, after which the sender rests. An
     * alias that its owner has not stopped has the status `error` exactly while this is `account`.
     */
    lastErrorKind: text("last_error_kind", { enum: ALIAS_ERROR_KINDS }),
    /** Where the last mail went by which replies were tested; null when it did not go out. */
    returnTestAddress: text("return_test_address"),
    returnTestAskedAt: instant("return_test_asked_at"),
    /** When that mail came back. */
    returnTestSeenAt: instant("return_test_seen_at"),
    /** Whether it came to its receiver's hosts by TLS, as those wrote into it; null where they did not say. */
    returnTestTls: boolean("return_test_tls"),
    revision: revision(),
  },
  (table) => [
    oneOf("mail_aliases_transport", table.transportKind, TRANSPORT_KINDS),
    oneOf("mail_aliases_status", table.status, ALIAS_STATUSES),
    oneOf("mail_aliases_last_error_kind", table.lastErrorKind, ALIAS_ERROR_KINDS),
    uniqueIndex("mail_aliases_email").on(table.workspaceId, table.email),
    // The aliases with a recipient's address, and the workspaces that use its domain.
    index("mail_aliases_address").on(domainOf(table.email), sql`lower(${table.email})`),
    index("mail_aliases_reply_domain")
      .on(domainOf(table.replyTo))
      .where(sql`${table.replyTo} is not null`),
    uniqueIndex("mail_aliases_default")
      .on(table.workspaceId)
      .where(sql`${table.isDefault}`),
  ],
);

/**
 * Addresses and domains that get no mail. `valueHash` is the SHA-256 (hex) of
 * the normalised value and outlives `value`, which erasure sets to null.
 */
export const suppressions = pgTable(
  "suppressions",
  {
    ...ownedRow(),
    value: text("value"),
    valueHash: text("value_hash").notNull(),
    kind: text("kind", { enum: SUPPRESSION_KINDS }).notNull(),
    reason: text("reason", { enum: SUPPRESSION_REASONS }).notNull(),
    sourceCampaignId: uuid("source_campaign_id"),
    expiresAt: instant("expires_at"),
  },
  (table) => [
    oneOf("suppressions_kind", table.kind, SUPPRESSION_KINDS),
    oneOf("suppressions_reason", table.reason, SUPPRESSION_REASONS),
    uniqueIndex("suppressions_value").on(table.workspaceId, table.kind, table.valueHash),
    index("suppressions_workspace").on(table.workspaceId, table.id),
    // Addresses as they are compared, for whole datasets at once.
    index("suppressions_addresses")
      .on(table.workspaceId, table.value, table.expiresAt)
      .where(sql`${table.kind} = 'email' and ${table.value} is not null`),
    // Erased people.
    index("suppressions_erased")
      .on(table.workspaceId, table.valueHash)
      .where(sql`${table.kind} = 'email' and ${table.value} is null`),
  ],
);
