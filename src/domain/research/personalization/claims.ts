import { languageOf } from "./checks/language.ts";
import { coverOf } from "./claims/cover.ts";
import { namesIn } from "./claims/names.ts";
import { type NumberSpan, numbersIn } from "./claims/numbers.ts";
import { quotesIn } from "./claims/quotes.ts";
import type { Claim, GivenSource } from "./draft.ts";
import { foldMarks, wordsOf } from "./normalize-text.ts";

/**
 * Everything a body states that can be looked up: numbers, names and quotations, each with the first source that holds it.
 * Plain comparison, without a model: of numbers their value and unit, of names and quotations their words.
 */
export function claimsOf(body: string, sources: readonly GivenSource[]): Claim[] {
  const language = languageOf(body)?.language ?? "en";
  const texts = sources.map(({ text }) => ` ${wordsOf(foldMarks(text)).join(" ")} `);
  const holderOf = (words: string): number | null =>
    words === "" ? null : found(texts.findIndex((text) => text.includes(` ${words} `)));
  const plain = (start: number, end: number) =>
    wordsOf(foldMarks(body.slice(start, end))).join(" ");

  const quotes = quotesIn(body).map(({ start, end }) => ({
    ...{ start, end, kind: "quote" as const },
    source_index: holderOf(plain(start, end)),
  }));
  const known = sources.filter(({ name }) => name === "lead_data" || name === "sender");
  const isKnown = (name: string) => known.some(({ text }) => text.includes(name));
  const names = namesIn(body, language, isKnown).map(({ start, end }) => ({
    ...{ start, end, kind: "name" as const },
    source_index: holderOf(plain(start, end)),
  }));
  const numbers = numberClaims(body, language, sources);
  // A month is part of its date.
  const isDated = coverOf(body.length, numbers);
  return [...numbers, ...names.filter((each) => !isDated(each)), ...quotes].toSorted(
    (a, b) => a.start - b.start || a.end - b.end,
  );
}

const found = (index: number): number | null => (index === -1 ? null : index);

function numberClaims(body: string, language: string, sources: readonly GivenSource[]): Claim[] {
  const stated = numbersIn(body, language);
  if (stated.length === 0) return [];
  const held = sources.map(({ text }) => new Set(numbersIn(text, language).flatMap(heldBy)));
  return stated.map(({ start, end, unit, values }) => ({
    start,
    end,
    kind: "number",
    source_index: found(
      held.findIndex((keys) => values.some((value) => keys.has(keyOf(unit, value)))),
    ),
  }));
}

const keyOf = (unit: string, value: string): string => `${unit} ${value}`;

/** What a source's number holds: a date its month and its year, an amount its number; but a number no amount. */
function heldBy({ unit, values }: NumberSpan): string[] {
  if (unit !== "date")
    return values.flatMap((value) => [
      keyOf(unit, value),
      ...(unit === "%" ? [] : [keyOf("", value)]),
    ]);
  return values.flatMap((date) => {
    const [year = "", month = "", day = ""] = date.split("-");
    const parts = [date, `${year}-${month}`, ...(day === "" ? [] : [`-${month}-${day}`])];
    return [...parts.map((part) => keyOf("date", part)), keyOf("", year)];
  });
}
