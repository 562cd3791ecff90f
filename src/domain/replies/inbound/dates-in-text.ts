import { MONTH, monthNumber, WEEKDAY, weekdayNumber } from "./calendar-words.ts";
import { DAY_MS } from "#src/platform/durations.ts";

/** Further ahead a date without a year is last year's absence, never switched off. */
const MAX_AHEAD_DAYS = 200;
const MAX_AHEAD_WITH_YEAR_DAYS = 366;
const MAX_DATES = 40;

/** A date that a text names, midnight UTC, and where it stands. */
export interface FoundDate {
  at: number;
  end: number;
  date: Date;
  /** What its own form says: the end of a range such as `10-31 July`, or when a time such as `two weeks` is over. */
  tells?: "last" | "back";
  /** Only a weekday (0 is Sunday) or a day of the month: the first one after today, unless the text tells of a later day. */
  vague?: { weekday: number } | { day: number };
  /** A month alone: it is its first day. */
  isMonth?: true;
}

/** What stands for days in a folded text with single spaces, in its order; `today` is midnight UTC. */
export const datesIn = (text: string, today: Date): FoundDate[] => {
  const whole = [...namedDates(text, today), ...numericDates(text, today)];
  const found = [...whole, ...monthsAlone(text, today, whole), ...relativeDates(text, today)];
  const more = daysAlone(text, today, found);
  return [...found, ...more].sort((a, b) => a.at - b.at).slice(0, MAX_DATES);
};

const ORDINAL = "(?:st|nd|rd|th|er|º|\\.)?";
const SPAN =
  "\\s*(?:-|–|—|to|bis(?: zum)?|au|al|a|e|and|und|until|through|tot|til|till|do|до|по)\\s*(?:the |le |el |il )?";
const OF = "\\s*(?:of |de |d'|del )?\\s*";
const YEAR = "(?:\\.?,?\\s*(?:de |del )?(20\\d\\d)(?!\\d))?";
const dayFirst = new RegExp(
  `(?<![\\d.:/])(?:(\\d{1,2})${ORDINAL}${SPAN})?(\\d{1,2})${ORDINAL}${OF}(${MONTH})${YEAR}`,
  "gu",
);
const monthFirst = new RegExp(
  `(${MONTH})\\.?\\s*(?:the )?(\\d{1,2})${ORDINAL}(?![\\d:])(?:${SPAN}(\\d{1,2})${ORDINAL}(?![\\d:]|\\s*${MONTH}))?${YEAR}`,
  "gu",
);
const eastAsian = /(?:(20\d\d)\s*[年년]\s*)?(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일号號]/g;

function namedDates(text: string, today: Date): FoundDate[] {
  const found: FoundDate[] = [];
  const add = (match: RegExpExecArray, month: number, day: string, isRange = false) => {
    const year = match.at(-1);
    push(found, match, resolve(today, month, Number(day), year), isRange ? { tells: "last" } : {});
  };
  for (const match of text.matchAll(dayFirst))
    add(match, monthNumber(match[3]!), match[2]!, match[1] !== undefined);
  const taken = [...found];
  for (const match of text.matchAll(monthFirst)) {
    if (overlaps(taken, match)) continue;
    add(match, monthNumber(match[1]!), match[3] ?? match[2]!, match[3] !== undefined);
  }
  for (const match of text.matchAll(eastAsian)) {
    const date = resolve(today, Number(match[2]), Number(match[3]), match[1]);
    push(found, match, date);
  }
  return found;
}

const overlaps = (taken: readonly FoundDate[], match: RegExpExecArray): boolean =>
  taken.some((each) => match.index < each.end && each.at < match.index + match[0].length);

const iso = /(?<!\d)(20\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/g;
const written =
  /(?<![\d.:/])(?:(\d{1,2})\.?\s?(?:-|–)\s?)?(\d{1,2})([./-])\s?(\d{1,2})(?:\3\s?(20\d\d|\d\d)?)?(?![\d/:]|\.\d|\s*(?:%|uhr|am\b|pm\b|h\b))/g;

function numericDates(text: string, today: Date): FoundDate[] {
  const found: FoundDate[] = [];
  for (const match of text.matchAll(iso))
    push(found, match, resolve(today, Number(match[2]), Number(match[3]), match[1]));
  const taken = [...found];
  for (const match of text.matchAll(written)) {
    if (taken.some(({ at, end }) => match.index < end && at <= match.index)) continue;
    const [, firstDay, first, mark, second, year] = match;
    // "2-3" or "1.5" alone is a number; a year or the form 14.8. makes it a date.
    if (year === undefined && (mark === "-" || (mark === "." && !match[0].trimEnd().endsWith("."))))
      continue;
    const full = year === undefined ? undefined : year.length === 2 ? `20${year}` : year;
    const asDay = resolve(today, Number(second), Number(first), full);
    const asMonth = mark === "/" ? resolve(today, Number(first), Number(second), full) : null;
    // English is written both ways: people are away for the shorter time.
    const isEnglish = /\b(the|you|will|office|return\w*|my)\b/.test(text) && firstDay === undefined;
    const date = (isEnglish ? nearer(asMonth, asDay) : asDay) ?? asMonth;
    push(found, match, date, firstDay === undefined ? {} : { tells: "last" });
  }
  return found;
}

const nearer = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one <= other ? one : other) : (one ?? other);

const monthAndYear = new RegExp(
  `(?<!\\d(?:st|nd|rd|th|er|\\.)? ?(?:de |of )?)(${MONTH})\\.?,? (?:de |del |of )?(20\\d\\d)(?!\\d)`,
  "gu",
);
const inMonth = new RegExp(
  `(?<![\\p{L}])(?:in|im|en|em|ad?|i|w|в|au mois d[e'] ?|mid|early|late|anfang|mitte|ende|start of|beginning of)[ -](?:mid[ -])?(${MONTH})(?! \\d)`,
  "gu",
);
const eastAsianMonth = /(?:(20\d\d)\s*[年년]\s*)?(?<!\d)(\d{1,2})\s*[月월](?!\s*\d)/g;

function monthsAlone(text: string, today: Date, taken: readonly FoundDate[]): FoundDate[] {
  const found: FoundDate[] = [];
  const add = (match: RegExpExecArray, month: number, year?: string) => {
    if (!overlaps([...taken, ...found], match))
      push(found, match, resolve(today, month, 1, year), { isMonth: true });
  };
  for (const match of text.matchAll(monthAndYear)) add(match, monthNumber(match[1]!), match[2]);
  for (const match of text.matchAll(inMonth)) add(match, monthNumber(match[1]!));
  for (const match of text.matchAll(eastAsianMonth)) add(match, Number(match[2]), match[1]);
  return found;
}

const weekday = new RegExp(
  `((?<![\\p{L}])${WEEKDAY}(?![\\p{L}])|(?:周|星期)[一二三四五六日]|[月火水木金土日]曜日?)`,
  "gu",
);
/** "Monday, 14 August" is one date, and the number has it. */
const dayFollows = new RegExp(
  `^[\\s,]*(the |den |dem |le |el |il |dia )?(\\d|kl)|^[\\s,]*${MONTH}\\.? \\d`,
  "u",
);
const tomorrow =
  /\b(tomorrow|demain|manana|amanha|domani|imorgen|jutra|zitra|yarin)\b|yarın|завтра|明日|내일|明天/g;
const inUnits =
  /\b(?:in|for(?: the next)?|fur|pendant|por|durante|per|voor|fur die nachsten|within)\s+(\d{1,2}|one|two|three|a|ein\w*|zwei|drei|une?|deux|trois|una?|dos|tres)\s+(day|tag|jour|dia|giorn|dag|week|woche|semaine|semana|settiman|uge)/g;
const NUMBERS: Readonly<Record<string, number>> = {
  one: 1,
  a: 1,
  two: 2,
  three: 3,
  zwei: 2,
  drei: 3,
  un: 1,
  une: 1,
  una: 1,
  deux: 2,
  dos: 2,
  trois: 3,
  tres: 3,
};

function relativeDates(text: string, today: Date): FoundDate[] {
  const found: FoundDate[] = [];
  const inDays = (days: number) => new Date(today.getTime() + days * DAY_MS);
  for (const match of text.matchAll(weekday)) {
    const end = match.index + match[0].length;
    if (dayFollows.test(text.slice(end, end + 24))) continue;
    const at = weekdayNumber(match[1]!);
    push(found, match, nextWeekday(today, at), { vague: { weekday: at } });
  }
  for (const match of text.matchAll(tomorrow)) push(found, match, inDays(1));
  for (const match of text.matchAll(inUnits)) {
    const count = NUMBERS[match[1]!] ?? (Number.parseInt(match[1]!, 10) || 1);
    const days = /^(week|woche|semain|semana|settiman|uge)/.test(match[2]!) ? 7 * count : count;
    push(found, match, inDays(days), { tells: "back" });
  }
  return found;
}

/** The article, the weekday or the mark by which a number is a day of the month. */
const dayAlone = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:${WEEKDAY}),? (?:the |den |le |el |il |dia |o )?|(?:on|until|till|to|from|by|back|bis|zum|ab|am|le|au|el|al|hasta|dia|ate|il|del|d[ae]n|op|tot|til|till|fino al|do|до|с) (?:the |zum |dem |le |el |il |o |dia |den |de )?)(\\d{1,2})${ORDINAL}(?![\\p{L}\\d:/-]|[.,]\\d| ?(?:%|uhr|h\\b|am\\b|pm\\b|${MONTH}|o'clock|day|tag|jour|dia|giorn|dag|week|woche|semain|hour|minut|stund|people|dni|дн|час))|(?<!\\d|[月월]\\s?)(\\d{1,2})\\s*[日号號](?!間|间|内)`,
  "gu",
);

function daysAlone(text: string, today: Date, taken: readonly FoundDate[]): FoundDate[] {
  const found: FoundDate[] = [];
  for (const match of text.matchAll(dayAlone)) {
    const day = Number(match[1] ?? match[2]);
    if (overlaps(taken, match)) continue;
    push(found, match, nextDayOfMonth(today, day), { vague: { day } });
  }
  return found;
}

/** The first such day after `from`. */
export function nextWeekday(from: Date, at: number): Date {
  const ahead = (at - from.getUTCDay() + 7) % 7;
  return new Date(from.getTime() + (ahead === 0 ? 7 : ahead) * DAY_MS);
}

/** The first such day after `from`; null for what no month has. */
export function nextDayOfMonth(from: Date, day: number): Date | null {
  if (day < 1 || day > 31) return null;
  for (let ahead = 0; ahead < 4; ahead++) {
    const date = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + ahead, day));
    if (date > from && date.getUTCDate() === day) return date;
  }
  return null;
}

function push(
  found: FoundDate[],
  match: RegExpExecArray,
  date: Date | null,
  more: Partial<FoundDate> = {},
): void {
  if (date && found.length < MAX_DATES)
    found.push({ at: match.index, end: match.index + match[0].length, date, ...more });
}

/** The day meant, or null when there is no such day or it cannot be the end of this absence. */
function resolve(today: Date, month: number, day: number, year?: string): Date | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  const at = (y: number): Date | null => {
    const date = new Date(Date.UTC(y, month - 1, day));
    return date.getUTCMonth() === month - 1 ? date : null;
  };
  const daysAhead = (date: Date) => (date.getTime() - today.getTime()) / DAY_MS;
  if (year !== undefined) {
    const date = at(Number(year));
    return date && daysAhead(date) >= 0 && daysAhead(date) <= MAX_AHEAD_WITH_YEAR_DAYS
      ? date
      : null;
  }
  const thisYear = today.getUTCFullYear();
  const date = [at(thisYear), at(thisYear + 1)].find((each) => each && daysAhead(each) >= 0);
  return date && daysAhead(date) <= MAX_AHEAD_DAYS ? date : null;
}
