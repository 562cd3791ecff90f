import { type SQL, sql } from "drizzle-orm";
import { DRAFT_HOLDS, type DraftHold, type LaunchPolicy } from "../schema/index.ts";

/**
 * A lead whose next step is written by a model is held until its text is there: held leads
 * are outside of the claim's indexes, so no lane ever stands still for one.
 */

/** What a lead waits for, by its campaign's policy: a text, or somebody who approves one. */
export const draftHoldOf = (policy: LaunchPolicy): DraftHold =>
  policy === "hold" ? "personalization_review_pending" : "awaiting_draft";

/** The same over campaign `c`, where its step at this index (from 0) is written by a model; else null. */
export const draftHoldAt = (index: SQL): SQL => sql`
  case when (c.steps -> ${index} ->> 'ai_personalization_enabled')::boolean
    then case c.unreviewed_launch_policy when 'hold' then 'personalization_review_pending' else 'awaiting_draft' end end`;

/** The entry that somebody approved for a step of a lead, null without one; `metadata` is the lead's. */
export const approvedEntry = (metadata: SQL, step: SQL): SQL =>
  sql`(${metadata} -> 'approved_emails' -> (${step})::text)`;

/** Whether a hold is one that a text ends, and not a person's. */
export const isDraftHold = (holdReason: SQL): SQL =>
  sql`${holdReason} in (${sql.raw(DRAFT_HOLDS.map((hold) => `'${hold}'`).join(", "))})`;
