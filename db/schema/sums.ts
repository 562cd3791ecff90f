import { sql } from "drizzle-orm";
import {
  boolean,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { LEAD_STATUSES } from "./campaign-leads.ts";
import { instant, oneOf } from "./columns.ts";

/** By what a campaign's messages are summed: `1/A`, the sender, the campaign's date, the hour (UTC) in which a mail was taken, and `email` or `socialnet`. */
export const SUMS_BY = ["variant", "alias", "day", "hour", "channel"] as const;
export type SumsBy = (typeof SUMS_BY)[number];

/**
 * What is counted of a campaign's messages (`db/campaigns/sums.ts`), each of one key. Kept as its messages change, and
 * never counted anew: what ends of the messages stays in here.
 */
export const campaignSums = pgTable(
  "campaign_sums",
  {
    campaignId: uuid("campaign_id").notNull(),
    by: text("by", { enum: SUMS_BY }).notNull(),
    key: text("key").notNull(),
    messages: integer("messages").notNull(),
    sent: integer("sent").notNull(),
    firstMessages: integer("first_messages").notNull(),
    opened: integer("opened").notNull(),
    clicked: integer("clicked").notNull(),
    replied: integer("replied").notNull(),
    autoReplied: integer("auto_replied").notNull(),
    bounced: integer("bounced").notNull(),
    softBounced: integer("soft_bounced").notNull(),
    unsubscribed: integer("unsubscribed").notNull(),
    complained: integer("complained").notNull(),
    opens: integer("opens").notNull(),
    clicks: integer("clicks").notNull(),
    machineOpens: integer("machine_opens").notNull(),
    machineClicks: integer("machine_clicks").notNull(),
    leadsOpened: integer("leads_opened").notNull(),
    leadsClicked: integer("leads_clicked").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.campaignId, table.by, table.key] }),
    oneOf("campaign_sums_by", table.by, SUMS_BY),
  ],
);

/**
 * Changes of these sums, each written by a trigger with the change of its message, until they are folded in. Rows are
 * inserted and deleted alone, so that no two messages wait for each other.
 */
export const sendDeltas = pgTable(
  "send_deltas",
  {
    campaignId: uuid("campaign_id").notNull(),
    laneId: uuid("lane_id").notNull(),
    step: integer("step").notNull(),
    campaignDay: date("campaign_day", { mode: "string" }).notNull(),
    /** When it was taken, or came back at once; null where that is not known. */
    at: instant("at"),
    variantLabel: text("variant_label"),
    isMail: boolean("is_mail").notNull(),
    messages: smallint("messages").notNull().default(0),
    sent: smallint("sent").notNull().default(0),
    firstMessages: smallint("first_messages").notNull().default(0),
    opened: smallint("opened").notNull().default(0),
    clicked: smallint("clicked").notNull().default(0),
    replied: smallint("replied").notNull().default(0),
    autoReplied: smallint("auto_replied").notNull().default(0),
    bounced: smallint("bounced").notNull().default(0),
    softBounced: smallint("soft_bounced").notNull().default(0),
    unsubscribed: smallint("unsubscribed").notNull().default(0),
    complained: smallint("complained").notNull().default(0),
    opens: integer("opens").notNull().default(0),
    clicks: integer("clicks").notNull().default(0),
    machineOpens: integer("machine_opens").notNull().default(0),
    machineClicks: integer("machine_clicks").notNull().default(0),
    leadsOpened: smallint("leads_opened").notNull().default(0),
    leadsClicked: smallint("leads_clicked").notNull().default(0),
  },
  (table) => [index("send_deltas_campaign").on(table.campaignId)],
);

/** Of how many of its messages a lead opened one, and clicked in one: which of them is its first, and which its last taken back. */
export const campaignLeadHits = pgTable(
  "campaign_lead_hits",
  {
    campaignLeadId: uuid("campaign_lead_id").primaryKey(),
    campaignId: uuid("campaign_id").notNull(),
    opened: integer("opened").notNull(),
    clicked: integer("clicked").notNull(),
  },
  (table) => [index("campaign_lead_hits_campaign").on(table.campaignId)],
);

/** Campaigns of before there were sums, whose messages are still counted by each request. */
export const campaignsToSum = pgTable("campaigns_to_sum", {
  campaignId: uuid("campaign_id").primaryKey(),
});

/**
 * How many leads of a campaign are in each status, and how many of these are held: what all rows of it add up to
 * (`db/campaigns/lead-sums.ts`). A row without `isSum` is what one statement changed, until it is folded in. One without a
 * status says that the campaign is of before there were sums: its leads are still counted by each request.
 */
export const campaignLeadSums = pgTable(
  "campaign_lead_sums",
  {
    campaignId: uuid("campaign_id").notNull(),
    status: text("status", { enum: LEAD_STATUSES }),
    leads: integer("leads").notNull(),
    held: integer("held").notNull(),
    isSum: boolean("is_sum").notNull().default(false),
  },
  (table) => [
    // One for reads of a campaign and for what is not folded in: each change is written to it.
    index("campaign_lead_sums_campaign").on(table.isSum, table.campaignId),
    uniqueIndex("campaign_lead_sums_once")
      .on(table.campaignId, table.status)
      .where(sql`${table.isSum}`),
  ],
);
