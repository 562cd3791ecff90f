import type { SnapshotLead } from "#db/engine/snapshot-rows.ts";
import type { PausedReason, Step } from "#db/schema/index.ts";
import type { Campaign } from "#src/domain/engine/memory/rows.ts";
import type { State } from "#src/domain/engine/memory/state.ts";
import type { SuppressionReason } from "#db/schema/index.ts";
import { campaignActions } from "./campaign-actions.ts";
import { draftActions } from "./draft-actions.ts";
import { domainActions } from "./domain-actions.ts";
import { leadActions } from "./lead-actions.ts";
import { networkActions } from "./network-actions.ts";
import { restoreActions } from "./restore.ts";
import { senderActions } from "./sender-actions.ts";

/**
 * What people do to a workspace while its engine runs. Each answers whether it took
 * effect: the service refuses what the state does not allow.
 */
export interface Actions {
  pause(campaignId: string, at: Date): boolean;
  resume(campaignId: string, at: Date): boolean;
  drain(campaignId: string, at: Date): boolean;
  edit(campaignId: string, at: Date, change: CampaignEdit): boolean;
  /** Of steps that wait for nothing but their turn: neither for a model's text nor for a connection. */
  changeSteps(campaignId: string, at: Date, steps: Step[]): boolean;
  /** A completed campaign becomes active by it. */
  addLeads(campaignId: string, at: Date, leads: SnapshotLead[]): boolean;
  /** Marked as answered, or stopped: whatever is claimed for it is refused. */
  endLead(leadId: string, at: Date, how: "replied" | "stopped"): boolean;
  /**
   * A message that arrived is opened or answered, where it came; an email of unknown fate did go out, then. False if
   * none of the step began, or nobody can tell.
   */
  hear(leadId: string, step: number, at: Date, sign: Sign): boolean;
  hold(leadId: string, at: Date, until: Date | null): boolean;
  release(leadId: string, at: Date): boolean;
  /** Somebody approves a text for a step of a lead, at `approvedAt`. */
  approve(leadId: string, step: number, at: Date, approvedAt: string): boolean;
  /** Asks for the texts that are lacking; answers which, as lead and step. */
  prefetch(at: Date): string[];
  /** A model has answered: whether there is a text now, or nothing to write any more. */
  endDraft(leadId: string, step: number, at: Date, answer: DraftEnd): DraftEnd | "skipped";
  /** The person is connected with the account that asked for it. False if nobody did, or it was before. */
  accept(leadId: string, at: Date): boolean;
  /** Leads that wait to be accepted by people who were asked before then. */
  awaiting(before: Date): string[];
  /** Nobody answered an invitation for too long. False if the lead does not wait for that. */
  giveUpWaiting(leadId: string, at: Date): boolean;
  /** A text is there that a lead waits for; nobody has seen it. */
  endWait(leadId: string, step: number, at: Date): boolean;
  /** Nothing begins to the address any more; by what its owner says or does, its leads end everywhere. */
  suppress(emailKey: string, at: Date, reason: SuppressionReason): boolean;
  /** Another time zone for the person; null for one that nobody knows. */
  moveLead(leadId: string, at: Date, timezone: string | null): boolean;
  changeSender(laneId: string, at: Date, change: SenderChange): boolean;
  /** Receivers refuse it by policy: it is left alone until then. */
  restSender(laneId: string, at: Date, until: Date): boolean;
  /** Long enough out of order for its senders to be closed; answers which campaigns were paused for want of others, by id. */
  failDomain(domainId: string, at: Date): string[];
  healDomain(domainId: string, at: Date): boolean;
  limitDomain(domainId: string, at: Date, dailyLimit: number): boolean;
  /** Another time zone for the days of all senders. */
  moveWorkspace(timezone: string, at: Date): boolean;
  /** Somebody says that the database was put back to then: what may have gone out since is unknown; answers which, as lead and step. */
  restored(since: Date, at: Date): string[];
  /** Somebody knows whether one of these went out. */
  settleRestored(leadId: string, step: number, at: Date, isSent: boolean): boolean;
  /** Leads of senders that have been closed for a week go on from others; answers how many. */
  replaceGoneSenders(at: Date): number;
}

export type DraftEnd = "generated" | "failed";

export type Sign = "opened" | "answered";

export type CampaignEdit = Partial<
  Pick<Campaign, "dailyLimit" | "maxNewLeadsPerDay" | "minIntervalSeconds">
>;

/** Closed or opened by its owner, and what it may send. */
export interface SenderChange {
  status?: "active" | "paused";
  dailyLimit?: number;
  minIntervalSeconds?: number | null;
}

/** What the service knows besides the rows of the engine. */
export interface Workspace {
  state: State;
  pauses: Map<string, { from: Campaign["status"]; reason: PausedReason }>;
  failingDomains: Set<string>;
  /** When campaigns were last resumed. */
  resumed: Map<string, number>;
}

/** The same on the model, as the service does it to the database. */
export function createActions(state: State): Actions {
  const workspace: Workspace = {
    state,
    pauses: new Map(),
    failingDomains: new Set(),
    resumed: new Map(),
  };
  return {
    ...campaignActions(workspace),
    ...leadActions(workspace),
    ...draftActions(workspace),
    ...networkActions(workspace),
    ...senderActions(workspace),
    ...domainActions(workspace),
    ...restoreActions(state),
  };
}
