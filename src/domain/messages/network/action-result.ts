import type { ActionResult } from "#src/domain/engine/channel.ts";
import type { NetworkFailure, PersonReason } from "#src/providers/network/index.ts";

/** Why this person cannot be reached, as a lead's record says it. */
const PERSON: Record<PersonReason, string> = {
  not_found: "PERSON_NOT_FOUND: nobody is at this profile URL any more.",
  unreachable: "PERSON_UNREACHABLE: this person takes no messages from the account.",
  not_connected: "NOT_CONNECTED: this person is not connected with the account.",
  already_connected: "ALREADY_CONNECTED: this person is connected with the account.",
  already_invited: "ALREADY_INVITED: an invitation to this person is open already.",
};

/** What a limit closes. A limit of notes closes notes alone: prepared anew, the step waits or goes without one. */
const LIMITED = { action: "budget", notes: "content", calls: "sender" } as const;

/** The engine's result of an action; `ofSession`: the account has to be synced, and may need its owner. */
export type NetworkResult = ActionResult & { ofSession?: true };

/**
 * What a failed call means for the lead, the account and the line; a person's own troubles end the lead. A session that
 * does not work lets the account rest: whether it is gone the provider says when it is asked, and that closes it.
 */
export function failedAction(failure: NetworkFailure): NetworkResult {
  const { detail } = failure;
  switch (failure.kind) {
    case "limited":
      return { state: "deferred", reply: detail, scope: LIMITED[failure.scope] };
    case "account":
    case "refused_login":
      return {
        state: "deferred",
        reply: detail,
        scope: "sender",
        ofSession: true,
      };
    case "person":
      return {
        state: "rejected",
        reply: `${PERSON[failure.reason]} ${detail}`.trim(),
        scope: "message",
      };
    case "request":
      return { state: "rejected", reply: detail, scope: "message" };
    case "configuration":
    case "down":
      return { state: "deferred", reply: detail, scope: "connection" };
    case "unknown":
      return { state: "unknown", reason: detail };
  }
}

/** A failed read: it changed nothing, with or without an answer. */
export const failedQuestion = (failure: NetworkFailure): NetworkResult =>
  failure.kind === "unknown"
    ? { state: "deferred", reply: failure.detail, scope: "connection" }
    : failedAction(failure);
