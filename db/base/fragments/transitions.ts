import { type SQL, sql } from "drizzle-orm";
import { CAMPAIGN_STATUSES, type CampaignStatus } from "#db/schema/index.ts";

/** Every edge of a campaign's states: per trigger from which state to which. What is not here cannot happen. */
const EDGES = {
  launch: { draft: "launching", failed: "launching" },
  schedule: { draft: "scheduled", failed: "scheduled" },
  unschedule: { scheduled: "draft" },
  reschedule: { scheduled: "scheduled" },
  hold_unreviewed: { scheduled: "paused" },
  cancel_unreviewed: { scheduled: "draft" },
  miss_schedule: { scheduled: "paused" },
  start_scheduled: { scheduled: "launching" },
  activate: { launching: "active" },
  fail_launch: { launching: "failed" },
  pause: { active: "paused", draining: "paused" },
  /** By its owner, or by the account that it waited for. */
  resume: { paused: "active", draining: "active" },
  /** A resume of what was paused while it drained. */
  resume_draining: { paused: "draining" },
  /** A resume of what never launched. */
  resume_launch: { paused: "launching" },
  drain: { active: "draining" },
  complete: { active: "completed", draining: "completed" },
  /** Only a completed campaign changes its state by it. */
  add_leads: {
    draft: "draft",
    launching: "launching",
    scheduled: "scheduled",
    active: "active",
    draining: "draining",
    paused: "paused",
    completed: "active",
  },
  reset: { failed: "draft" },
  /** Its state stays on record. */
  remove: { draft: "draft", paused: "paused", completed: "completed", failed: "failed" },
} as const satisfies Record<string, Partial<Record<CampaignStatus, CampaignStatus>>>;

export type Trigger = keyof typeof EDGES;
type Edges = typeof EDGES;
/** A change of a campaign's status that one of the edges makes: `active>paused`. */
export type Arrow = {
  [T in Trigger]: {
    [F in keyof Edges[T]]: `${F & string}>${Edges[T][F] & string}`;
  }[keyof Edges[T]];
}[Trigger];
export const TRIGGERS = Object.keys(EDGES) as Trigger[];

/** The state that a trigger leads to from here; undefined when it cannot happen. */
export function targetOf(from: CampaignStatus, trigger: Trigger): CampaignStatus | undefined {
  const edges: Partial<Record<CampaignStatus, CampaignStatus>> = EDGES[trigger];
  return edges[from];
}

/** The states in which a trigger can happen. */
export const sourcesOf = (trigger: Trigger): CampaignStatus[] =>
  CAMPAIGN_STATUSES.filter((from) => targetOf(from, trigger) !== undefined);

/** Whether the trigger can happen, in SQL over a campaign. */
export const canTake = (trigger: Trigger): SQL =>
  sql.raw(`status in ('${sourcesOf(trigger).join("', '")}')`);

/** The status that the trigger makes, in SQL over a campaign that can take it. */
export const statusAfter = (trigger: Trigger): SQL =>
  sql.raw(
    `case status ${sourcesOf(trigger)
      .map((from) => `when '${from}' then '${targetOf(from, trigger)}'`)
      .join(" ")} end`,
  );

/** The head of a statement that moves campaigns `c` by the trigger: further conditions follow with `and`. */
export const transition = (trigger: Trigger, set: SQL, from = sql``): SQL => sql`
  update campaigns c set status = ${statusAfter(trigger)}, ${set} ${from}
  where ${canTake(trigger)} and c.deleted_at is null`;
