import type { CampaignStatus, Step } from "#db/schema/index.ts";
import type { CampaignConfig } from "./config.ts";

type Field = keyof CampaignConfig | "externalId";

const ALWAYS: readonly Field[] = ["name", "description", "externalId"];
/** Fields that move the instants at which the engine may send; the campaign's time zone does, too. */
const PACING: readonly Field[] = [
  "dailyLimit",
  "maxNewLeadsPerDay",
  "minIntervalSeconds",
  "sendingWindowStart",
  "sendingWindowEnd",
  "sendDays",
  "useLeadTimezone",
];
const WHILE_UNDER_WAY: readonly Field[] = [...ALWAYS, ...PACING, "unreviewedLaunchPolicy", "steps"];

/** The fields that may change, by status; steps have rules of their own besides. */
export const CHANGEABLE: Record<CampaignStatus, readonly Field[] | "everything"> = {
  draft: "everything",
  failed: "everything",
  scheduled: [...WHILE_UNDER_WAY, "startDate"],
  active: WHILE_UNDER_WAY,
  paused: [...WHILE_UNDER_WAY, "aliasIds", "connectedAccountId", "systemPrompt", "timezone"],
  launching: ALWAYS,
  draining: ALWAYS,
  completed: ALWAYS,
};

/** The fields among those asked for that the status does not let change. */
export function lockedFields(status: CampaignStatus, fields: Field[]): Field[] {
  const changeable = CHANGEABLE[status];
  return changeable === "everything" ? [] : fields.filter((field) => !changeable.includes(field));
}

/** Whether a change of these fields changes neither recipients nor texts nor times. */
export const namesOnly = (fields: Field[]): boolean =>
  fields.every((field) => ALWAYS.includes(field));

/** Whether a change of these fields moves the instants at which the engine may send. */
export const changesPacing = (fields: Field[]): boolean =>
  fields.some((field) => field === "timezone" || PACING.includes(field));

export type StepChange =
  | {
      ok: true;
      /** Steps that must still be unsent when the change takes effect. */ unsentSteps: number[];
    }
  | { ok: false; code: "STEP_SENT" | "STEP_PLACE"; reason: string };

/**
 * Whether the steps may become these. Steps already sent stay as they are.
 * Unsent steps keep their place and timing while the campaign runs, where only
 * their text changes and steps are appended; paused, they may be removed or moved.
 */
export function judgeStepChange(
  status: CampaignStatus,
  before: Step[],
  after: Step[],
  sent: ReadonlySet<number>,
): StepChange {
  if (CHANGEABLE[status] === "everything") return { ok: true, unsentSteps: [] };
  const changed = before.filter(
    (step, index) => !sameValue(withoutRules(step), withoutRules(after[index])),
  );
  const alreadySent = changed.filter(({ step }) => sent.has(step));
  if (alreadySent.length > 0)
    return {
      ok: false,
      code: "STEP_SENT",
      reason: `Step ${listed(alreadySent)} was sent already and stays as it is.`,
    };
  if (status !== "paused") {
    const beyondText = changed.filter(
      (step, index) => !sameValue(withoutText(step), withoutText(after[changed[index]!.step - 1])),
    );
    if (beyondText.length > 0)
      return {
        ok: false,
        code: "STEP_PLACE",
        reason: `Of step ${listed(beyondText)} only text and variants can change while the campaign is ${status}; pause it to remove or reorder steps.`,
      };
  }
  return { ok: true, unsentSteps: changed.map(({ step }) => step) };
}

/** The steps, by their numbers, for which other texts are written after the change. */
export const rewrittenSteps = (before: Step[], after: Step[]): number[] =>
  before
    .filter((step, index) => !sameValue(writtenFrom(step), writtenFrom(after[index])))
    .map(({ step }) => step);

const writtenFrom = (step: Step | undefined) =>
  step && { channel: step.channel, action: step.action_type, variants: step.variants };

/** What a change of a campaign is kept from, and why. */
export interface Blocked {
  field: Field;
  code: "FIELD_LOCKED" | "STEP_SENT" | "STEP_PLACE";
  reason: string;
}

/** The rules of a change as a whole: by PATCH, and by a plan, which says all that would be refused. */
export function judgeChange(
  { status, steps }: { status: CampaignStatus; steps: Step[] },
  changes: Partial<Record<Field, unknown>> & { steps?: Step[] },
  sent: ReadonlySet<number>,
): { blocked: Blocked[]; unsentSteps: number[] } {
  const locked = lockedFields(status, Object.keys(changes) as Field[]);
  const blocked: Blocked[] = locked.map((field) => ({
    field,
    code: "FIELD_LOCKED",
    reason: `It cannot change while the campaign is ${status}.`,
  }));
  if (changes.steps === undefined || locked.includes("steps")) return { blocked, unsentSteps: [] };
  const verdict = judgeStepChange(status, steps, changes.steps, sent);
  if (verdict.ok) return { blocked, unsentSteps: verdict.unsentSteps };
  const { code, reason } = verdict;
  return { blocked: [...blocked, { field: "steps", code, reason }], unsentSteps: [] };
}

/** Whether it may go out without its note, and whether it is tried out, says nothing of what went out. */
function withoutRules(step: Step | undefined) {
  if (step === undefined) return undefined;
  const { note_optional: _rule, experiment: _experiment, ...rest } = step;
  return rest;
}

const listed = (steps: Step[]) => steps.map(({ step }) => step).join(", ");

function withoutText(step: Step | undefined) {
  if (step === undefined) return undefined;
  const { variants: _variants, message_template: _text, ...rest } = withoutRules(step)!;
  return rest;
}

/** Equality of plain values; the order of an object's keys does not matter. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameValue(a[key as never], b[key as never]));
}
