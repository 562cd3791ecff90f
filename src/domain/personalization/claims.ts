import { languageOf } from "./checks/language.ts";
import { coverOf } from "./claims/cover.ts";
import { namesIn } from "./claims/names.ts";
import { type NumberSpan, numbersIn } from "./claims/numbers.ts";
import { quotesIn } from "./claims/quotes.ts";
import type { Claim, GivenSource } from "./draft.ts";
import { foldMarks, wordsOf } from "./fold.ts";

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
  const held = sources.map(({ text }) => numbersIn(text, language));
  return stated.map((span) => ({
    start: span.start,
    end: span.end,
    kind: "number",
    source_index: found(held.findIndex((numbers) => numbers.some((each) => holds(each, span)))),
  }));
}

/** A date holds its month and its year; an amount holds its number, and a number no amount. */
function holds(source: NumberSpan, stated: NumberSpan): boolean {
  if (source.unit === "date")
    return stated.values.some((value) =>
      source.values.some(
        (date) =>
          date === value ||
          date.startsWith(`${value}-`) ||
          (stated.unit === "date" && date.endsWith(value) && value.startsWith("-")),
      ),
    );
  const isSameUnit = stated.unit === source.unit || (stated.unit === "" && source.unit !== "%");
  return isSameUnit && stated.values.some((value) => source.values.includes(value));
}
