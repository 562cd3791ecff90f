import { CAMPAIGN_STATUSES, type CampaignStatus } from "#db/schema/index.ts";
import { conflict } from "#src/errors.ts";

/**
 * Every edge of a campaign's states; what is not here cannot happen. Where one
 * trigger leads to several states, what decides is in the comment.
 */
const EDGES = {
  launch: { draft: ["launching"], failed: ["launching"] },
  schedule: { draft: ["scheduled"], failed: ["scheduled"] },
  unschedule: { scheduled: ["draft"] },
  reschedule: { scheduled: ["scheduled"] },
  hold_unreviewed: { scheduled: ["paused"] },
  cancel_unreviewed: { scheduled: ["draft"] },
  miss_schedule: { scheduled: ["paused"] },
  start_scheduled: { scheduled: ["launching"] },
  activate: { launching: ["active"] },
  fail_launch: { launching: ["failed"] },
  pause: { active: ["paused"], draining: ["paused"] },
  /** The state it was paused from; launching if it never launched. */
  resume: { paused: ["active", "draining", "launching"], draining: ["active"] },
  reconnect_account: { paused: ["active", "draining"] },
  drain: { active: ["draining"] },
  complete: { active: ["completed"], draining: ["completed"] },
  /** Only a completed campaign changes its state by it. */
  add_leads: {
    draft: ["draft"],
    launching: ["launching"],
    scheduled: ["scheduled"],
    active: ["active"],
    draining: ["draining"],
    paused: ["paused"],
    completed: ["active"],
  },
  reset: { failed: ["draft"] },
} as const satisfies Record<string, Partial<Record<CampaignStatus, readonly CampaignStatus[]>>>;

export type Trigger = keyof typeof EDGES;
export const TRIGGERS = Object.keys(EDGES) as Trigger[];

/** The states a trigger may lead to from here; empty when it cannot happen. */
export function targetsOf(from: CampaignStatus, trigger: Trigger): readonly CampaignStatus[] {
  const edges: Partial<Record<CampaignStatus, readonly CampaignStatus[]>> = EDGES[trigger];
  return edges[from] ?? [];
}

/** 409 INVALID_STATE_TRANSITION, naming the current status, unless the trigger has an edge from it. */
export function requireTransition(from: CampaignStatus, trigger: Trigger): void {
  if (targetsOf(from, trigger).length > 0) return;
  const sources = CAMPAIGN_STATUSES.filter((status) => targetsOf(status, trigger).length > 0);
  throw invalidTransition(
    from,
    `The campaign is ${from}; ${trigger.replaceAll("_", " ")} is possible from ${sources.join(", ")}.`,
  );
}

export function invalidTransition(status: CampaignStatus, message: string) {
  return conflict("INVALID_STATE_TRANSITION", message, { detail: { status } });
}
