import { type SQL, sql } from "drizzle-orm";
import { ACCEPTANCE_HOLD, type LaunchPolicy, type Step, type StepHold } from "../schema/index.ts";
import { approvedEntry, draftHoldAt, draftHoldOf, isDraftedStep } from "./draft-hold.ts";

/** What a lead may wait for before a step: its text (draft-hold.ts), or that it accepts an invitation. */

/** Whether a step is a message that only reaches connected people, and an earlier step invites to connect. */
export function isAfterInvitation(steps: readonly Step[], index: number): boolean {
  const isMessage = steps[index]?.action_type === "message";
  return isMessage && steps.slice(0, index).some(isInvitation);
}

const isInvitation = ({ action_type }: Step): boolean => action_type === "connection_request";

/** The same of campaign `c`; `index` counts from 0. */
export const isAfterInvitationAt = (index: SQL): SQL => sql`(
  c.steps -> (${index}) @> '{"action_type": "message"}' and exists (
    select 1 from jsonb_array_elements(c.steps) with ordinality earlier(step, n)
    where earlier.n <= (${index}) and earlier.step @> '{"action_type": "connection_request"}'))`;

/** What the step at this index (from 0) waits for, unless it is there; null for nothing. */
export function stepHoldOf(
  steps: readonly Step[],
  index: number,
  policy: LaunchPolicy,
): StepHold | null {
  if (isDraftedStep(steps[index])) return draftHoldOf(policy);
  return isAfterInvitation(steps, index) ? ACCEPTANCE_HOLD : null;
}

/** The same of campaign `c`. */
export const stepHoldAt = (index: SQL): SQL => sql`
  coalesce(${draftHoldAt(index)}, case when ${isAfterInvitationAt(index)} then ${acceptance} end)`;

const acceptance = sql.raw(`'${ACCEPTANCE_HOLD}'`);

/** Whether lead `l` lacks what this hold waits for: an accepted connection, or an approved text for the step. */
export const stillWaits = (hold: SQL, step: SQL): SQL => sql`
  case ${hold} when ${acceptance} then l.connected_at is null else ${approvedEntry(sql`l.metadata`, step)} is null end`;

export const isAcceptanceHold = (hold: SQL): SQL => sql`${hold} = ${acceptance}`;
