import {
  bigint,
  date,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant, oneOf } from "./columns.ts";
import { mailDomains } from "./mail.ts";

export const REPORT_KINDS = ["dmarc", "tls"] as const;

/** The policy that a reporter found published for a domain. */
export interface ReportedPolicy {
  domain: string;
  p: string | null;
  sp: string | null;
  pct: number | null;
  testing: boolean;
}

const ofDomain = () =>
  uuid("domain_id")
    .notNull()
    .references(() => mailDomains.id, { onDelete: "cascade" });
const count = (name: string) => bigint(name, { mode: "number" }).notNull();

/** A report that came, so that it counts once however often it comes. What it said is in the sums below. */
export const domainReports = pgTable(
  "domain_reports",
  {
    id: uuid("id").primaryKey(),
    domainId: ofDomain(),
    kind: text("kind", { enum: REPORT_KINDS }).notNull(),
    /** As it calls itself. */
    reporter: text("reporter").notNull(),
    /** SHA-256 of kind, reporter, its id and its time. */
    identity: text("identity").notNull(),
    beginsAt: instant("begins_at").notNull(),
    endsAt: instant("ends_at").notNull(),
    receivedAt: instant("received_at").notNull(),
    /** Of DMARC. */
    policy: jsonb("policy").$type<ReportedPolicy>(),
  },
  (table) => [
    oneOf("domain_reports_kind", table.kind, REPORT_KINDS),
    uniqueIndex("domain_reports_identity").on(table.domainId, table.identity),
    index("domain_reports_newest").on(table.domainId, table.receivedAt),
    index("domain_reports_ends").on(table.endsAt),
  ],
);

/** Sums of DMARC reports, by the UTC date at which their time begins. */
export const dmarcSources = pgTable(
  "dmarc_sources",
  {
    domainId: ofDomain(),
    day: date("day", { mode: "string" }).notNull(),
    reporter: text("reporter").notNull(),
    sourceIp: text("source_ip").notNull(),
    /** The domain that the source signed or sent for besides ours; empty for none. */
    operator: text("operator").notNull(),
    messages: count("messages"),
    /** Signed with a key of this record. */
    ours: count("ours"),
    /** Passed by DKIM or SPF. */
    aligned: count("aligned"),
    alignedDkim: count("aligned_dkim"),
    alignedSpf: count("aligned_spf"),
    quarantined: count("quarantined"),
    rejected: count("rejected"),
    /** Not aligned, and the receiver says that it was forwarded or a list's. */
    forwarded: count("forwarded"),
  },
  (table) => [
    primaryKey({
      columns: [table.domainId, table.day, table.reporter, table.sourceIp, table.operator],
    }),
    index("dmarc_sources_day").on(table.day),
  ],
);

/** Sums of TLS reports (RFC 8460) about the domain's own mail hosts, by the UTC date at which their time begins. */
export const tlsSessions = pgTable(
  "tls_sessions",
  {
    domainId: ofDomain(),
    day: date("day", { mode: "string" }).notNull(),
    reporter: text("reporter").notNull(),
    policyType: text("policy_type").notNull(),
    /** `successful`, or the type of the failure. */
    result: text("result").notNull(),
    sessions: count("sessions"),
  },
  (table) => [
    primaryKey({
      columns: [table.domainId, table.day, table.reporter, table.policyType, table.result],
    }),
    index("tls_sessions_day").on(table.day),
  ],
);

/** An address that sends a domain's mail, and whether its reverse DNS leads back to it. */
export interface SeenReverse {
  address: string;
  /** At most a few, by which PTR names it. */
  names: string[];
  status: "ok" | "missing" | "mismatch" | "unknown";
}

/** A rule of large receivers that a domain does not keep, in the words in which everybody is told. */
export interface FailingRule {
  rule: string;
  evidence: string;
  whatToDo: string | null;
  /** Another thing that needs its owner says it already, by this kind. */
  toldBy: string | null;
}

/** What was last seen of a domain besides its records, and which rules it did not keep when it was last judged. */
export const domainHealth = pgTable(
  "domain_health",
  {
    domainId: uuid("domain_id")
      .primaryKey()
      .references(() => mailDomains.id, { onDelete: "cascade" }),
    reverseDns: jsonb("reverse_dns").$type<SeenReverse[]>(),
    reverseCheckedAt: instant("reverse_checked_at"),
    failing: jsonb("failing").$type<FailingRule[]>(),
    judgedAt: instant("judged_at"),
  },
  (table) => [index("domain_health_judged").on(table.judgedAt)],
);
