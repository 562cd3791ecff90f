import { sql } from "drizzle-orm";
import {
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { campaigns } from "./campaigns.ts";
import { instant, type Json, oneOf } from "./columns.ts";
import { CHANNELS } from "./content.ts";
import { BUDGETS } from "./engine.ts";

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

/** Holds that the service sets and ends by itself, around the text of a step that a model writes. */
export const DRAFT_HOLDS = ["awaiting_draft", "personalization_review_pending"] as const;
export type DraftHold = (typeof DRAFT_HOLDS)[number];

/** The hold of a lead with an open invitation, whose next step needs the connection. */
export const ACCEPTANCE_HOLD = "awaiting_acceptance";
export type AcceptanceHold = typeof ACCEPTANCE_HOLD;

/** A lead whose invitation has a note, while its account's are used up. */
export const NOTES_HOLD = "notes_used_up";
export type NotesHold = typeof NOTES_HOLD;

/** The holds that the service sets while a step lacks a text, a connection or a note; suspects and users' holds are not among them. */
export const STEP_HOLDS = [...DRAFT_HOLDS, ACCEPTANCE_HOLD, NOTES_HOLD] as const;
export type StepHold = (typeof STEP_HOLDS)[number];

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
    /** From which budget of its sender the next step takes. */
    nextBudget: text("next_budget", { enum: BUDGETS }).notNull().default(""),
    /** The network's own id of the lead, once a step has looked it up. */
    personId: text("person_id"),
    /** Since when the lead and the account that writes to it are known to be connected. */
    connectedAt: instant("connected_at"),
    timezone: text("timezone"),
    /** The zone by which the lead's window is read: its own in a campaign that goes by its leads' clocks, '' for the campaign's. */
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
    oneOf("campaign_leads_budget", table.nextBudget, BUDGETS),
    // The lead first: it also finds the campaigns of a lead.
    uniqueIndex("campaign_leads_lead").on(table.leadId, table.campaignId),
    uniqueIndex("campaign_leads_address").on(table.campaignId, table.emailKey),
    index("campaign_leads_order").on(table.campaignId, table.rowIndex, table.id),
    // A page of those of a status that few have, in dataset order: none that the engine gives.
    index("campaign_leads_rare")
      .on(table.campaignId, table.status, table.rowIndex, table.id)
      .where(sql`${table.status} not in ('pending', 'active', 'completed')`),
    index("campaign_leads_by_address").on(table.workspaceId, table.emailKey),
    // The claim's two probes, within a zone: follow-ups of a sender, oldest due first; new leads in dataset order. Sender
    // and workspace first, so that the campaigns with such leads are found as well, and no other one is looked at.
    index("campaign_leads_of_lane")
      .on(table.aliasId, table.campaignId, table.zone, table.nextActionAt)
      .where(
        sql`${table.status} = 'active' and ${table.nextActionAt} is not null and ${table.holdReason} is null`,
      ),
    index("campaign_leads_to_start")
      .on(table.workspaceId, table.campaignId, table.zone, table.nextActionAt, table.rowIndex)
      .where(sql`${table.status} = 'pending' and ${table.holdReason} is null`),
    // The same for engine_claim_4, with which it goes.
    index("campaign_leads_new")
      .on(table.campaignId, table.zone, table.nextActionAt, table.rowIndex)
      .where(
        sql`${table.status} = 'pending' and ${table.nextActionAt} is not null and ${table.holdReason} is null`,
      ),
    // The same for a sender with budgets, by budget. Without the status, so that only its own probe uses it.
    index("campaign_leads_budget")
      .on(table.campaignId, table.aliasId, table.nextBudget, table.zone, table.nextActionAt)
      .where(
        sql`${table.nextBudget} <> '' and ${table.aliasId} is not null and ${table.nextActionAt} is not null and ${table.holdReason} is null`,
      ),
    // Started leads whose next step any sender of its channel may take.
    index("campaign_leads_pool")
      .on(table.campaignId, table.nextChannel, table.nextBudget, table.zone, table.nextActionAt)
      .where(
        sql`${table.status} = 'active' and ${table.aliasId} is null and ${table.nextActionAt} is not null and ${table.holdReason} is null`,
      ),
    // Whether a campaign has active leads, and the pending ones that a drain skips: one probe at 300,000 leads.
    index("campaign_leads_open")
      .on(table.campaignId, table.status)
      .where(sql`${table.status} in ('pending', 'active')`),
    // What the release before counts for `processed_leads`, with which it goes.
    index("campaign_leads_ended")
      .on(table.campaignId)
      .where(sql`${table.status} not in ('pending', 'active')`),
    // Leads whose text is still to be written, in the order in which it will be needed.
    index("campaign_leads_awaiting_draft")
      .on(table.campaignId, table.status, table.nextActionAt, table.rowIndex)
      .where(sql`${table.holdReason} = 'awaiting_draft'`),
    // An account's leads with an open invitation; and the leads of a network id.
    index("campaign_leads_awaiting_acceptance")
      .on(table.aliasId)
      .where(sql`${table.holdReason} = 'awaiting_acceptance'`),
    // Whose notes are used up, before it is known until when.
    index("campaign_leads_awaiting_notes")
      .on(table.campaignId)
      .where(sql`${table.holdReason} = 'notes_used_up' and ${table.holdUntil} is null`),
    index("campaign_leads_person")
      .on(table.workspaceId, table.personId)
      .where(sql`${table.personId} is not null`),
    // The same by the name in the page of a member, before the network was asked.
    index("campaign_leads_profile")
      .on(table.workspaceId, sql`lower(substring(${table.profileUrl} from '/in/([^/]+)'))`)
      .where(sql`${table.profileUrl} is not null`),
    index("campaign_leads_hold")
      .on(table.holdUntil)
      .where(sql`${table.holdUntil} is not null`),
  ],
);

/**
 * The current or next window interval by the clocks of one zone of leads, while their
 * campaign runs and goes by those. An interval that is over is computed anew; so is that
 * of a new zone, which is empty.
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
    // Without `lastServedAt`, which claims change: the row then keeps its index entries.
    index("campaign_senders_of_lane").on(table.laneId, table.campaignId),
  ],
);
