import { folded, MONTH, monthNumber, WEEKDAY, weekdayNumber } from "./calendar-words.ts";
import { DAY_MS } from "#src/platform/durations.ts";

/** Further ahead a date without a year is last year's absence, never switched off. */
const MAX_AHEAD_DAYS = 200;
const MAX_AHEAD_WITH_YEAR_DAYS = 400;
const MAX_TEXT = 4_000;
const MAX_DATES = 40;

interface FoundDate {
  at: number;
  end: number;
  date: Date;
  /** The second end of a range such as `10-31 July`. */
  range: boolean;
}

/** Words that lead to the end of an absence, before the date; folded. */
const CUE =
  /\b(back|return\w*|until|till|til|through|thru|to|resum\w*|available|reachable|bis|zuruck|wieder|erreichbar|ab|retour|jusqu\w*|reviens|revenir|au|hasta|regres\w*|vuelv\w*|volver\w*|incorpor\w*|al|ate|retorn\w*|volt\w*|regress\w*|fino|rientr\w*|torn\w*|sara|tot|terug|tillbaka|t\.?o\.?m|tilbake|tilbage|paivaan|wrac\w*|wroc\w*|do|navrat\w*|zpet)\b|\b(до|по|вернусь|вернется|буду)\s|직|返回|直到|至|到/;
const CUE_AFTER = /^\s*(\([^)]{1,6}\))?\s*(まで|から|以降|より|返回|回来|까지|부터)/;
const RANGE_WORD =
  /^[\s,]*(-|–|—|~|〜|to|until|till|through|thru|bis|au|al|a|hasta|ate|tot|till|til|do|до|по|至|到|から)[\s,]*((the|dem|den|zum|le|el|il|o|de|del|и включая|including|einschliesslich)\s+)?$/;

/**
 * The day an absence ends, as its text says it: `until 14 August`, `back on Monday`, `vom 3. bis 14.8.`,
 * in a dozen languages. `sent` is the mail's date; what is past then, or impossibly far, is no answer.
 * Midnight UTC of the day named, whether it is the last of the absence or the first back.
 */
export function returnDate(message: string, sent: Date): Date | null {
  const text = folded(message.slice(0, MAX_TEXT)).replace(/\s+/g, " ");
  const today = new Date(Date.UTC(sent.getUTCFullYear(), sent.getUTCMonth(), sent.getUTCDate()));
  const found = [
    ...namedDates(text, today),
    ...numericDates(text, today),
    ...relativeDates(text, today),
  ]
    .sort((a, b) => a.at - b.at)
    .slice(0, MAX_DATES);
  const told = found.filter((each, index) => isToldEnd(text, each, found[index - 1]));
  const dates = (told.length > 0 ? told : found.length === 1 ? found : []).map(({ date }) =>
    date.getTime(),
  );
  return dates.length === 0 ? null : new Date(Math.max(...dates));
}

function isToldEnd(
  text: string,
  { at, end, range }: FoundDate,
  before: FoundDate | undefined,
): boolean {
  if (range) return true;
  if (before && RANGE_WORD.test(text.slice(before.end, at))) return true;
  if (CUE_AFTER.test(text.slice(end, end + 12))) return true;
  const lead = text.slice(Math.max(0, at - 45, before?.end ?? 0), at);
  return CUE.test(lead.slice(Math.max(0, lead.search(/[.!?](?=\s[^.!?]*$)/))));
}

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
const eastAsian = /(?:(20\d\d)\s*[年년]\s*)?(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]/g;

function namedDates(text: string, today: Date): FoundDate[] {
  const found: FoundDate[] = [];
  const add = (match: RegExpExecArray, month: number, day: string, range = false) => {
    const year = match.at(-1);
    push(found, match, resolve(today, month, Number(day), year), range);
  };
  for (const match of text.matchAll(dayFirst))
    add(match, monthNumber(match[3]!), match[2]!, match[1] !== undefined);
  const taken = [...found];
  for (const match of text.matchAll(monthFirst)) {
    const end = match.index + match[0].length;
    if (taken.some((each) => match.index < each.end && each.at < end)) continue;
    add(match, monthNumber(match[1]!), match[3] ?? match[2]!, match[3] !== undefined);
  }
  for (const match of text.matchAll(eastAsian)) {
    const date = resolve(today, Number(match[2]), Number(match[3]), match[1]);
    push(found, match, date);
  }
  return found;
}

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
    const american = /\b(the|you|will|office|return\w*|my)\b/.test(text) && firstDay === undefined;
    push(
      found,
      match,
      (american ? nearer(asMonth, asDay, today) : asDay) ?? asMonth,
      firstDay !== undefined,
    );
  }
  return found;
}

/** 08/10 is read the American way in an English text, unless the other reading is much nearer. */
function nearer(preferred: Date | null, other: Date | null, today: Date): Date | null {
  if (!preferred || !other) return preferred ?? other;
  const ahead = (date: Date) => date.getTime() - today.getTime();
  return ahead(preferred) > 60 * DAY_MS && ahead(other) < 30 * DAY_MS ? other : preferred;
}

const weekday = new RegExp(`(?<![\\p{L}])(${WEEKDAY})(?![\\p{L}])`, "gu");
const tomorrow =
  /\b(tomorrow|demain|manana|amanha|domani|imorgen|jutra|zitra)\b|завтра|明日|내일|明天/g;
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
    // "Monday, 14 August" is one date, and the number has it.
    if (
      /^[\s,]*(the |den |dem |le |el |il )?(\d|kl)/.test(
        text.slice(match.index + match[0].length),
      ) ||
      new RegExp(`^[\\s,]*${MONTH}\\.? \\d`, "u").test(
        text.slice(match.index + match[0].length, match.index + match[0].length + 20),
      )
    )
      continue;
    const ahead = (weekdayNumber(match[1]!) - today.getUTCDay() + 7) % 7;
    push(found, match, inDays(ahead === 0 ? 7 : ahead));
  }
  for (const match of text.matchAll(tomorrow)) push(found, match, inDays(1));
  for (const match of text.matchAll(inUnits)) {
    const count = NUMBERS[match[1]!] ?? (Number.parseInt(match[1]!, 10) || 1);
    const days = /^(week|woche|semain|semana|settiman|uge)/.test(match[2]!) ? 7 * count : count;
    push(found, match, inDays(days), true);
  }
  return found;
}

function push(found: FoundDate[], match: RegExpExecArray, date: Date | null, range = false): void {
  if (date && found.length < MAX_DATES)
    found.push({ at: match.index, end: match.index + match[0].length, date, range });
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
