import { type SQL, sql } from "drizzle-orm";
import { integer, orNull, text, typed } from "../base/rows.ts";
import type { Budget, LaneKind, StepHold } from "../schema/index.ts";
import { budgetAt } from "./budgets.ts";
import { stepHoldAt } from "./step-hold.ts";

/** What of campaign `c` and its lead decides about the step after this one (`StepPlan`). */
export const stepPlan = (step: SQL, zone: SQL = sql`l.zone`): SQL => sql`
  c.config_version, c.timezone, ${zone} as zone, (c.steps -> ${step} ->> 'delay_days')::int as next_delay_days,
  nullif(c.steps -> ${step} ->> 'channel', c.steps -> (${step} - 1) ->> 'channel') as next_channel,
  ${budgetAt(sql`c.steps`, step)} as next_budget,
  ${stepHoldAt(step)} as next_hold`;

export const stepPlanColumns = {
  configVersion: integer,
  timezone: text,
  zone: text,
  nextDelayDays: orNull(integer),
  nextChannel: orNull(typed<LaneKind>()),
  nextBudget: typed<Budget>(),
  nextHold: orNull(typed<StepHold>()),
};
