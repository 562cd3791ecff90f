import { Output } from "liquidjs";
import {
  fillTemplate,
  type ReadTemplate,
  readTemplate,
  templateVariables,
  variablesIn,
} from "./template.ts";

/** Spintax writes out one alternative per seed; a few seeds see most of them. */
const SEEDS = ["1", "2", "3", "4"];
/** Characters that one text may be tried out on: 60 variables in a text of 2,000 with spintax, 25 in one of 20,000 without. */
const MAX_TRIED = 500_000;

/**
 * The variables without which a text is not sent: each whose absence, with all
 * the rest given, neither a default nor a condition makes up for. Variables outside
 * of all tags are read off the text; those that a tag may leave out are tried out
 * by rendering, and in texts too large for that are left to the send. Throws
 * TemplateError.
 */
export function requiredVariables(source: string): string[] {
  const names = templateVariables(source);
  const seeds = source.includes("|") ? SEEDS : SEEDS.slice(0, 1);
  const texts = seeds.map((seed) => readTemplate(source, "text", seed));
  const required = new Set(texts.flatMap(alwaysWritten));
  let tried = 0;
  for (const name of names) {
    if (required.has(name) || !source.includes("{%")) continue;
    const others = asVariables(names.filter((other) => other !== name));
    for (const text of texts) {
      tried += source.length;
      if (tried > MAX_TRIED || required.has(name)) break;
      if (isMissing(name, text, others)) required.add(name);
    }
  }
  return names.filter((name) => required.has(name));
}

/** Variables of outputs outside of tags and without a default: always required. */
function alwaysWritten(text: ReadTemplate): string[] {
  // A tag may assign a variable that a later output reads.
  if (text.some((part) => /^(assign|capture)$/.test(part.token.getText().match(TAG)?.[1] ?? "")))
    return [];
  const plain = text.filter(
    (part) => part instanceof Output && !part.value.filters.some(({ name }) => name === "default"),
  );
  return variablesIn(plain);
}

const TAG = /^\{%-?\s*(\w+)/;

function isMissing(name: string, text: ReadTemplate, others: Record<string, unknown>): boolean {
  const filled = fillTemplate(text, others, "text");
  // Without any property of `b` present, it is `b` that `b.c` is missing by.
  return !filled.ok && filled.missing.some((part) => `${name}.`.startsWith(`${part}.`));
}

/** `["a", "b.c"]` as `{a: "x", b: {c: "x"}}`. */
function asVariables(names: string[]): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const name of names) {
    const path = name.split(".");
    let place = root;
    for (const part of path.slice(0, -1)) {
      const next = place[part];
      place = (typeof next === "object" ? next : (place[part] = {})) as Record<string, unknown>;
    }
    place[path.at(-1)!] ??= "x";
  }
  return root;
}
