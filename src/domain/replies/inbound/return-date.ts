import { folded } from "./calendar-words.ts";
import { datesIn, type FoundDate, nextDayOfMonth, nextWeekday } from "./dates-in-text.ts";
import { DAY_MS } from "#src/platform/durations.ts";

const MAX_TEXT = 4_000;

/** Words before the last day of an absence; folded. */
const LAST =
  /\b(until|till|til|through|thru|including|bis|jusqu\w*|hasta|ate|fino|tot|t\.?o\.?m|paivaan)\b|\b(to|do|au|al)(?= (?:[^ ]+ )?$)|(?<!\p{L})(до|по)(?!\p{L})|直到|至|到/u;
/** Words before the first day back. */
const BACK =
  /\b(back|return\w*|resum\w*|reopen\w*|re-open\w*|available|reachable|again|in the office|at my desk|pick up|answer|reply|respond\w*|rispond\w*|repond\w*|antwort\w*|beantwoord\w*|svar\w*|odpow\w*|contest\w*|zuruck|wieder|erreichbar|ab|melde|retour|reviens|revenir|rentre\w*|reprend\w*|re?ouvr\w*|regres\w*|vuelv\w*|vuelta|volver\w*|incorpor\w*|reabr\w*|retorn\w*|volt\w*|rientr\w*|riapr\w*|riapertura|torn\w*|sara|terug|weer|heropen\w*|tillbaka|ater|oppnar|tilbake|tilbage|retur|igjen|igen|apner|abner|wrac\w*|wroc\w*|bede|navrat\w*|zpet)\b|(?<!\p{L})(ответ\p{L}*|верн\p{L}*|вернусь|вернется|буду|выйду|выхожу|выход|с)(?!\p{L})|직|返回|回来|回公司|复工|上班|復帰|再開/u;
const LAST_AFTER =
  /^['’]?\p{L}{0,4}\s*([(（][^)）]{1,6}[)）])?\s*(まで|까지|(\p{L}+ )?(kadar|dahil|включительно|inclus\w*|incluid\w*|included|inclusive|einschliesslich)|arasi)/u;
const BACK_AFTER =
  /^['’]?\p{L}{0,4}\s*([(（][^)）]{1,6}[)）])?\s*(から|以降|より|부터|に?(出社|復帰|戻|再開|帰社|帰国|出勤)|返回|回来|回公司|回|复工|上班|恢复|恢復|,? ?when (i|we) |(\p{L}+ ){0,2}(yeniden|tekrar|mesai\p{L}*|don\p{L}*|olaca\p{L}*|itibaren|burada\p{L}*|baslay\p{L}*|weer|terug|wieder|zuruck|igen|tillbaka|tilbage|back|ben ik (er )?(weer|terug))(?!\p{L}))/u;
const RANGE_WORD =
  /^[\s,]*(-|–|—|~|〜|to|until|till|through|thru|bis|au|al|a|e|y|et|und|and|og|en|hasta|ate|tot( en met)?|till( och med)?|til( og med)?|do|до|по|至|到|から)[\s,]*((the|dem|den|zum|le|el|il|o|de|del|и включая|including|einschliesslich)\s+)?$/;
/** A sentence about the days on which its writer works names more days than the next one. */
const WORKING_DAYS =
  /\b(working|work|office|opening) (days|hours|times|pattern)|\b(i|we) (only |usually |normally )?work\b|arbeitszeit|arbeitstage|sprechzeit|burozeit|horaires|horario|orari|werkdagen|openingstijden|oppettider|apningstid|abningstid|godzin|calisma/;

/**
 * The first day on which an absent person works again, midnight UTC: `back on Monday`, `returning March 2027`, and after
 * `until 14 August` or `vom 3. bis 14.8.` the next weekday. `sent` is the mail's date; what is past then, or more than
 * a year ahead, is no answer. Of who does not say to be away (`answers`) only a day that is told to be one of these.
 */
export function returnDate(
  message: string,
  sent: Date,
  says: "away" | "answers" = "away",
): Date | null {
  const text = folded(message.slice(0, MAX_TEXT))
    .replace(/\s+/g, " ")
    .replace(/\bt\.o\.m\./g, "tom");
  const today = new Date(Date.UTC(sent.getUTCFullYear(), sent.getUTCMonth(), sent.getUTCDate()));
  // "We answer within two days" is no absence.
  const found = datesIn(text, today).filter(
    (each, at, all) =>
      says === "away" || (each.tells !== "back" && !isWeek(text, each, all[at - 1])),
  );
  const saidTo = (what: "last" | "back"): FoundDate[] =>
    found.filter((each, index) => tellsOf(text, each, found[index - 1]) === what);
  const lasts = saidTo("last");
  const last = latest(lasts.map(({ date }) => date));
  const back = latest(saidTo("back").map((each) => sharpened(each, last ?? today)));
  if (back !== null && (last === null || back >= last)) return back;
  if (last === null) {
    // Of "Friday is my day off, Monday I am on it" the last.
    const isPlain = found.length === 1 || found.every(({ vague }) => vague !== undefined);
    return isPlain && says === "away" ? (found.at(-1)?.date ?? null) : null;
  }
  return lasts.some(({ date, isMonth }) => isMonth === true && date === last)
    ? last
    : nextWorkday(last);
}

/** "Monday to Friday" is when a desk is open. */
const isWeek = (text: string, { at, vague }: FoundDate, before: FoundDate | undefined): boolean =>
  isWeekday(vague) && isWeekday(before?.vague) && RANGE_WORD.test(text.slice(before!.end, at));

const isWeekday = (vague: FoundDate["vague"]): boolean => vague !== undefined && "weekday" in vague;

const latest = (dates: readonly Date[]): Date | null =>
  dates.reduce<Date | null>((so, each) => (so === null || each > so ? each : so), null);

/** "Away until 11 December, back on Monday": the Monday after. */
function sharpened({ date, vague }: FoundDate, after: Date): Date {
  if (vague === undefined || date > after) return date;
  return "weekday" in vague
    ? nextWeekday(after, vague.weekday)
    : (nextDayOfMonth(after, vague.day) ?? date);
}

function nextWorkday(date: Date): Date {
  const next = new Date(date.getTime() + DAY_MS);
  return next.getUTCDay() === 6 || next.getUTCDay() === 0 ? nextWeekday(next, 1) : next;
}

/** What a date is said to be: the last day away, or the first one back. */
function tellsOf(
  text: string,
  { at, end, tells, vague }: FoundDate,
  before: FoundDate | undefined,
): "last" | "back" | null {
  const isSpan = before !== undefined && RANGE_WORD.test(text.slice(before.end, at));
  const after = text.slice(end, end + 40);
  const from = Math.max(0, at - 45, before?.end ?? 0);
  const lead = text.slice(from, at);
  const own = `${lead.slice(Math.max(0, lead.search(/[.!?。](?=\s?[^.!?。]*$)/)))}${text.slice(at, end).replace(/\d.*$/, "")}`;
  const sentence = text.slice(text.lastIndexOf(". ", at) + 1, at);
  if (vague !== undefined && "weekday" in vague && WORKING_DAYS.test(sentence))
    return BACK.test(lead) && !isSpan ? "back" : null;
  if (tells !== undefined) return tells;
  if (isSpan || LAST_AFTER.test(after)) return "last";
  if (BACK_AFTER.test(after)) return "back";
  const marks = [...own.matchAll(EITHER)].map(([word]) => word);
  const nearest = marks.at(-1);
  if (nearest === undefined) return null;
  // "returning to work on the 3rd": a place, not a day.
  return LAST.test(nearest) && !/\bto\b/.test(nearest) ? "last" : BACK.test(own) ? "back" : "last";
}

const EITHER = new RegExp(`${LAST.source}|${BACK.source}`, "gu");
