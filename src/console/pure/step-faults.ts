/** What is wrong with steps that are typed, where the API would not hear of it or would say it later; and where its own words belong. */
import type { StepForm } from "./step-form.ts";

/** By the field's place in the body: `steps/0/delay_days`. */
export type Faults = Record<string, string>;

const WHOLE = /^\s*\d{1,9}\s*$/;

/** Texts that are no numbers never reach the API: the rest is its to judge. */
export function typedFaults(steps: readonly StepForm[]): Faults {
  const faults: Faults = {};
  for (const [index, step] of steps.entries()) {
    const at = `steps/${index}`;
    if (!inRange(step.delayDays, 365))
      faults[`${at}/delay_days`] = "Give a whole number of days from 0 to 365.";
    for (const [place, variant] of step.variants.entries()) {
      const where = `${at}/variants/${place}`;
      if (variant.weight.trim() !== "" && !inRange(variant.weight, 100))
        faults[`${where}/weight`] =
          "Give a whole number from 0 to 100, or nothing for an equal part.";
      if (variant.type === "INLINE" && variant.body.trim() === "")
        faults[`${where}/body`] = "Write the text of this variant.";
      if (variant.type === "TEMPLATE" && variant.templateId === "")
        faults[`${where}/template_id`] = "Choose a template.";
    }
  }
  return faults;
}

const inRange = (text: string, most: number): boolean => WHOLE.test(text) && Number(text) <= most;

/** A change is judged with the stored campaign as well, and then says its place in words: `steps.0.variants: ...`. */
export function placedFault(message: string): { at: string; message: string } | null {
  const [, path, words] = /^(steps(?:\.\w+)+): (.*)$/s.exec(message) ?? [];
  return path === undefined ? null : { at: path.replaceAll(".", "/"), message: words! };
}

/** As the API's faults name places, one message each. */
export function faultsAt(faults: readonly { at: string; message: string }[]): Faults {
  const found: Faults = {};
  for (const { at, message } of faults) found[at] ??= message;
  return found;
}

/** The faults of one step, with their places behind it. */
export function faultsOfStep(faults: Faults, index: number): [string, string][] {
  const start = `steps/${index}`;
  return Object.entries(faults).filter(([at]) => at === start || at.startsWith(`${start}/`));
}
