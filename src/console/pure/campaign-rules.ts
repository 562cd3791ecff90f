/** What may be done with a campaign in which state, so that no button and no field promises what the API refuses. */
import { CHANGEABLE } from "../api/lists.ts";

export type CampaignStatus =
  | "draft"
  | "scheduled"
  | "launching"
  | "active"
  | "paused"
  | "draining"
  | "completed"
  | "failed";

export type Verb =
  | "launch"
  | "unschedule"
  | "pause"
  | "resume"
  | "drain"
  | "reset"
  | "duplicate"
  | "delete";

const VERBS: Record<Verb, readonly CampaignStatus[] | "any"> = {
  launch: ["draft", "failed"],
  unschedule: ["scheduled"],
  pause: ["active", "draining"],
  resume: ["paused", "draining"],
  drain: ["active"],
  reset: ["failed"],
  duplicate: "any",
  delete: ["draft", "paused", "completed", "failed"],
};

export const canDo = (verb: Verb, status: CampaignStatus): boolean => {
  const from = VERBS[verb];
  return from === "any" || from.includes(status);
};

/** A field of a change, by its name in the API. */
export const canChange = (field: string, status: CampaignStatus): boolean => {
  const fields = CHANGEABLE[status];
  return fields === "everything" || fields.includes(field);
};

/** Of a step: all of it, its text alone, or nothing, since it was sent. */
export type StepFreedom = "free" | "text" | "sent" | "shut";

export function freedomOf(
  status: CampaignStatus,
  step: number,
  sent: ReadonlySet<number>,
): StepFreedom {
  const fields = CHANGEABLE[status];
  if (fields === "everything") return "free";
  if (!fields.includes("steps")) return "shut";
  if (sent.has(step)) return "sent";
  return status === "paused" ? "free" : "text";
}

export const FREEDOM_WORDS: Record<StepFreedom, string | null> = {
  free: null,
  text: "While the campaign runs only the text of this step can change; pause it to change the rest.",
  sent: "This step was sent already and stays as it is.",
  shut: "Steps cannot change in this state of the campaign.",
};

/** What asks again after so many seconds: a launch is watched, a campaign that is done is not. */
export function pollSeconds(status: CampaignStatus | undefined): number | null {
  if (status === undefined || status === "completed" || status === "failed") return 60;
  if (status === "launching") return 2;
  return 15;
}
