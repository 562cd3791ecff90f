import { escapeHtml } from "#src/mime/escape-html.ts";
import type { TemplateContext } from "./template-engine.ts";

/** A template of texts with a variable between each two: `texts` has one more than `paths`. */
interface PlainTemplate {
  texts: readonly string[];
  paths: readonly (readonly string[])[];
  /** The template with `ANY_VALUE` in the place of each variable. */
  skeleton: string;
}

/** A character that no text has (of Unicode's private use). */
export const ANY_VALUE = "\uE000";

/** By what Liquid has read. */
const known = new WeakMap<object, PlainTemplate>();

/** Notes a template that has nothing but variables, as most have, by what Liquid has read of it. */
export function notePlain(read: object, source: string): void {
  const plain = plainTemplate(source);
  if (plain !== null) known.set(read, plain);
}

const OUTPUT = /\{\{([^{}]*)\}\}/;
const PATH = /^\s*([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*)\s*$/i;
/** Names that mean something else to Liquid. */
const WORDS = new Set("true false nil null empty blank not and or contains".split(" "));

function plainTemplate(source: string): PlainTemplate | null {
  if (source.includes("{%")) return null;
  const texts: string[] = [];
  const paths: string[][] = [];
  for (const [index, part] of source.split(OUTPUT).entries()) {
    if (index % 2 === 0) texts.push(part);
    else {
      const path = PATH.exec(part)?.[1]!.split(".");
      if (path === undefined || path.some((name) => WORDS.has(name))) return null;
      paths.push(path);
    }
  }
  // Braces beside each other are Liquid's to judge.
  const isBraced = texts.some(
    (text, index) =>
      text.includes("{{") ||
      (index > 0 && text.startsWith("}")) ||
      (index < paths.length && text.endsWith("{")),
  );
  return isBraced ? null : { texts, paths, skeleton: texts.join(ANY_VALUE) };
}

/** More than that, or deeper, Liquid's own limits decide. */
const MOST_CHARACTERS = 100_000;
const DEEPEST = 5;

/**
 * What Liquid makes of a template of nothing but variables, at a thirtieth of the cost; null for any other one, and
 * where it is not plain to see: a variable without a value, a list, a long text.
 */
export function fillPlain(
  read: object,
  variables: Readonly<Record<string, unknown>>,
  context: TemplateContext,
): { text: string; skeleton: string } | null {
  const template = known.get(read);
  if (template === undefined) return null;
  const { texts, paths, skeleton } = template;
  let out = texts[0]!;
  let length = 0;
  for (const [index, path] of paths.entries()) {
    const text = path.length > DEEPEST ? null : plainText(path.reduce<unknown>(own, variables));
    if (text === null || (length += text.length) > MOST_CHARACTERS) return null;
    out += (context === "html" ? escapeHtml(text) : text) + texts[index + 1]!;
  }
  return { text: out, skeleton };
}

const own = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

function plainText(value: unknown): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value;
  return typeof value === "boolean" || Number.isFinite(value) ? String(value) : null;
}
