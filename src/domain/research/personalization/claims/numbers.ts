import { fold } from "../normalize-text.ts";
import { coverOf } from "./cover.ts";
import { readDates } from "./dates.ts";
import { joinNumbers, numberWord } from "./number-words.ts";

/** A span of a text that states a number, and what it says. */
export interface NumberSpan {
  start: number;
  end: number;
  /** Readings of it: "1.200" is 1200 to some and 1.2 to others, and a date is a date and its year. */
  values: string[];
  /** `%`, a currency, or nothing. */
  unit: string;
}

const CURRENCY = "US\\$|[$€£¥₹]|(?:USD|EUR|GBP|CHF|JPY|INR|SEK|PLN)\\b";
const CURRENCY_AFTER =
  "[$€£¥₹]|(?:USD|EUR|GBP|CHF|JPY|INR|SEK|PLN|[Dd]ollars?|[Ee]uros?|[Pp]ounds?|francs?|Franken|yen)(?!\\p{L})";
const SCALE =
  "(?:[kKMB]|bn|mn|thousand|million|billion|trillion|Tsd\\.?|Mio\\.?|Mrd\\.?|Millionen|Milliarden?|Million|millions?|milliards?|millones|millón|mil|mille)(?![\\p{L}\\p{N}])";
const DIGITS =
  "\\p{Nd}+(?:[.,'’\\u00a0\\u202f ](?=\\p{Nd}{3}(?!\\p{Nd}))\\p{Nd}{3})*(?:[.,]\\p{Nd}+)*";
const FIGURE = new RegExp(
  `(?:(${CURRENCY}) ?)?(${DIGITS})(?: ?(${SCALE}))?(?: ?(%|％|percent|per cent|Prozent|pour cent|por ciento)| ?(${CURRENCY_AFTER}))?`,
  "gu",
);

const SCALES: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  tsd: 1e3,
  mil: 1e3,
  mille: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  millions: 1e6,
  mio: 1e6,
  millionen: 1e6,
  millones: 1e6,
  millón: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  mrd: 1e9,
  milliarde: 1e9,
  milliarden: 1e9,
  milliard: 1e9,
  milliards: 1e9,
  trillion: 1e12,
};
const CURRENCIES: Record<string, string> = {
  us$: "$",
  usd: "$",
  dollar: "$",
  dollars: "$",
  eur: "€",
  euro: "€",
  euros: "€",
  gbp: "£",
  pound: "£",
  pounds: "£",
  chf: "chf",
  franc: "chf",
  francs: "chf",
  franken: "chf",
  jpy: "¥",
  yen: "¥",
  inr: "₹",
};

/** Every number of a text: in figures of any script, with its money, magnitude or per cent; in words; and as dates. */
export function numbersIn(text: string, language: string): NumberSpan[] {
  const dates = readDates(text);
  const isDate = coverOf(text.length, dates);
  const figures = [...text.matchAll(FIGURE)].map(figureOf);
  const written = [...dates, ...figures.filter((each) => !isDate(each))];
  const isTold = coverOf(text.length, written);
  // The million of "12 million" is told already.
  return [...written, ...spelledIn(text, language).filter((each) => !isTold(each))];
}

function figureOf(match: RegExpExecArray): NumberSpan {
  const [all, before, digits = "", scale, percent, after] = match;
  const currency = fold(before ?? after ?? "").trim();
  const factor = scale === undefined ? 1 : (SCALES[fold(scale).replace(".", "")] ?? 1);
  return {
    start: match.index,
    end: match.index + all.length,
    values: readingsOf(fold(digits)).map((value) =>
      String(factor === 1 ? value : round(value * factor)),
    ),
    unit: percent !== undefined ? "%" : (CURRENCIES[currency] ?? currency),
  };
}

const round = (value: number): number => Number(value.toPrecision(12));

/** What figures mean with a point or a comma for thousands, or for decimals. */
function readingsOf(digits: string): number[] {
  const plain = digits.replace(/[' ]/g, "");
  const [last, first] = [plain.search(/[.,][0-9]*$/), plain.search(/[.,]/)];
  if (last === -1) return [Number(plain)];
  const whole = Number(plain.replace(/[.,]/g, ""));
  const decimal = Number(`${plain.slice(0, last).replace(/[.,]/g, "")}.${plain.slice(last + 1)}`);
  if (first !== last && plain[first] === plain[last]) return [whole];
  if (first !== last || plain.length - last !== 4) return [decimal];
  return [whole, decimal];
}

/** In these the word is no number. */
const NO_NUMBER =
  /^(?:one (?:of|another|sentence|line|word|note|quick|easy|short|simple|question|thing|more|last|way|day|moment|question)|first of|second to|half of)\b|\b(?:no|any|every|each|this|that|the|which|at) (?:one|first)$/;
interface Spelled {
  start: number;
  end: number;
  parts: number[];
}

function spelledIn(text: string, language: string): NumberSpan[] {
  const spans: Spelled[] = [];
  // The name of a field (`first_name`) states no number.
  for (const match of text.matchAll(/(?<![\p{L}_])\p{L}+(?![\p{L}_])/gu)) {
    const word = match[0].slice(0, 60).toLowerCase();
    const [start, end] = [match.index, match.index + match[0].length];
    const before = spans.at(-1);
    const between =
      before === undefined ? null : text.slice(before.end, Math.min(start, before.end + 8));
    // "vingt et une": the article is a number behind one.
    const value = between === " et " && /^une?$/.test(word) ? 1 : numberWord(word, language);
    if (value === null) continue;
    if (before !== undefined && goesOn(before.parts.at(-1)!, between!, value)) {
      before.parts.push(value);
      before.end = end;
    } else spans.push({ start, end, parts: [value] });
  }
  return spans
    .filter((span) => !isFigureOfSpeech(text, span))
    .map(({ start, end, parts }) => ({
      start,
      end: end + percentAfter(text, end),
      values: [String(joinNumbers(parts))],
      unit: percentAfter(text, end) > 0 ? "%" : "",
    }));
}

/** Whether the word is part of the number before it: "two hundred and fifty", "soixante-dix", "treinta y cinco". */
function goesOn(last: number, between: string, value: number): boolean {
  if (between === " and ") return last >= 100 && value < 100;
  if (between === " et " || between === " y ") return last >= 20 && last % 10 === 0 && value < 20;
  if (between !== " " && between !== "-") return false;
  if (value >= 100 || last >= 100) return value !== last;
  return (
    (last >= 20 && last % 10 === 0 && value < 20) ||
    (last === 10 && value >= 7) ||
    (last === 4 && value === 20)
  );
}

function isFigureOfSpeech(text: string, { start, end }: Spelled): boolean {
  const word = text.slice(start, end).toLowerCase();
  if (word !== "one" && word !== "first" && word !== "second") return false;
  const after = text.slice(start, end + 12).toLowerCase();
  return (
    NO_NUMBER.test(after) ||
    NO_NUMBER.test(
      text
        .slice(Math.max(0, start - 7), end)
        .toLowerCase()
        .replace(/^\S* /, ""),
    )
  );
}

const percentAfter = (text: string, end: number): number =>
  /^ (?:percent|per cent|Prozent|pour cent|por ciento)/.exec(text.slice(end, end + 13))?.[0]
    .length ?? 0;
