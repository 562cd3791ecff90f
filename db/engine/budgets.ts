import { type SQL, sql } from "drizzle-orm";
import {
  ACTION_TYPES,
  ACTIONS,
  actionsOf,
  type Budget,
  BUDGETS,
  CHANNELS,
  type LaneKind,
  type Step,
} from "../schema/index.ts";

/**
 * A sender's day is one count; that of an account of a network has two parts, of which each action takes
 * from one: `connection_cap` and `connections_used` are the connection requests of `day_cap` and `used`,
 * and messages have the rest. A part that is used up stands before nothing of the other.
 */

/** From which budget a step takes; '' behind the last one. */
export const budgetOf = (step: Pick<Step, "action_type"> | undefined): Budget =>
  step === undefined ? "" : ACTIONS[step.action_type].budget;

/** The same in SQL, of the step at this index (from 0). */
export const budgetAt = (steps: SQL, index: SQL): SQL => sql`
  case ${steps} -> ${index} ->> 'action_type' ${BRANCHES} else '' end`;

const BRANCHES = sql.raw(
  BUDGETS.filter((budget) => budget !== "")
    .map((budget) =>
      ACTION_TYPES.filter((type) => ACTIONS[type].budget === budget)
        .map((type) => `when '${type}' then '${budget}'`)
        .join(" "),
    )
    .join("\n       "),
);

/** The budgets that senders of a kind have. */
export const budgetsOf = (kind: LaneKind): readonly Budget[] => BUDGETS_OF[kind];
const BUDGETS_OF = Object.fromEntries(
  CHANNELS.map((kind) => [kind, [...new Set(actionsOf(kind).map((type) => ACTIONS[type].budget))]]),
) as Record<LaneKind, Budget[]>;

/** The same in SQL. */
export const budgetsOfKind = (kind: SQL): SQL =>
  sql`case when ${kind} = 'email' then ${arrayOf("email")} else ${arrayOf("socialnet")} end`;

const arrayOf = (kind: LaneKind): SQL =>
  sql.raw(
    `'{${budgetsOf(kind)
      .map((budget) => budget || '""')
      .join(",")}}'::text[]`,
  );

const connections = sql`coalesce(lane.connection_cap, 0)`;

/** The budgets of `lane` that are not used up on its day. */
export const openBudgets = sql`
  case when lane.kind <> 'email' then array_remove(array[
         case when lane.connections_used < ${connections} then 'connection' end,
         case when lane.used - lane.connections_used < lane.day_cap - ${connections} then 'message' end], null)
       when lane.used < lane.day_cap then '{""}'::text[] else '{}'::text[] end`;

/** The columns of `lane` once `x.refunds` places of the day `x.day_until`, of them `x.connection_refunds` of connections, are given back. */
export const usedAfterRefunds = {
  used: sql`(lane.used - case when lane.day_until = x.day_until then least(lane.used, x.refunds::int) else 0 end)`,
  connectionsUsed: sql`(lane.connections_used - case when lane.day_until = x.day_until then least(lane.connections_used, x.connection_refunds::int) else 0 end)`,
};
