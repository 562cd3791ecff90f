import type { NextStep } from "#db/engine/index.ts";

/** What a next step was planned from, of a campaign that nobody has changed. */
export const plannedAt = (sentAt: Date, step = 1): NextStep["planned"] => ({
  step,
  sentAt,
  configVersion: 1,
});
