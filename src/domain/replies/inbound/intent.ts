import type { ReplyIntent } from "#db/schema/index.ts";
import { english } from "./intent-words/english.ts";
import { chinese, japanese, polish, russian, turkish } from "./intent-words/eastern.ts";
import { dutch, german, norwegianDanish, swedish } from "./intent-words/germanic.ts";
import type { IntentWords } from "./intent-words/intent-language.ts";
import { french, italian, portuguese, spanish } from "./intent-words/romance.ts";
import { folded, MONTH, WEEKDAY } from "./calendar-words.ts";
import { compiledOnce, type ReplyLanguage } from "./language-guess.ts";
import { compiled } from "./opt-out-words/language.ts";
import type { StopWish } from "./opt-out.ts";
import { sentencesOf } from "./reply-sentences.ts";

const TABLES: Record<Exclude<ReplyLanguage, "other">, IntentWords> = {
  english,
  german,
  french,
  spanish,
  portuguese,
  italian,
  dutch,
  swedish,
  norwegianDanish,
  polish,
  russian,
  japanese,
  chinese,
  turkish,
};

/** What a sentence says in one language, each part matched by all of its expressions. */
type Signal = Exclude<keyof IntentWords, "spaceless">;
type IntentLanguage = Record<Signal, readonly (readonly RegExp[])[]>;

const SIGNALS = ["yesByNo", "later", "no", "refer", "praise", "want", "ask"] as const;
const languageOf = (words: IntentWords): IntentLanguage =>
  Object.fromEntries(
    SIGNALS.map((signal) => [
      signal,
      familiesOf(words[signal].flatMap(alternativesOf)).map((parts) =>
        parts.map((part) => compiled([part], words.spaceless === true)),
      ),
    ]),
  ) as unknown as IntentLanguage;

const languagesOf = compiledOnce(TABLES, languageOf);

/** What stands together in any order, and in one expression all that stands alone. */
function familiesOf(alternatives: readonly string[]): string[][] {
  const alone = alternatives.filter((each) => !each.includes(" & "));
  const together = alternatives.filter((each) => each.includes(" & "));
  return [[alone.join("|")], ...together.map((each) => each.split(" & "))];
}

/** Parted at each `|` that stands in no bracket. */
function alternativesOf(source: string): string[] {
  const found = [""];
  let depth = 0;
  for (const letter of source) {
    if (letter === "|" && depth === 0) {
      found.push("");
      continue;
    }
    if (letter === "(") depth++;
    if (letter === ")") depth--;
    found[found.length - 1] += letter;
  }
  return found;
}

const MAX_TEXT = 1_500;
/** A reply that names an address mostly refers to its owner. */
const ADDRESS = /[^\s<>@]{1,64}@[^\s<>@]{1,190}\.[a-z]{2,}/i;

/**
 * What a lead seems to want, by plain rules over its own words (`visibleReply`): a suggestion for the users who read
 * the reply. Where a wish and a no stand side by side it is `unclear`.
 */
export function readIntent(visible: string, wish: StopWish): ReplyIntent {
  if (wish === "stop") return "not_interested";
  const { told, asked } = signalsIn(visible.slice(0, MAX_TEXT));
  const wants = told.has("want") || asked.has("want");
  if (told.has("refer") && !(wants && !told.has("no"))) return "referral";
  if (ADDRESS.test(visible.slice(0, MAX_TEXT)) && !wants && !told.has("later")) return "referral";
  if (told.has("later") && wants && !told.has("no") && isSoon(visible)) return "interested";
  if (told.has("later") && !told.has("yesByNo")) return "not_now";
  if (told.has("no")) return told.has("yesByNo") || wants ? "unclear" : "not_interested";
  if (asked.has("later") && !wants) return "not_now";
  if (wants || told.has("praise") || told.has("yesByNo") || asked.has("yesByNo"))
    return "interested";
  return asked.size > 0 || told.has("ask") ? "question" : "unclear";
}

const BUT =
  / (?:but|aber|mais|pero|mas|ma|maar|men|ale|ama|fakat|ancak|но)(?= [^ ]+ [^ ]| non?$| nein$| nee$| nie$| nej$| nei$| нет$)|但是|但|不过|不過|可是|(?:です|ます|ました)が/u;
const SOON = new RegExp(
  `(?<!\\p{L})(?:${WEEKDAY}|today|tomorrow|heute|morgen|demain|manana|amanha|hoje|domani|oggi|i ?morgon|i ?morgen|jutro|dzis|bugun|yar[iı]n|сегодня|завтра)(?!\\p{L})|明日|明天|今天`,
  "u",
);
const A_MONTH = new RegExp(MONTH, "u");

/** Names a day of this week or the next, and no month. */
function isSoon(visible: string): boolean {
  const text = folded(visible.slice(0, MAX_TEXT));
  return SOON.test(text) && !A_MONTH.test(text);
}

interface Signals {
  told: ReadonlySet<Signal>;
  /** In sentences with a question mark. */
  asked: ReadonlySet<Signal>;
}

function signalsIn(text: string): Signals {
  const languages = languagesOf(text);
  /** Without what any of the languages matches, each by itself: a word of one may begin a phrase of another. */
  const without = (plain: string, signal: Signal): string => {
    const blanked = languages.map((language) => blankedBy(plain, language[signal]));
    const left = plain
      .split("")
      .filter((_, at) => blanked.every((each) => each[at] !== BLANK))
      .join("");
    return left.replace(/ {2,}/g, " ").trim();
  };
  const has = (plain: string, signal: Signal): boolean =>
    languages.some((language) =>
      language[signal].some((parts) => parts.every((part) => part.test(plain))),
    );
  const told = new Set<Signal>();
  const asked = new Set<Signal>();
  for (const { plain, clauses, isQuestion } of sentencesOf(text)) {
    const found = isQuestion ? asked : told;
    if (isQuestion) found.add("ask");
    // What follows a "but" is meant.
    const meant = plain.split(BUT).at(-1)!.trim();
    // "Why not" and "no worries" are a yes, and "not interested" is no interest.
    const affirmed = without(meant, "yesByNo");
    const denied = without(affirmed, "no");
    if (affirmed !== meant) found.add("yesByNo");
    if (denied !== affirmed) found.add("no");
    for (const signal of ["later", "refer"] as const) if (has(affirmed, signal)) found.add(signal);
    for (const signal of ["praise", "want"] as const) if (has(denied, signal)) found.add(signal);
    // "Looks good, can you come?"
    if (isQuestion && clauses.length > 1 && has(clauses[0]!, "praise")) told.add("praise");
    if (has(plain, "ask")) found.add("ask");
  }
  return { told, asked };
}

/** Stands for a letter that was matched; no text has it, because sentences are of words. */
const BLANK = "\0";

/** The sentence with a blank for each letter of what these match; once for each expression. */
const blankedBy = (plain: string, families: IntentLanguage[Signal]): string =>
  families.reduce(
    (so, parts) =>
      parts.every((part) => part.test(plain))
        ? so.replace(parts[0]!, (match) => BLANK.repeat(match.length))
        : so,
    plain,
  );
