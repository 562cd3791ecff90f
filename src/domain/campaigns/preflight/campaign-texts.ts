import type { LaunchInputs } from "#db/campaigns/launch-inputs.ts";
import type { Channel, Step } from "#db/schema/index.ts";
import { templateVariables } from "#src/domain/senders/templates/template.ts";
import { TemplateError } from "#src/domain/senders/templates/template-error.ts";

/** One text that a campaign may send, and where it stands. */
export interface StepText {
  where: string;
  step: number;
  channel: Channel;
  subject: string | null;
  body: string;
  profileId: string | null;
}

/** A template that a step names and that is gone, or is written for another channel. */
export interface MissingText {
  where: string;
  problem: string;
}

/** Every text of the steps, with its template looked up. */
export function textsOf(
  steps: Step[],
  templates: LaunchInputs["templates"],
): { texts: StepText[]; missing: MissingText[] } {
  const known = new Map(templates.map((template) => [template.id, template]));
  const texts: StepText[] = [];
  const missing: MissingText[] = [];
  for (const step of steps) {
    const base = { step: step.step, channel: step.channel };
    if (step.message_template !== undefined)
      texts.push({
        ...base,
        where: `step ${step.step}`,
        subject: null,
        body: step.message_template,
        profileId: null,
      });
    for (const variant of step.variants) {
      const where = `step ${step.step}, variant ${variant.label}`;
      const profileId = variant.sender_profile_id ?? null;
      if (variant.type === "INLINE") {
        const { subject = null, body } = variant;
        texts.push({ ...base, where, subject, body, profileId });
        continue;
      }
      const template = known.get(variant.template_id);
      if (template === undefined) missing.push({ where, problem: "its template no longer exists" });
      else if (template.channel !== step.channel)
        missing.push({
          where,
          problem: `the template "${template.name}" is for ${template.channel}`,
        });
      else
        texts.push({ ...base, where, subject: template.subject, body: template.body, profileId });
    }
  }
  return { texts, missing };
}

/** The variables that steps name in texts of their own; a text that cannot be read names none. */
export function inlineVariables(steps: Step[]): string[] {
  const { texts } = textsOf(steps, []);
  const names = texts.flatMap(({ subject, body }) => [
    ...readable(subject ?? ""),
    ...readable(body),
  ]);
  return [...new Set(names)];
}

function readable(source: string): string[] {
  try {
    return templateVariables(source);
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}
