import { readInstant, readOptionalInstant } from "../instants.ts";
import { readDays } from "./rollover.ts";
import type { CampaignStatus, Ramp, SendState, Step, Weekday } from "../schema/index.ts";

export interface SnapshotCampaign {
  id: string;
  status: CampaignStatus;
  timezone: string;
  start: string;
  end: string;
  days: Weekday[];
  steps: Step[];
  dailyLimit: number;
  maxNewLeadsPerDay: number | null;
  minIntervalSeconds: number;
  openFrom: Date | null;
  openUntil: Date | null;
  openDay: string | null;
  used: number;
  usedNew: number;
}

export interface SnapshotLane {
  id: string;
  open: boolean;
  nextSlotAt: Date | null;
  lastSlotAt: Date | null;
  slotNo: number;
  minIntervalSeconds: number | null;
  dayCap: number;
  used: number;
  dayFrom: Date | null;
  dayUntil: Date | null;
  closedUntil: Date | null;
  failures: number;
  dailyLimit: number;
  ramp: Ramp | null;
  createdAt: Date;
  /** Its domain, if that has a daily limit. */
  limitedDomainId: string | null;
}

/** A mail domain with a daily limit, to which lanes of the snapshot belong. */
export interface SnapshotDomain {
  id: string;
  dailyLimit: number;
  /** Its open senders that are not in the snapshot; they have their share too. */
  otherLaneIds: string[];
  /** What was dealt out, by the days' first instants. */
  shares: { dayFrom: Date; laneId: string; dealt: number }[];
}

export interface SnapshotLead {
  id: string;
  leadId: string;
  campaignId: string;
  emailKey: string;
  status: "pending" | "active";
  rowIndex: number;
  nextStep: number;
  /** Null while a send is open. */
  nextActionAt: Date | null;
  laneId: string | null;
  held: boolean;
  holdUntil: Date | null;
}

/** An open send of one of the leads, or one that waits to be tried again. */
export interface SnapshotSend {
  id: string;
  campaignLeadId: string;
  campaignId: string;
  laneId: string;
  step: number;
  state: SendState;
  emailKey: string;
  slotAt: Date;
  campaignDay: string;
  laneDayUntil: Date;
  isNew: boolean;
  leaseUntil: Date | null;
  transmittingAt: Date | null;
  claims: number;
  attempts: number;
}

type Row = Record<string, unknown>;

export const readCampaign = (row: Row): SnapshotCampaign => ({
  id: row["id"] as string,
  status: row["status"] as CampaignStatus,
  timezone: row["timezone"] as string,
  start: row["sending_window_start"] as string,
  end: row["sending_window_end"] as string,
  days: readDays(row["send_days"]),
  steps: row["steps"] as Step[],
  dailyLimit: Number(row["daily_limit"]),
  maxNewLeadsPerDay: row["max_new_leads_per_day"] as number | null,
  minIntervalSeconds: Number(row["min_interval_seconds"]),
  openFrom: readOptionalInstant(row["open_from"]),
  openUntil: readOptionalInstant(row["open_until"]),
  openDay: row["open_day"] as string | null,
  used: Number(row["used"]),
  usedNew: Number(row["used_new"]),
});

export const readLane = (row: Row): SnapshotLane => ({
  id: row["id"] as string,
  open: (row["open"] && row["usable"]) as boolean,
  nextSlotAt: readOptionalInstant(row["next_slot_at"]),
  lastSlotAt: readOptionalInstant(row["last_slot_at"]),
  slotNo: Number(row["slot_no"]),
  minIntervalSeconds: row["min_interval_seconds"] as number | null,
  dayCap: Number(row["day_cap"]),
  used: Number(row["used"]),
  dayFrom: readOptionalInstant(row["day_from"]),
  dayUntil: readOptionalInstant(row["day_until"]),
  closedUntil: readOptionalInstant(row["closed_until"]),
  failures: Number(row["failures"]),
  dailyLimit: Number(row["daily_limit"]),
  ramp: row["ramp"] as Ramp | null,
  createdAt: readInstant(row["created_at"]),
  limitedDomainId: row["limited_domain_id"] as string | null,
});

/** Instants come as text from JSON. */
export const readDomain = (row: Row): SnapshotDomain => ({
  id: row["id"] as string,
  dailyLimit: Number(row["daily_limit"]),
  otherLaneIds: row["other_lane_ids"] as string[],
  shares: (row["shares"] as { day_from: string; lane_id: string; dealt: number }[]).map(
    ({ day_from, lane_id, dealt }) => ({ dayFrom: new Date(day_from), laneId: lane_id, dealt }),
  ),
});

export const readLead = (row: Row): SnapshotLead => ({
  id: row["id"] as string,
  leadId: row["lead_id"] as string,
  campaignId: row["campaign_id"] as string,
  emailKey: row["email_key"] as string,
  status: row["status"] as "pending" | "active",
  rowIndex: Number(row["row_index"]),
  nextStep: Number(row["next_step"]),
  nextActionAt: readOptionalInstant(row["next_action_at"]),
  laneId: row["alias_id"] as string | null,
  held: row["hold_reason"] !== null,
  holdUntil: readOptionalInstant(row["hold_until"]),
});

export const readSend = (row: Row): SnapshotSend => ({
  id: row["id"] as string,
  campaignLeadId: row["campaign_lead_id"] as string,
  campaignId: row["campaign_id"] as string,
  laneId: row["lane_id"] as string,
  step: Number(row["step"]),
  state: row["state"] as SendState,
  emailKey: row["email_key"] as string,
  slotAt: readInstant(row["slot_at"]),
  campaignDay: row["campaign_day"] as string,
  laneDayUntil: readInstant(row["lane_day_until"]),
  isNew: row["is_new"] as boolean,
  leaseUntil: readOptionalInstant(row["lease_until"]),
  transmittingAt: readOptionalInstant(row["transmitting_at"]),
  claims: Number(row["claims"]),
  attempts: Number(row["attempts"]),
});
