import { type SQL, sql } from "drizzle-orm";
import { integer, orNull, text, typed } from "../rows.ts";
import type { LaneKind } from "../schema/index.ts";

/** What of campaign `c` decides about the step after this one (`StepPlan`). */
export const stepPlan = (step: SQL): SQL => sql`
  c.timezone, (c.steps -> ${step} ->> 'delay_days')::int as next_delay_days,
  nullif(c.steps -> ${step} ->> 'channel', c.steps -> (${step} - 1) ->> 'channel') as next_channel`;

export const stepPlanColumns = {
  timezone: text,
  nextDelayDays: orNull(integer),
  nextChannel: orNull(typed<LaneKind>()),
};
