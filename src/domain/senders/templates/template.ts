import { Output, type Template, Value } from "liquidjs";
import { fillPlain, notePlain } from "./plain-template.ts";
import { expandSpintax } from "./spintax.ts";
import { asTemplateError, missingVariables, TemplateError } from "./template-error.ts";
import { engines, MAX_TEMPLATE_CHARACTERS, type TemplateContext } from "./template-engine.ts";

/** Distinct variables of one text (contract section 1). */
export const MAX_VARIABLES = 100;
/** Tags open at once: the parser takes a call for each. */
const MAX_NESTED_TAGS = 100;

/** A text of one seed, read: spintax expanded, Liquid parsed. */
export type ReadTemplate = Template[];

/** Where the text goes: HTML is escaped, a subject is one line, text stays as it is. */
export type RenderContext = "html" | "text" | "subject";

/** `missing` names what did not resolve and has no default; such a text is never sent. */
export type Rendered = { ok: true; text: string } | { ok: false; missing: string[] };

/** `skeleton`: of a template of nothing but variables, what it is without their values (plain-template.ts). */
type Filled = Rendered & { skeleton?: string };

/**
 * Spintax, then Liquid. A variable that is absent, null or blank counts as missing wherever it is
 * written out without a `default` in its chain of filters; in conditions it is simply false.
 * Throws TemplateError.
 */
export function renderTemplate(
  source: string,
  variables: Readonly<Record<string, unknown>>,
  context: RenderContext,
  seed: string,
): Rendered {
  const { skeleton: _, ...rendered } = createRenderer(variables)(source, context, seed);
  return rendered;
}

/** `renderTemplate` for several texts of the same variables. */
export function createRenderer(
  variables: Readonly<Record<string, unknown>>,
): (source: string, context: RenderContext, seed: string) => Filled {
  let present: Record<string, unknown> | undefined;
  const withPresent = () => (present ??= withoutBlanks(variables));
  return (source, context, seed) =>
    fill(readTemplate(source, context, seed), variables, withPresent, context);
}

/** The first half of `renderTemplate`, the same for all recipients of one seed. */
export function readTemplate(source: string, context: RenderContext, seed: string): ReadTemplate {
  return parsedBefore(expandSpintax(source, seed), context === "html" ? "html" : "text");
}

/** The second half of `renderTemplate`. Throws TemplateError. */
export function fillTemplate(
  templates: ReadTemplate,
  variables: Readonly<Record<string, unknown>>,
  context: RenderContext,
): Rendered {
  return fill(templates, variables, () => withoutBlanks(variables), context);
}

function fill(
  templates: ReadTemplate,
  variables: Readonly<Record<string, unknown>>,
  present: () => Record<string, unknown>,
  context: RenderContext,
): Filled {
  const place = context === "html" ? "html" : "text";
  try {
    const plain = fillPlain(templates, variables, place);
    const text = plain?.text ?? String(engines[place].renderSync(templates, present()));
    const left = unresolvedPlaceholders(text);
    if (left.length > 0) return { ok: false, missing: left };
    return {
      ok: true,
      text: context === "subject" ? text.replace(/[\s\u0000-\u001f\u007f]+/g, " ").trim() : text,
      ...(plain && { skeleton: plain.skeleton }),
    };
  } catch (error) {
    const missing = missingVariables(error);
    if (missing) return { ok: false, missing };
    throw asTemplateError(error);
  }
}

/** The variables a template reads, `sender.full_name` for a property, sorted. Throws TemplateError, of more than `MAX_VARIABLES` too. */
export function templateVariables(source: string): string[] {
  const names = variablesIn(parse(source, "text"));
  if (names.length > MAX_VARIABLES)
    throw new TemplateError(
      "limit",
      `a text has at most ${MAX_VARIABLES} distinct variables, this one has ${names.length}`,
    );
  return names;
}

/** The limit that a text exceeds, in words; null within the limits, and for a text that does not parse. */
export function limitFault(source: string): string | null {
  if (
    new Set(source.match(/\{[{%][^{}]{0,100}/g)).size <= MAX_VARIABLES &&
    !isNestedTooDeeply(source)
  )
    return null;
  try {
    templateVariables(source);
    return null;
  } catch (error) {
    return error instanceof TemplateError && error.kind === "limit" ? error.message : null;
  }
}

/** The variables that a part of a template reads and does not assign itself, sorted. */
export const variablesIn = (templates: ReadTemplate): string[] =>
  [...new Set(engines.text.globalFullVariablesSync(templates))].toSorted();

/** Placeholders left unfilled: braces are never sent. */
export function unresolvedPlaceholders(text: string): string[] {
  if (!text.includes("{{") && !text.includes("{%")) return [];
  return [...new Set(text.match(/\{\{[^{}]{0,100}\}\}|\{%[^{}]{0,100}%\}/g))];
}

function parse(source: string, context: TemplateContext): Template[] {
  if (source.length > MAX_TEMPLATE_CHARACTERS)
    throw new TemplateError(
      "limit",
      `a template has at most ${MAX_TEMPLATE_CHARACTERS} characters`,
    );
  if (isNestedTooDeeply(source))
    throw new TemplateError("limit", `tags are nested more than ${MAX_NESTED_TAGS} deep`);
  try {
    return engines[context].parse(source);
  } catch (error) {
    throw asTemplateError(error);
  }
}

const BLOCK = /\{%-?\s*(end)?(?:if|unless|case|capture|comment)\b/g;

function isNestedTooDeeply(source: string): boolean {
  let depth = 0;
  for (const [, end] of source.matchAll(BLOCK)) {
    depth = end === undefined ? depth + 1 : Math.max(0, depth - 1);
    if (depth > MAX_NESTED_TAGS) return true;
  }
  return false;
}

/** A tick writes the same text for many leads: so many of the last ones of either kind stay parsed, if they are not unusually long. */
const MOST_KEPT = 32;
const LONGEST_KEPT = 20_000;
const kept: Readonly<Record<TemplateContext, Map<string, Template[]>>> = {
  html: new Map(),
  text: new Map(),
};

/** Rendering leaves what was parsed as it is. */
function parsedBefore(source: string, context: TemplateContext): Template[] {
  const texts = kept[context];
  const known = texts.get(source);
  if (known !== undefined) return known;
  const templates = parse(source, context);
  allowLateDefaults(templates);
  notePlain(templates, source);
  if (source.length > LONGEST_KEPT) return templates;
  const [oldest] = texts.keys();
  if (texts.size === MOST_KEPT) texts.delete(oldest!);
  texts.set(source, templates);
  return templates;
}

/** Liquid forgives an undefined variable only where `default` is the first filter; any place in the chain will do: until then it stays missing. */
function allowLateDefaults(templates: readonly Template[]): void {
  for (const template of templates) {
    if (template instanceof Output) {
      const { value } = template;
      if (value.filters.some(({ name }) => name === "default"))
        value.value = (context) => Value.prototype.value.call(value, context, true);
    }
    const parent: Template = template;
    const children = parent.children?.(false, true).next().value;
    if (Array.isArray(children)) allowLateDefaults(children);
  }
}

/** Variables as plain data without prototypes; null and blank ones, and lists of nothing else, are left out, so that they count as missing. */
function withoutBlanks(
  value: Readonly<Record<string, unknown>>,
  depth = 0,
): Record<string, unknown> {
  const out: Record<string, unknown> = Object.create(null);
  for (const [key, each] of Object.entries(value)) {
    const plain = plainValue(each, depth);
    if (plain !== undefined) out[key] = plain;
  }
  return out;
}

function plainValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof Date) return value.toISOString();
  if (depth > 4) return undefined;
  if (Array.isArray(value)) {
    const plain = value.map((each) => plainValue(each, depth + 1));
    const items = plain.filter((each) => each !== undefined);
    return items.length === 0 ? undefined : items;
  }
  return withoutBlanks(value as Record<string, unknown>, depth + 1);
}
