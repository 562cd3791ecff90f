import { type SQL, sql } from "drizzle-orm";
import {
  ACCEPTANCE_HOLD,
  ACTION_TYPES,
  actionOf,
  type LaunchPolicy,
  type Step,
  type StepHold,
} from "../schema/index.ts";
import { approvedEntry, draftHoldAt, draftHoldOf, isDraftedStep } from "./draft-hold.ts";

/** What a lead may wait for before a step: its text (draft-hold.ts), or that it accepts an invitation. */

/** Whether a step only reaches connected people, and an earlier step asks to connect. */
export function isAfterInvitation(steps: readonly Step[], index: number): boolean {
  const acceptanceOf = (step: Step | undefined) => step && actionOf(step.action_type).acceptance;
  return (
    acceptanceOf(steps[index]) === "needed" &&
    steps.slice(0, index).some((earlier) => acceptanceOf(earlier) === "asked")
  );
}

/** The same of campaign `c`; `index` counts from 0. */
export const isAfterInvitationAt = (index: SQL): SQL => sql`(
  ${isWith("needed", sql`c.steps -> (${index})`)} and exists (
    select 1 from jsonb_array_elements(c.steps) with ordinality earlier(step, n)
    where earlier.n <= (${index}) and ${isWith("asked", sql`earlier.step`)}))`;

function isWith(acceptance: "asked" | "needed", step: SQL): SQL {
  const is = ACTION_TYPES.filter((type) => actionOf(type).acceptance === acceptance).map(
    (type) => sql`${step} @> ${sql.raw(`'{"action_type": "${type}"}'`)}`,
  );
  return is.length === 1 ? is[0]! : sql`(${sql.join(is, sql` or `)})`;
}

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
