import { type ChosenText, variablesOf } from "#src/domain/campaigns/choose-text.ts";
import { leadFields } from "#db/engine/index.ts";
import { renderTemplate, type RenderContext } from "#src/domain/senders/templates/template.ts";

/**
 * A step's own text as the lead would get it without personalization, for the model to write from. What the lead does not
 * have is left out, where a send would skip it: the model writes around a gap. Throws TemplateError.
 */
export function filledText(
  { source, profile }: Pick<ChosenText, "source" | "profile">,
  record: Readonly<Record<string, unknown>>,
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
