import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { campaigns } from "./campaigns.ts";
import { instant, type Json, oneOf, ownedRow, workRow } from "./columns.ts";

/**
 * `playground`: asked for to be looked at; `run`: of a dataset; `send_time`: written by itself for a step that is due,
 * in no batch.
 */
export const GENERATION_KINDS = ["playground", "run", "send_time"] as const;
export type GenerationKind = (typeof GENERATION_KINDS)[number];

export const GENERATION_STATUSES = [
  "pending",
  "running",
  "generated",
  "failed",
  "skipped",
  "cancelled",
] as const;
export type GenerationStatus = (typeof GENERATION_STATUSES)[number];

/** Drafts requested together, and their common settings. Its id is the `batch_id` and the `run_id`. */
export const generationBatches = pgTable(
  "generation_batches",
  {
    ...ownedRow(),
    kind: text("kind", { enum: GENERATION_KINDS }).notNull(),
    /** Null of a run. */
    campaignId: uuid("campaign_id").references(() => campaigns.id, { onDelete: "cascade" }),
    step: integer("step"),
    datasetId: uuid("dataset_id").notNull(),
    /** The caller's own prompt; null where the usual order decides. */
    customPrompt: text("custom_prompt"),
    /** Of a run: its sender's saved profile, or the data given in the request. */
    senderProfileId: uuid("sender_profile_id"),
    senderData: jsonb("sender_data").$type<Record<string, Json>>(),
    promptVersionHash: text("prompt_version_hash").notNull(),
    total: integer("total").notNull(),
    cancelledAt: instant("cancelled_at"),
  },
  (table) => [
    oneOf("generation_batches_kind", table.kind, GENERATION_KINDS),
    index("generation_batches_campaign").on(table.campaignId, table.createdAt, table.id),
  ],
);

/** One text for one lead: work to do, and what came of it. Its id is what its credit is held for. */
export const generations = pgTable(
  "generations",
  {
    ...ownedRow(),
    kind: text("kind", { enum: GENERATION_KINDS }).notNull(),
    batchId: uuid("batch_id").references(() => generationBatches.id, { onDelete: "cascade" }),
    campaignId: uuid("campaign_id"),
    campaignLeadId: uuid("campaign_lead_id"),
    step: integer("step"),
    datasetId: uuid("dataset_id").notNull(),
    leadId: uuid("lead_id").notNull(),
    rowIndex: integer("row_index").notNull(),
    /** Its place in the batch, from 0. */
    leadIndex: integer("lead_index").notNull(),
    status: text("status", { enum: GENERATION_STATUSES }).notNull(),
    promptVersionHash: text("prompt_version_hash").notNull(),
    ...workRow(),
    subject: text("subject"),
    body: text("body"),
    error: text("error"),
    /** Why it is sent only after a person has approved it; null where nothing speaks against it. */
    heldReason: text("held_reason"),
    variantLabel: text("variant_label"),
    templateId: uuid("template_id"),
    senderProfileId: uuid("sender_profile_id"),
    model: text("model"),
    latencyMs: integer("latency_ms"),
    leadIdentityFingerprint: text("lead_identity_fingerprint"),
    stepConfigFingerprint: text("step_config_fingerprint"),
    researchFingerprint: text("research_fingerprint"),
    /** SHA-256 of subject and body: an approval names the draft that the user saw. */
    draftHash: text("draft_hash"),
    promptSnapshot: text("prompt_snapshot"),
    commonality: jsonb("commonality").$type<Json>(),
    claims: jsonb("claims").$type<Json[]>(),
    /** What the model was given, which the claims point at. */
    sources: jsonb("sources").$type<Json[]>(),
    leadSnapshot: jsonb("lead_snapshot").$type<Record<string, Json>>(),
    usage: jsonb("usage").$type<Json>(),
    generatedAt: instant("generated_at"),
  },
  (table) => {
    const isOpen = sql`${table.status} in ('pending', 'running')`;
    return [
      oneOf("generations_kind", table.kind, GENERATION_KINDS),
      oneOf("generations_status", table.status, GENERATION_STATUSES),
      // The work key: a lead's text of a prompt is written once in a batch.
      uniqueIndex("generations_work").on(table.batchId, table.leadId, table.promptVersionHash),
      // By itself, one text of a lead's step at a time.
      uniqueIndex("generations_at_send_time")
        .on(table.campaignLeadId, table.step)
        .where(sql`${table.kind} = 'send_time' and ${isOpen}`),
      index("generations_order").on(table.batchId, table.leadIndex),
      // What of a batch is next to be written, however much of it is done.
      index("generations_open").on(table.batchId, table.dueAt, table.leadIndex).where(isOpen),
      // By kind: a run of 100,000 waits long, and must not hide the lost queue messages of drafts.
      index("generations_due").on(table.kind, table.dueAt).where(isOpen),
      // The newest text of a lead's step, and what a lead has when it is erased.
      index("generations_lead").on(table.campaignLeadId, table.step, table.generatedAt),
      index("generations_person").on(table.leadId),
      // How a campaign's last texts went: whether its model fails.
      index("generations_campaign")
        .on(table.campaignId, table.generatedAt)
        .where(sql`${table.kind} = 'send_time'`),
    ];
  },
);
