import { type SQL, sql } from "drizzle-orm";
import { type Column, orNull, type Row, rowReader, text, typed } from "../base/rows.ts";
import type { LaunchPolicy } from "../schema/index.ts";
import { approvedEntry, isDrafted } from "./draft-hold.ts";
import type { DraftText, StepDrafts } from "./step-context.ts";

/** The texts that there are for a step (from 1) of lead `l` in campaign `c`; null for a step that no model writes. */
export const stepDrafts = (step: SQL): SQL => sql`
  case when ${isDrafted(sql`(${step} - 1)`)} then jsonb_build_object(
    'policy', c.unreviewed_launch_policy,
    'approved', ${approvedEntry(sql`l.metadata`, step)},
    'written', (${newestText(sql`l.id`, step, sql`and g.kind = 'send_time' and g.held_reason is null`)})) end`;

/** The newest text of a lead's step that a model wrote, as JSON. */
export const newestText = (campaignLeadId: SQL, step: SQL, ofKind: SQL = sql``): SQL => sql`
  select jsonb_build_object('subject', g.subject, 'body', g.body, 'lead_identity_fingerprint', g.lead_identity_fingerprint,
    'step_config_fingerprint', g.step_config_fingerprint)
  from generations g where g.campaign_lead_id = ${campaignLeadId} and g.step = ${step} and g.status = 'generated' ${ofKind}
  order by g.generated_at desc limit 1`;

const columns = {
  subject: text,
  body: text,
  leadIdentityFingerprint: text,
  stepConfigFingerprint: text,
};
const readText = rowReader(columns);
const readApproved = rowReader({ ...columns, approvedAt: text });

/** Metadata is JSON that may have been stored long ago: what does not parse as an entry is none. */
const entry: Column<StepDrafts["approved"]> = {
  read: (value) => (isEntry(value) ? readApproved(value) : null),
};

const ENTRY = [
  "subject",
  "body",
  "lead_identity_fingerprint",
  "step_config_fingerprint",
  "approved_at",
];

const isEntry = (value: unknown): value is Row =>
  typeof value === "object" &&
  value !== null &&
  ENTRY.every((field) => typeof (value as Row)[field] === "string");

export const draftText: Column<DraftText | null> = orNull({ read: (row) => readText(row as Row) });

const readDrafts = rowReader({
  policy: typed<LaunchPolicy>(),
  approved: entry,
  written: draftText,
});

export const stepDraftsColumn: Column<StepDrafts | null> = orNull({
  read: (row) => readDrafts(row as Row),
});
