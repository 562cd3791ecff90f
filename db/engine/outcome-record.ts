import { stopReasonOf } from "./stop-reason.ts";
import type { NextStep, SendOutcome } from "./store.ts";

const nextRecord = ({
  nextStep,
  nextActionAt,
  nextChannel,
  nextBudget,
  nextHold,
  planned,
}: NextStep) => ({
  next_step: nextStep,
  next_action_at: nextActionAt,
  next_channel: nextChannel ?? null,
  next_budget: nextBudget ?? null,
  next_hold: nextHold ?? null,
  config_version: planned.configVersion,
});

/** An outcome as `p_outcomes` holds it: what a function of the engine reads with `jsonb_to_recordset`. */
export function outcomeRecord(outcome: SendOutcome): Record<string, unknown> {
  const { id, kind, reason } = outcome;
  const base = {
    id,
    kind,
    reason: reason.slice(0, 1000),
    suppress: false,
    refused: false,
    looked_up: false,
    attempt_spent: true,
    lane: "none",
    skip: false,
    stop_reason: stopReasonOf(outcome),
    slows: "slows" in outcome && outcome.slows === true,
  };
  switch (outcome.kind) {
    case "accepted":
      return {
        ...base,
        accepted_at: outcome.acceptedAt,
        message_id: outcome.messageId ?? null,
        ...nextRecord(outcome),
      };
    case "assumed":
    case "confirmed":
      return { ...base, ...nextRecord(outcome) };
    case "rejected":
      return {
        ...base,
        scope: outcome.scope,
        suppress: outcome.suppress,
        suppress_until: outcome.suppressUntil ?? null,
      };
    case "retry":
      return {
        ...base,
        next_action_at: outcome.retryAt,
        attempt_spent: outcome.attemptSpent,
        lane: outcome.lane,
        refused: outcome.isRefusal === true,
        looked_up: outcome.lookedUp === true,
      };
    case "render_failed":
      return { ...base, skip: outcome.skip };
    case "held":
      return { ...base, hold: outcome.hold, approved_at: outcome.approvedAt };
    case "given_up":
      return { ...base, looked_up: outcome.lookedUp === true };
    case "unknown":
    case "released":
      return base;
  }
}
