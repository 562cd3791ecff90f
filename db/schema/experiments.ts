import { sql } from "drizzle-orm";
import {
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { instant, oneOf } from "./columns.ts";

export const EXPERIMENT_REASONS = [
  "shifted",
  "vetoed",
  "winner",
  "arms_changed",
  "frozen",
  "reset",
] as const;
export type ExperimentReason = (typeof EXPERIMENT_REASONS)[number];

/** An arm as it was when a version was made; an arm is a variant's label with its text, so that another text is another arm. */
export interface ExperimentArm {
  arm: string;
  label: string;
  weight: number;
  matured: number;
  successes: number;
  /** Opt-outs and complaints. */
  harmed: number;
  probability_best: number;
  vetoed: boolean;
}

/** Why the weights are what they are: ln E of each pair of arms, row above column. */
export interface ExperimentEvidence {
  arms: ExperimentArm[];
  ln_e: number[][];
  ln_e_harm: number[][];
}

/** A step that is tried out (`steps[].experiment` of its campaign): how far its judging and its weights are. */
export const experiments = pgTable(
  "experiments",
  {
    campaignId: uuid("campaign_id").notNull(),
    step: integer("step").notNull(),
    workspaceId: uuid("workspace_id").notNull(),
    /** Of the newest row in `experimentVersions`; 0 before the first: the weights are as configured. */
    version: integer("version").notNull().default(0),
    /** The campaign's dates on which sends were last judged and the weights last looked at: each once a date. */
    judgedOn: date("judged_on", { mode: "string" }),
    weighedOn: date("weighed_on", { mode: "string" }),
    frozenAt: instant("frozen_at"),
    /** What was accepted before a reset counts no more. */
    since: instant("since"),
    /** Once named it stays so: any look at the evidence is valid. Its arm, not its label. */
    winner: text("winner"),
    vetoed: text("vetoed").array().notNull().default([]),
    /** Its campaign has ended and all was judged. */
    settled: boolean("settled").notNull().default(false),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.campaignId, table.step] }),
    index("experiments_open")
      .on(table.weighedOn)
      .where(sql`not ${table.settled}`),
  ],
);

/** Each change of weights, with its evidence and reason. `weights` is by arm; null: as the step is configured. */
export const experimentVersions = pgTable(
  "experiment_versions",
  {
    campaignId: uuid("campaign_id").notNull(),
    step: integer("step").notNull(),
    version: integer("version").notNull(),
    workspaceId: uuid("workspace_id").notNull(),
    updatedAt: instant("updated_at").notNull(),
    weights: jsonb("weights").$type<Record<string, number>>(),
    evidence: jsonb("evidence").$type<ExperimentEvidence>().notNull(),
    reason: text("reason", { enum: EXPERIMENT_REASONS }).notNull(),
    /** The label that was named, of a winner. */
    winnerLabel: text("winner_label"),
  },
  (table) => [
    primaryKey({ columns: [table.campaignId, table.step, table.version] }),
    oneOf("experiment_versions_reason", table.reason, EXPERIMENT_REASONS),
  ],
);

/** What became of a send, judged once, `horizon_days` after its acceptance; what comes later changes it no more. */
export const experimentJudgements = pgTable(
  "experiment_judgements",
  {
    sendId: uuid("send_id").primaryKey(),
    campaignId: uuid("campaign_id").notNull(),
    step: integer("step").notNull(),
    arm: text("arm").notNull(),
    /** Judged together, and drawn by the same weights: a block of the evidence. */
    judgedOn: date("judged_on", { mode: "string" }).notNull(),
    weightsVersion: integer("weights_version").notNull(),
    configVersion: integer("config_version").notNull(),
    acceptedAt: instant("accepted_at").notNull(),
    replied: boolean("replied").notNull(),
    clicked: boolean("clicked").notNull(),
    harmed: boolean("harmed").notNull(),
  },
  (table) => [index("experiment_judgements_step").on(table.campaignId, table.step)],
);
