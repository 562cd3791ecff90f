import { fold } from "../normalize-text.ts";
import { coverOf } from "./cover.ts";
import type { NumberSpan } from "./numbers.ts";

const MONTHS: Record<string, number> = Object.fromEntries(
  [
    "january january jan januar januar janvier enero jänner",
    "february feb februar février febrero",
    "march mar märz mars marzo mrz",
    "april apr avril abril",
    "may mai mayo",
    "june jun juni juin junio",
    "july jul juli juillet julio",
    "august aug août agosto",
    "september sep sept septembre septiembre",
    "october oct oktober okt octobre octubre",
    "november nov novembre noviembre",
    "december dec dezember dez décembre diciembre",
  ].flatMap((names, index) => names.split(" ").map((name) => [name, index + 1])),
);
const MONTH = `(${Object.keys(MONTHS)
  .toSorted((a, b) => b.length - a.length)
  .join("|")})\\.?(?!\\p{L})`;
const DAY = "([0-3]?[0-9])(?:st|nd|rd|th|\\.|er)?";
const YEAR = "((?:19|20)[0-9]{2})(?![0-9])";

type Parts = { year?: string | undefined; month?: string | undefined; day?: string | undefined };

const FORMS: [RegExp, (groups: (string | undefined)[]) => Parts[]][] = [
  [
    new RegExp(`(?<![0-9])${YEAR}([-./])([0-9]{1,2})\\2([0-9]{1,2})(?![0-9])`, "giu"),
    ([year, , month, day]) => [{ year, month, day }],
  ],
  [
    new RegExp(`(?<![0-9])([0-9]{1,2})([-./])([0-9]{1,2})\\2${YEAR}`, "giu"),
    ([a, , b, year]) => [
      { year, month: b, day: a },
      { year, month: a, day: b },
    ],
  ],
  [
    new RegExp(`(?<![0-9])${DAY} (?:of |de )?${MONTH}(?:,? (?:de )?${YEAR})?`, "giu"),
    ([day, month, year]) => [{ year, month, day }],
  ],
  [
    new RegExp(`(?<!\\p{L})${MONTH} ${DAY}(?![0-9])(?:,? ${YEAR})?`, "giu"),
    ([month, day, year]) => [{ year, month, day }],
  ],
  [
    new RegExp(`(?<!\\p{L})${MONTH},? (?:de )?${YEAR}`, "giu"),
    ([month, year]) => [{ year, month }],
  ],
];

/** Dates that are told by more than a number, each as year, month and day in figures, so far as it says them. */
export function readDates(text: string): NumberSpan[] {
  const spans: NumberSpan[] = [];
  for (const [form, read] of FORMS) {
    const isTold = coverOf(text.length, spans);
    for (const match of text.matchAll(form)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (isTold({ start, end: start + 1 }) || isTold({ start: end - 1, end })) continue;
      const values = read(match.slice(1))
        .map(isoOf)
        .filter((iso) => iso !== null);
      if (values.length > 0) spans.push({ start, end, values, unit: "date" });
    }
  }
  return spans;
}

function isoOf({ year, month, day }: Parts): string | null {
  const number = month === undefined ? undefined : (MONTHS[fold(month)] ?? Number(month));
  if (number !== undefined && (number < 1 || number > 12)) return null;
  if (day !== undefined && (Number(day) < 1 || Number(day) > 31)) return null;
  const two = (value: number | string | undefined) =>
    value === undefined ? "" : `-${String(Number(value)).padStart(2, "0")}`;
  return `${year ?? ""}${two(number)}${two(day)}`;
}
