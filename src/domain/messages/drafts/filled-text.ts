import { type ChosenText, variablesOf } from "#src/domain/campaigns/choose-text.ts";
import { leadFields } from "#db/engine/index.ts";
import { LEAD_VALUE } from "#src/domain/research/personalization/draft.ts";
import type { Sift } from "#src/domain/research/personalization/shown-data.ts";
import { expandSpintax } from "#src/domain/senders/templates/spintax.ts";
import { renderTemplate, type RenderContext } from "#src/domain/senders/templates/template.ts";

type Chosen = Pick<ChosenText, "source" | "profile">;
type Fields = Readonly<Record<string, unknown>>;

/**
 * A step's own text as the lead would get it without personalization, for the model to write from. What the lead does not
 * have is left out, where a send would skip it: the model writes around a gap. Throws TemplateError.
 */
export function filledText(
  { source, profile }: Chosen,
  record: Fields,
  seed: string,
): { subject: string; body: string } {
  const variables = variablesOf(leadFields(record), profile);
  const fill = (text: string, context: RenderContext, part: string) =>
    filled(text, variables, context, `${seed}/${part}`);
  return {
    subject: fill(source.subject, "subject", "subject"),
    body: fill(source.body, source.format, "body"),
  };
}

/**
 * What of a step's text the customer wrote: it with `LEAD_VALUE` in the place of each value of the lead, and besides the
 * words of all its branches, for with other values other conditions hold.
 */
export function ownWords(chosen: Chosen, record: Fields, seed: string): string[] {
  const { subject, body } = filledText(
    chosen,
    withTexts(record, () => LEAD_VALUE),
    seed,
  );
  const encoded = encodeURIComponent(LEAD_VALUE);
  return [
    ...[subject, body].map((text) => text.replaceAll(encoded, LEAD_VALUE)),
    allBranches(chosen.source.subject, `${seed}/subject`),
    allBranches(chosen.source.body, `${seed}/body`),
  ];
}

/** `filledText` with what the model may be shown of the lead. */
export const shownText = (chosen: Chosen, record: Fields, seed: string, sift: Sift) =>
  filledText(
    chosen,
    withTexts(record, (name, value) => (typeof value === "string" ? sift(name, value) : value)),
    seed,
  );

type Replace = (name: string, value: string | number) => string | number;

/** A lead with each of its texts and numbers replaced, by the name that it has in a list of facts. */
function withTexts(fields: Fields, replace: Replace, prefix = ""): Record<string, unknown> {
  const replaced = (name: string, value: unknown): unknown => {
    if (typeof value === "string") return value.trim() === "" ? value : replace(name, value);
    if (typeof value === "number") return replace(name, value);
    if (Array.isArray(value)) return value.map((each) => replaced(name, each));
    if (typeof value !== "object" || value === null || value instanceof Date) return value;
    return withTexts(value as Fields, replace, name === "custom" ? "" : `${name}.`);
  };
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, replaced(prefix + key, value)]),
  );
}

const MARKUP = /\{\{[^{}]*\}\}|\{%[^{}]*%\}/g;
const OF_SENDER = /^\{\{-?\s*sender\./;
const QUOTED = /"[^"]*"|'[^']*'/g;

/** The text without its tags, but for what they quote. */
const allBranches = (text: string, seed: string): string =>
  expandSpintax(text, seed).replace(MARKUP, (markup) => {
    const quoted = markup.match(QUOTED)?.map((each) => each.slice(1, -1));
    if (quoted !== undefined) return ` ${quoted.join(" ")} `;
    return markup.startsWith("{{") && !OF_SENDER.test(markup) ? LEAD_VALUE : " ";
  });

const OUTPUT = /\{\{[^{}]*\}\}/g;
const NAME = /[\p{L}\p{N}_.]+/gu;

function filled(
  text: string,
  variables: Readonly<Record<string, unknown>>,
  context: RenderContext,
  seed: string,
): string {
  const rendered = renderTemplate(text, variables, context, seed);
  if (rendered.ok) return rendered.text;
  const missing = new Set(rendered.missing);
  const isMissing = (output: string) =>
    missing.has(output.slice(2, -2).trim()) ||
    (output.match(NAME) ?? []).some(
      (name) => missing.has(name) || missing.has(name.split(".")[0]!),
    );
  const known = text.replace(OUTPUT, (output) => (isMissing(output) ? "" : output));
  const again = renderTemplate(known, variables, context, seed);
  return again.ok ? again.text : known.replace(OUTPUT, "").replace(/\{%[^{}]*%\}/g, "");
}
