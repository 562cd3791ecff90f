import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  pgTable,
  real,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant, oneOf } from "./columns.ts";
import { type Channel, CHANNELS } from "./content.ts";

/** A lane belongs to one channel: an alias, or an account of a network, is one lane, whatever it can do. */
export type LaneKind = Channel;

/**
 * From which of its sender's budgets of the day an action takes: '' where the sender has one for all, as an
 * alias has. A profile view counts as a message.
 */
export const BUDGETS = ["", "connection", "message"] as const;
export type Budget = (typeof BUDGETS)[number];

export const SEND_STATES = [
  "claimed",
  "released",
  "canceled",
  "transmitting",
  "accepted",
  "rejected",
  "retry_wait",
  "unknown",
  "assumed_sent",
  "failed",
] as const;
export type SendState = (typeof SEND_STATES)[number];

/**
 * The unit of work of the engine: one sender, which may do one action at a
 * time. An email lane has its alias's id. `nextSlotAt` null means parked until
 * something wakes it; `dayFrom`..`dayUntil` is the accounting day (a date of
 * the workspace's zone) to which `used` belongs.
 */
export const senderLanes = pgTable(
  "sender_lanes",
  {
    id: uuid("id").primaryKey(),
    workspaceId: uuid("workspace_id").notNull(),
    kind: text("kind", { enum: CHANNELS }).notNull(),
    open: boolean("open").notNull(),
    nextSlotAt: instant("next_slot_at"),
    /** The start of the last action, from which the next gap is measured. */
    lastSlotAt: instant("last_slot_at"),
    /** When its last send really began: two of them never come closer than the gap, however late a worker is. */
    lastBegunAt: instant("last_begun_at"),
    /** Counts the actions of this lane for ever; seeds the jitter of its gaps. */
    slotNo: bigint("slot_no", { mode: "number" }).notNull(),
    minIntervalSeconds: integer("min_interval_seconds"),
    dayCap: integer("day_cap").notNull(),
    used: integer("used").notNull(),
    /** Of an account of a network: how much of `dayCap` and `used` are connection requests; the rest are messages. */
    connectionCap: integer("connection_cap"),
    connectionsUsed: integer("connections_used").notNull().default(0),
    dayFrom: instant("day_from"),
    dayUntil: instant("day_until"),
    /** Breaker: closed until then, after `failures` failures in a row. */
    closedUntil: instant("closed_until"),
    failures: integer("failures").notNull(),
    /** Since when `open` is false; its leads get another sender after a while. */
    closedSince: instant("closed_since"),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    oneOf("sender_lanes_kind", table.kind, CHANNELS),
    // With the end of the day, so that those which wait beyond it are told from all that wait without reading these.
    index("sender_lanes_slots")
      .on(table.nextSlotAt, table.dayUntil)
      .where(sql`${table.open} and ${table.nextSlotAt} is not null`),
    // Whose next slot lies behind the end of their day, which is over by then: as a rule one slot of each day.
    index("sender_lanes_new_day")
      .on(table.nextSlotAt)
      .where(
        sql`${table.open} and (${table.dayUntil} is null or ${table.dayUntil} <= ${table.nextSlotAt})`,
      ),
    index("sender_lanes_workspace").on(table.workspaceId),
  ],
);

/**
 * The send ledger: at most one row per (campaign lead, step), made by the
 * claim; it is the guard against sending twice. Facts that come later (opened,
 * clicked, bounced) are columns here, not states.
 */
export const sends = pgTable(
  "sends",
  {
    id: uuid("id").primaryKey(),
    workspaceId: uuid("workspace_id").notNull(),
    campaignId: uuid("campaign_id").notNull(),
    campaignLeadId: uuid("campaign_lead_id").notNull(),
    step: integer("step").notNull(),
    laneId: uuid("lane_id").notNull(),
    state: text("state", { enum: SEND_STATES }).notNull(),
    emailKey: text("email_key"),
    /** Deterministic per (campaign lead, step), never per attempt: receivers that de-duplicate collapse a rare double. */
    messageId: text("message_id"),
    variantLabel: text("variant_label"),
    /** Of a step that is tried out: its arm (`experiments.ts`), and the version of the weights by which it was drawn, 0 for the configured ones. */
    arm: text("arm"),
    weightsVersion: integer("weights_version"),
    templateId: uuid("template_id"),
    templateVersion: integer("template_version"),
    senderProfileId: uuid("sender_profile_id"),
    configVersion: integer("config_version").notNull(),
    subject: text("subject"),
    slotAt: instant("slot_at").notNull(),
    /** The dates to which the reservation was charged, for a refund on the same date. */
    campaignDay: date("campaign_day", { mode: "string" }).notNull(),
    laneDayUntil: instant("lane_day_until").notNull(),
    budget: text("budget", { enum: BUDGETS }).notNull().default(""),
    isNew: boolean("is_new").notNull(),
    claimedAt: instant("claimed_at").notNull(),
    leaseUntil: instant("lease_until"),
    workerToken: uuid("worker_token"),
    /** How often it was claimed since it last got as far as its begin. */
    claims: integer("claims").notNull(),
    /** How often of these a worker had it all to itself; then its end can be put down to it. */
    alone: integer("alone"),
    attempts: integer("attempts").notNull(),
    /** How often it was refused for what may be its recipient's fault or its sender's, whether or not an attempt was spent; and since when. */
    refusals: integer("refusals").notNull().default(0),
    refusedSince: instant("refused_since"),
    transmittingAt: instant("transmitting_at"),
    acceptedAt: instant("accepted_at"),
    /** Last reply of the relay, or why the state is what it is, in words. */
    reason: text("reason"),
    opens: integer("opens").notNull(),
    clicks: integer("clicks").notNull(),
    machineOpens: integer("machine_opens").notNull(),
    machineClicks: integer("machine_clicks").notNull(),
    firstOpenedAt: instant("first_opened_at"),
    firstClickedAt: instant("first_clicked_at"),
    repliedAt: instant("replied_at"),
    bouncedAt: instant("bounced_at"),
    /** It came back for now: mailbox full, server away. */
    softBouncedAt: instant("soft_bounced_at"),
    /** An automatic answer came back: an absence, a ticket, a notice that the person has left. */
    autoRepliedAt: instant("auto_replied_at"),
    complainedAt: instant("complained_at"),
    unsubscribedAt: instant("unsubscribed_at"),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    oneOf("sends_state", table.state, SEND_STATES),
    oneOf("sends_budget", table.budget, BUDGETS),
    uniqueIndex("sends_lead_step").on(table.campaignLeadId, table.step),
    index("sends_campaign").on(table.campaignId, table.state),
    // What went out of a workspace in a span of time. By the slot, which does not change any more once it is out.
    index("sends_out")
      .on(table.workspaceId, table.slotAt)
      .where(sql`${table.state} in ('accepted', 'assumed_sent', 'rejected')`),
    // What of a campaign went out on a date, in its order.
    index("sends_campaign_day")
      .on(table.campaignId, table.campaignDay, table.slotAt, table.id)
      .where(sql`${table.state} in ('accepted', 'assumed_sent', 'rejected')`),
    // A sender's use of a day, counted anew with another time zone or domain limit.
    index("sends_lane").on(table.laneId, table.slotAt),
    index("sends_message_id")
      .on(table.messageId)
      .where(sql`${table.messageId} is not null`),
    index("sends_address").on(table.workspaceId, table.emailKey, table.acceptedAt),
    index("sends_open")
      .on(table.leaseUntil)
      .where(sql`${table.state} in ('claimed', 'transmitting')`),
    index("sends_unknown")
      .on(table.transmittingAt)
      .where(sql`${table.state} = 'unknown'`),
  ],
);

/**
 * The page of a campaign's message as it was written, before footer and tracking: what a conversation
 * shows. Kept for MESSAGE_TEXT_DAYS. `writtenAt` is null where the function of an older release wrote it.
 */
export const sendBodies = pgTable(
  "send_bodies",
  {
    sendId: uuid("send_id")
      .primaryKey()
      .references(() => sends.id, { onDelete: "cascade" }),
    html: text("html").notNull(),
    writtenAt: instant("written_at"),
  },
  (table) => [index("send_bodies_written").on(table.writtenAt)],
);

/**
 * Messages whose rows have ended (`db/campaigns/end-messages.ts`), for the links in them by which a person ends all
 * mail: those work for ever.
 */
export const endedSends = pgTable(
  "ended_sends",
  {
    id: uuid("id").primaryKey(),
    campaignLeadId: uuid("campaign_lead_id").notNull(),
  },
  (table) => [index("ended_sends_lead").on(table.campaignLeadId)],
);

/** One row: when the engine last ran, and how many messages a second a run sends, by the last few of them. */
export const engineState = pgTable("engine_state", {
  id: integer("id").primaryKey(),
  lastTickAt: instant("last_tick_at"),
  sendsPerSecond: real("sends_per_second"),
});
