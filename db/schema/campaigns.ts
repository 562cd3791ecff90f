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
  time,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant, type Json, oneOf, ownedRow } from "./columns.ts";
import { type Channel, CHANNELS } from "./content.ts";
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

export const ACTION_TYPES = [
  "send_email",
  "connection_request",
  "message",
  "profile_view",
] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

export const LEAD_STATUSES = [
  "pending",
  "active",
  "completed",
  "replied",
  "bounced",
  "unsubscribed",
  "complained",
  "stopped",
  "skipped",
  "failed",
] as const;
export type CampaignLeadStatus = (typeof LEAD_STATUSES)[number];

/** One way to word a step. TEMPLATE points at a template, INLINE carries its own text. */
export type Variant = { label: string; weight: number; sender_profile_id?: string } & (
  | { type: "TEMPLATE"; template_id: string }
  | { type: "INLINE"; subject?: string; body: string }
);

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
}

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
    name: text("name").notNull(),
    description: text("description"),
    type: text("type", { enum: CAMPAIGN_TYPES }).notNull(),
    status: text("status", { enum: CAMPAIGN_STATUSES }).notNull(),
    launchType: text("launch_type", { enum: LAUNCH_TYPES }).notNull(),
    startDate: instant("start_date"),
    dailyLimit: integer("daily_limit").notNull(),
    maxNewLeadsPerDay: integer("max_new_leads_per_day"),
    sendingWindowStart: time("sending_window_start").notNull(),
    sendingWindowEnd: time("sending_window_end").notNull(),
    minIntervalSeconds: integer("min_interval_seconds").notNull(),
    timezone: text("timezone").notNull(),
    useLeadTimezone: boolean("use_lead_timezone").notNull(),
    sendDays: text("send_days", { enum: WEEKDAYS }).array().notNull(),
    steps: jsonb("steps").$type<Step[]>().notNull(),
    /** Whose senders start its leads. */
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
  },
  (table) => [
    oneOf("campaigns_status", table.status, CAMPAIGN_STATUSES),
    oneOf("campaigns_type", table.type, CAMPAIGN_TYPES),
    index("campaigns_workspace").on(table.workspaceId, table.id),
    index("campaigns_dataset").on(table.datasetId),
    // The tick's roll-forward: running campaigns whose window piece is over.
    index("campaigns_window")
      .on(table.openUntil)
      .where(sql`${table.status} in ('active', 'draining')`),
  ],
);

/**
 * A lead within a campaign. In flight is not a status: `nextActionAt` is null
 * while a send of this lead is open. A hold is a field too.
 */
export const campaignLeads = pgTable(
  "campaign_leads",
  {
    id: uuid("id").primaryKey(),
    workspaceId: uuid("workspace_id").notNull(),
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaigns.id),
    /** No reference: deleting a lead stops it here (`lead_deleted`) and keeps the record. */
    leadId: uuid("lead_id").notNull(),
    datasetId: uuid("dataset_id").notNull(),
    rowIndex: integer("row_index").notNull(),
    email: text("email"),
    emailKey: text("email_key"),
    profileUrl: text("profile_url"),
    status: text("status", { enum: LEAD_STATUSES }).notNull(),
    currentStep: integer("current_step").notNull(),
    nextStep: integer("next_step"),
    nextActionAt: instant("next_action_at"),
    /** The lane that performs the next step: fixed at the first touch, so that follow-ups thread, until a step of another channel. */
    aliasId: uuid("alias_id"),
    /** The channel whose senders may take the next step, where the lead has none there yet. */
    nextChannel: text("next_channel", { enum: CHANNELS }),
    connectedAccountId: uuid("connected_account_id"),
    timezone: text("timezone"),
    /** By whose clock its window is read: its own zone in a campaign that goes by those, '' for the campaign's. */
    zone: text("zone").notNull().default(""),
    holdUntil: instant("hold_until"),
    holdReason: text("hold_reason"),
    stopReason: text("stop_reason"),
    lastError: text("last_error"),
    metadata: jsonb("metadata").$type<Record<string, Json>>().notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    oneOf("campaign_leads_status", table.status, LEAD_STATUSES),
    // The lead first: it also finds the campaigns of a lead.
    uniqueIndex("campaign_leads_lead").on(table.leadId, table.campaignId),
    uniqueIndex("campaign_leads_address").on(table.campaignId, table.emailKey),
    index("campaign_leads_order").on(table.campaignId, table.rowIndex, table.id),
    index("campaign_leads_by_address").on(table.workspaceId, table.emailKey),
    // The claim's two probes, within a zone: follow-ups of a sender, oldest due first; new leads in dataset order.
    index("campaign_leads_follow_up")
      .on(table.campaignId, table.aliasId, table.zone, table.nextActionAt)
      .where(
        sql`${table.status} = 'active' and ${table.nextActionAt} is not null and ${table.holdReason} is null`,
      ),
    index("campaign_leads_new")
      .on(table.campaignId, table.zone, table.nextActionAt, table.rowIndex)
      .where(
        sql`${table.status} = 'pending' and ${table.nextActionAt} is not null and ${table.holdReason} is null`,
      ),
    // Started leads whose next step any sender of its channel may take.
    index("campaign_leads_pool")
      .on(table.campaignId, table.nextChannel, table.zone, table.nextActionAt)
      .where(
        sql`${table.status} = 'active' and ${table.aliasId} is null and ${table.nextActionAt} is not null and ${table.holdReason} is null`,
      ),
    // Whether anything of a campaign is under way, and whom a drain skips: of a campaign with 300,000 leads, one look.
    index("campaign_leads_open")
      .on(table.campaignId, table.status)
      .where(sql`${table.status} in ('pending', 'active')`),
    // What `processed_leads` counts, without reading the rows.
    index("campaign_leads_ended")
      .on(table.campaignId)
      .where(sql`${table.status} not in ('pending', 'active')`),
    index("campaign_leads_hold")
      .on(table.holdUntil)
      .where(sql`${table.holdUntil} is not null`),
  ],
);

/**
 * The current or next piece of the window by the clocks of one zone of leads, while their
 * campaign runs and goes by those. A piece that is over is to be read anew; so is a zone that
 * has just come, whose piece is empty.
 */
export const campaignZones = pgTable(
  "campaign_zones",
  {
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaigns.id),
    zone: text("zone").notNull(),
    openFrom: instant("open_from").notNull(),
    openUntil: instant("open_until").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.campaignId, table.zone] }),
    index("campaign_zones_window").on(table.openUntil),
  ],
);

export const campaignSenders = pgTable(
  "campaign_senders",
  {
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaigns.id),
    laneId: uuid("lane_id").notNull(),
    lastServedAt: instant("last_served_at"),
  },
  (table) => [
    primaryKey({ columns: [table.campaignId, table.laneId] }),
    // Without `lastServedAt`, which each claim changes: the row then keeps its index entries.
    index("campaign_senders_lane").on(table.laneId),
  ],
);
