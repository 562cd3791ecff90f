import type { Step } from "#db/schema/index.ts";
import type { ModelData } from "#src/domain/engine/memory/index.ts";

/** A message that the simulated relay took, whatever became of its reply. */
export interface WireEntry {
  /** True time, in milliseconds. */
  at: number;
  /** The worker's clock when it asked to begin. */
  beganAt: number;
  /** Place of the begin, and of the claim before it, among all that took effect. */
  beganNo: number;
  claimNo: number;
  campaignId: string;
  leadId: string;
  step: number;
  laneId: string;
  address: string;
  messageId: string;
  /** Messages that it continues. */
  references: string[];
}

/** A handover that the relay refused or never ended. */
export interface AttemptEntry {
  at: number;
  beganAt: number;
  beganNo: number;
  campaignId: string;
  leadId: string;
  laneId: string;
  step: number;
}

/** What somebody did, with its place among all that took effect. */
export type StopEntry = { no: number; at: number } & (
  | { kind: "paused" | "resumed" | "drained"; campaignId: string }
  | { kind: "lead_ended" | "held" | "released"; leadId: string; until?: number | null }
  | { kind: "lead_moved"; leadId: string; timezone: string | null }
  | { kind: "opened"; leadId: string }
  | { kind: "suppressed" | "answered"; address: string }
  | { kind: "limits"; campaignId: string; dailyLimit: number; minIntervalSeconds: number }
  | { kind: "steps"; campaignId: string; steps: Step[] }
  | { kind: "leads_added"; campaignId: string; leads: ModelData["leads"] }
  | { kind: "senders_closed"; laneIds: string[] }
  | { kind: "senders_opened"; laneIds: string[]; by: "owner" | "domain" }
  | { kind: "sender_rests"; laneId: string; until: number }
  | { kind: "sender_limits"; laneId: string; dailyLimit: number; minIntervalSeconds: number | null }
  | { kind: "domain_limit"; domainId: string; dailyLimit: number }
  | { kind: "moved"; timezone: string }
  | { kind: "senders_replaced" }
);

export interface Violation {
  invariant: string;
  /** What happened, in a sentence. */
  text: string;
  at?: number;
  leadId?: string;
  laneId?: string;
  campaignId?: string;
}
