import type { Ramp, Weekday } from "../schema/index.ts";

/** Accounting days and window pieces that are over, as the store finds them, and the next ones, which the caller computes. */
export interface Rollovers {
  lanes: LaneRollover[];
  campaigns: CampaignRollover[];
  zones: ZoneRollover[];
}

export interface LaneRollover {
  id: string;
  timezone: string;
  slotAt: Date;
  dailyLimit: number;
  ramp: Ramp | null;
  /** When the sender was made: its ramp counts days from here. */
  createdAt: Date;
  /** Of an account of a network; null for an alias. */
  account: AccountDay | null;
}
/** What the day of an account is computed from. */
export interface AccountDay {
  dailyConnectionLimit: number;
  dailyMessageLimit: number;
  warmupDays: number;
  warmupFrom: Date | null;
  /** Slots of its connection requests of at least the last six dates. */
  connections: Date[];
}
export interface LaneDay {
  id: string;
  /** The slot that lies behind the lane's day: a lane that was rolled meanwhile keeps its later day. */
  slotAt: Date;
  dayFrom: Date;
  dayUntil: Date;
  /** Its own; a limit of its domain may leave it less. */
  dayCap: number;
  /** How many of these may be connection requests; null for an alias. */
  connectionCap: number | null;
}
interface WindowRollover {
  /** The campaign's. */
  timezone: string;
  start: string;
  end: string;
  days: Weekday[];
}
export interface CampaignRollover extends WindowRollover {
  id: string;
  useLeadTimezone: boolean;
  openUntil: Date | null;
}
/** A zone of the leads of a campaign that goes by their clocks. */
export interface ZoneRollover extends WindowRollover {
  campaignId: string;
  zone: string;
  openUntil: Date;
}
export interface CampaignPiece {
  id: string;
  openFrom: Date;
  openUntil: Date;
  day: string;
  /** The piece that this one follows, so that a change made meanwhile is not overwritten. */
  after: Date | null;
}
export interface ZonePiece {
  campaignId: string;
  zone: string;
  openFrom: Date;
  openUntil: Date;
  after: Date;
}
