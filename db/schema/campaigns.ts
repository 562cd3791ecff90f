import { sql } from "drizzle-orm";
import {
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  time,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant, oneOf, ownedRow } from "./columns.ts";
import type { ActionType } from "./actions.ts";
import { type Channel } from "./content.ts";
import { datasets } from "./leads.ts";

export const CAMPAIGN_STATUSES = [
  "draft",
  "launching",
  "scheduled",
  "active",
  "draining",
  "paused",
  "completed",
  "failed",
] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

export const CAMPAIGN_TYPES = ["email", "socialnet", "mixed"] as const;
export type CampaignType = (typeof CAMPAIGN_TYPES)[number];

export const LAUNCH_TYPES = ["immediate", "scheduled"] as const;
export type LaunchType = (typeof LAUNCH_TYPES)[number];

export const LAUNCH_POLICIES = ["launch_default", "hold", "cancel"] as const;
export type LaunchPolicy = (typeof LAUNCH_POLICIES)[number];

export const PAUSED_REASONS = [
  "user_requested",
  "personalization_review_pending",
  "missed_schedule",
  "bounce_rate_exceeded",
  "complaint_rate_exceeded",
  "no_sender_available",
  "sender_domain_failing",
  "connected_account_unavailable",
  "credits_exhausted",
  "personalization_failing",
] as const;
export type PausedReason = (typeof PAUSED_REASONS)[number];

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** One way to word a step. TEMPLATE points at a template, INLINE carries its own text. */
export type Variant = { label: string; weight: number; sender_profile_id?: string } & (
  | { type: "TEMPLATE"; template_id: string }
  | { type: "INLINE"; subject?: string; body: string }
);

export const EXPERIMENT_METRICS = ["reply", "click"] as const;

/** Lets the weights of a step's variants follow what comes back. */
export interface ExperimentConfig {
  metric: (typeof EXPERIMENT_METRICS)[number];
  /** After so many days a send is judged. */
  horizon_days: number;
  /** The least part of each variant. */
  floor: number;
}

/** A step as stored and as answered: every default is filled in. */
export interface Step {
  step: number;
  delay_days: number;
  channel: Channel;
  action_type: ActionType;
  ai_personalization_enabled: boolean;
  track_opens: boolean;
  track_clicks: boolean;
  variants: Variant[];
  message_template?: string;
  /** Of an invitation: where the network takes no notes it goes out without one. */
  note_optional?: boolean;
  experiment?: ExperimentConfig;
}

/** A campaign of more senders has many: few of them look for what comes back (`db/engine/wake-few.ts`). */
export const FEW_SENDERS = sql.raw("16");

/**
 * The engine's columns: `openFrom`..`openUntil` is the current or next piece of
 * the sending window as UTC instants, never crossing a local midnight, so that
 * it lies on one calendar date (`openDay`) of the campaign's zone; `used`
 * counts the actions reserved on that date against `dailyLimit`. With
 * `useLeadTimezone` the piece is that whole date, and `campaignZones` has the windows.
 */
export const campaigns = pgTable(
  "campaigns",
  {
    ...ownedRow(),
    datasetId: uuid("dataset_id")
      .notNull()
      .references(() => datasets.id),
    /** By what a file of its owner calls it; a deleted one leaves it free. */
    externalId: text("external_id"),
    name: text("name").notNull(),
    description: text("description"),
    type: text("type", { enum: CAMPAIGN_TYPES }).notNull(),
    status: text("status", { enum: CAMPAIGN_STATUSES }).notNull(),
    launchType: text("launch_type", { enum: LAUNCH_TYPES }).notNull(),
    startDate: instant("start_date"),
    dailyLimit: integer("daily_limit").notNull(),
    maxNewLeadsPerDay: integer("max_new_leads_per_day"),
    /** HH:MM:SS on the wall clock of `timezone`. */
    sendingWindowStart: time("sending_window_start").notNull(),
    sendingWindowEnd: time("sending_window_end").notNull(),
    minIntervalSeconds: integer("min_interval_seconds").notNull(),
    timezone: text("timezone").notNull(),
    useLeadTimezone: boolean("use_lead_timezone").notNull(),
    sendDays: text("send_days", { enum: WEEKDAYS }).array().notNull(),
    steps: jsonb("steps").$type<Step[]>().notNull(),
    /** The channel whose senders start the campaign's leads. */
    firstChannel: text("first_channel").generatedAlwaysAs(sql`steps -> 0 ->> 'channel'`),
    configVersion: integer("config_version").notNull(),
    aliasIds: uuid("alias_ids").array(),
    connectedAccountId: uuid("connected_account_id"),
    systemPrompt: text("system_prompt"),
    unreviewedLaunchPolicy: text("unreviewed_launch_policy", { enum: LAUNCH_POLICIES }).notNull(),
    stopOnReply: boolean("stop_on_reply").notNull(),
    stopOnAutoReply: boolean("stop_on_auto_reply").notNull(),
    stopOnCompanyReply: boolean("stop_on_company_reply").notNull(),
    totalLeads: integer("total_leads"),
    launchJobId: text("launch_job_id"),
    launchRequestedAt: instant("launch_requested_at"),
    launchedAt: instant("launched_at"),
    launchError: text("launch_error"),
    /** Rows of the dataset up to this row index are materialised as campaign leads. */
    launchCursor: integer("launch_cursor").notNull(),
    /** Grows with each (un)scheduling: an armed check of an older generation does nothing. */
    scheduleGeneration: integer("schedule_generation").notNull(),
    pausedReason: text("paused_reason", { enum: PAUSED_REASONS }),
    /** Guardrails count from the last resume. */
    guardSince: instant("guard_since"),
    pausedFrom: text("paused_from", { enum: CAMPAIGN_STATUSES }),
    reviewedAt: instant("reviewed_at"),
    playgroundDiscoveryDismissedAt: instant("playground_discovery_dismissed_at"),
    openFrom: instant("open_from"),
    openUntil: instant("open_until"),
    openDay: date("open_day", { mode: "string" }),
    used: integer("used").notNull(),
    usedNew: integer("used_new").notNull(),
    deletedAt: instant("deleted_at"),
    /** When the last of its messages' rows ended, long after the campaign; what changes it later makes it look again. */
    messagesEndedAt: instant("messages_ended_at"),
  },
  (table) => [
    oneOf("campaigns_status", table.status, CAMPAIGN_STATUSES),
    oneOf("campaigns_type", table.type, CAMPAIGN_TYPES),
    index("campaigns_workspace").on(table.workspaceId, table.id),
    index("campaigns_dataset").on(table.datasetId),
    uniqueIndex("campaigns_external_id")
      .on(table.workspaceId, table.externalId)
      .where(sql`${table.externalId} is not null and ${table.deletedAt} is null`),
    // The tick's rollover: running campaigns whose window interval is over.
    index("campaigns_window")
      .on(table.openUntil)
      .where(sql`${table.status} in ('active', 'draining')`),
    // Of these a tick asks whether they left a lead.
    index("campaigns_of_many")
      .on(table.id)
      .where(
        sql`${table.status} = 'active' and ${table.deletedAt} is null and cardinality(${table.aliasIds}) > ${FEW_SENDERS}`,
      ),
    // Campaigns that are over, whose messages have not ended yet.
    index("campaigns_over")
      .on(table.updatedAt)
      .where(
        sql`(${table.status} = 'completed' or ${table.deletedAt} is not null) and (${table.messagesEndedAt} is null or ${table.messagesEndedAt} < ${table.updatedAt})`,
      ),
  ],
);

export type CampaignRow = typeof campaigns.$inferSelect;
