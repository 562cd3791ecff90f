import type { LaunchInputs } from "#db/campaigns/launch-inputs.ts";
import { htmlToText } from "#src/mime/html-to-text.ts";
import { textsOf, type StepText } from "./campaign-texts.ts";
import { type Check, type CheckedCampaign, passed, warned } from "./checks.ts";

/**
 * What SpamAssassin counts against a page with an image and so few bytes of words: its rules HTML_IMAGE_ONLY_04 to
 * _32, the highest of their four scores (50_scores.cf of 4.0). A tracking pixel is an image; 5 points are spam.
 */
const BANDS: readonly { below: number; points: number }[] = [
  { below: 400, points: 1.8 },
  { below: 800, points: 1.8 },
  { below: 1200, points: 2.1 },
  { below: 1600, points: 2 },
  { below: 2000, points: 2.1 },
  { below: 2400, points: 2.8 },
  { below: 2800, points: 2.8 },
  { below: 3200, points: 2.2 },
];

/** The bytes that SpamAssassin 4.0 counts of the footer, found by bisecting messages of known length. */
const FOOTER_BYTES = 330;

const weightOf = (bytes: number): number => BANDS.find(({ below }) => bytes < below)?.points ?? 0;

/** Whether the pixel of open tracking weighs on the campaign's mail; the template as written stands for what is sent. */
export function checkOpenTracking(
  { steps }: CheckedCampaign,
  { templates }: Pick<LaunchInputs, "templates">,
): Check {
  const tracked = new Set(
    steps.filter(({ channel, track_opens }) => channel === "email" && track_opens).map(stepNo),
  );
  const weighed = textsOf(steps, templates)
    .texts.filter(({ step }) => tracked.has(step))
    .map((text) => ({ where: text.where, bytes: wordBytes(text) + FOOTER_BYTES }))
    .map((text) => ({ ...text, points: weightOf(text.bytes) }))
    .filter(({ points }) => points > 0);
  const worst = weighed.toSorted((a, b) => b.points - a.points)[0];
  if (worst === undefined)
    return passed("open_tracking_weight", "No tracking pixel stands in a short email.");
  return warned(
    "open_tracking_weight",
    `Short emails with a tracking pixel (${weighed.length} texts) look to spam filters like an image with few words: ` +
      `up to ${worst.points} of SpamAssassin's 5 points for ${worst.where} (${worst.bytes} bytes of words with its footer). ` +
      "With track_opens false the step carries none.",
  );
}

const stepNo = ({ step }: { step: number }) => step;

/** The text that a reader sees, without variables and conditions. */
function wordBytes({ body }: StepText): number {
  const words = htmlToText(body.replace(/\{%[^{}%]*%\}|\{\{[^{}]*\}\}/g, ""));
  return new TextEncoder().encode(words).length;
}
