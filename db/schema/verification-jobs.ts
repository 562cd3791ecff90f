import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { oneOf, ownedRow, workRow } from "./columns.ts";
import { datasets } from "./leads.ts";

/** A verification's result, as leads and jobs store it; `reason` is one of the verifier's. */
export interface VerificationVerdict {
  result: "valid" | "catch_all" | "invalid" | "unknown";
  risk_level: "safe" | "risky" | "invalid" | null;
  reason: string;
  backend: "smtp" | "prefilter" | "dns" | "cache";
  valid_format: boolean;
  has_mx: boolean | null;
  is_disposable: boolean;
  is_role: boolean;
  is_catch_all: boolean | null;
  checked_at: string;
}

export const VERIFICATION_JOB_STATUSES = ["pending", "running", "completed", "failed"] as const;
export type VerificationJobStatus = (typeof VERIFICATION_JOB_STATUSES)[number];

/** One address that a workspace asked about and that was not known; one at a time of each. */
export const verificationJobs = pgTable(
  "verification_jobs",
  {
    ...ownedRow(),
    /** As it is compared. */
    email: text("email").notNull(),
    force: boolean("force").notNull(),
    status: text("status", { enum: VERIFICATION_JOB_STATUSES }).notNull(),
    ...workRow(),
    verdict: jsonb("verdict").$type<VerificationVerdict>(),
    error: text("error"),
  },
  (table) => {
    const isOpen = sql`${table.status} in ('pending', 'running')`;
    return [
      oneOf("verification_jobs_status", table.status, VERIFICATION_JOB_STATUSES),
      uniqueIndex("verification_jobs_open").on(table.workspaceId, table.email).where(isOpen),
      index("verification_jobs_due").on(table.dueAt).where(isOpen),
      index("verification_jobs_age").on(table.createdAt),
    ];
  },
);

export const DATASET_VERIFICATION_STATUSES = [
  "pending",
  "running",
  "completed",
  "cancelled",
] as const;
export type DatasetVerificationStatus = (typeof DATASET_VERIFICATION_STATUSES)[number];

/** The verification of a dataset that is under way, or its last. `pending` while its rows and credits are gathered. */
export const datasetVerifications = pgTable(
  "dataset_verifications",
  {
    ...ownedRow(),
    datasetId: uuid("dataset_id")
      .notNull()
      .references(() => datasets.id, { onDelete: "cascade" }),
    status: text("status", { enum: DATASET_VERIFICATION_STATUSES }).notNull(),
  },
  (table) => [
    oneOf("dataset_verifications_status", table.status, DATASET_VERIFICATION_STATUSES),
    uniqueIndex("dataset_verifications_live")
      .on(table.datasetId)
      .where(sql`${table.status} in ('pending', 'running')`),
    index("dataset_verifications_dataset").on(table.datasetId, table.createdAt),
    index("dataset_verifications_moved")
      .on(table.updatedAt)
      .where(sql`${table.status} <> 'completed'`),
  ],
);

export const VERIFICATION_ROW_STATES = ["waiting", "done", "dropped"] as const;

/**
 * One lead of such a verification. No address: it is the lead's, and goes with it; `keyHash` says of which one the
 * verdict is. `dropped`: the lead or the job ended before it was asked about.
 */
export const datasetVerificationRows = pgTable(
  "dataset_verification_rows",
  {
    jobId: uuid("job_id")
      .notNull()
      .references(() => datasetVerifications.id, { onDelete: "cascade" }),
    rowIndex: integer("row_index").notNull(),
    leadId: uuid("lead_id").notNull(),
    /** SHA-256 (hex) of the address. */
    keyHash: text("key_hash").notNull(),
    domain: text("domain").notNull(),
    state: text("state", { enum: VERIFICATION_ROW_STATES }).notNull(),
    /** It was known when the job began, and costs nothing. */
    cached: boolean("cached").notNull(),
    ...workRow(),
    verdict: jsonb("verdict").$type<VerificationVerdict>(),
  },
  (table) => [
    primaryKey({ columns: [table.jobId, table.rowIndex] }),
    oneOf("dataset_verification_rows_state", table.state, VERIFICATION_ROW_STATES),
    index("dataset_verification_rows_address").on(table.keyHash),
    index("dataset_verification_rows_waiting")
      .on(table.jobId, table.dueAt, table.rowIndex)
      .where(sql`${table.state} = 'waiting'`),
    index("dataset_verification_rows_claimed")
      .on(table.jobId, table.claimToken)
      .where(sql`${table.state} = 'waiting' and ${table.claimToken} is not null`),
  ],
);
