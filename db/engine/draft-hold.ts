import { type SQL, sql } from "drizzle-orm";
import type { DraftHold, LaunchPolicy, Step } from "../schema/index.ts";

/**
 * A lead whose next step is written by a model is held until its text is there: held leads
 * are outside of the claim's indexes, so no lane ever waits for such a lead.
 */

/** Whether campaign `c`'s step at this index (from 0) is an email that a model writes. */
export const isDrafted = (index: SQL): SQL =>
  sql`(c.steps -> ${index} @> '{"channel": "email", "ai_personalization_enabled": true}')`;

/** The same of a step. */
export const isDraftedStep = (step: Step | undefined): boolean =>
  step !== undefined && step.channel === "email" && step.ai_personalization_enabled;

/** What a lead waits for, by its campaign's policy: a text, or a user's approval of one. */
export const draftHoldOf = (policy: LaunchPolicy): DraftHold =>
  policy === "hold" ? "personalization_review_pending" : "awaiting_draft";

/** The same over campaign `c`, where its step at this index is such an email; else null. */
export const draftHoldAt = (index: SQL): SQL => sql`
  case when ${isDrafted(sql`${index}`)} then case c.unreviewed_launch_policy when 'hold' then 'personalization_review_pending' else 'awaiting_draft' end end`;

/** The entry that a user approved for a step of a lead, null without one; `metadata` is the lead's. */
export const approvedEntry = (metadata: SQL, step: SQL): SQL =>
  sql`(${metadata} -> 'approved_emails' -> (${step})::text)`;
