import { isSmallWord } from "../checks/language.ts";
import type { Span } from "./quotes.ts";

const WORD =
  "[\\p{Lu}\\p{Lt}][\\p{L}\\p{M}\\p{N}’']*(?:[-.&/+](?=[\\p{L}\\p{N}])[\\p{L}\\p{M}\\p{N}’']+)*";
const sequence = (between: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}])(?:\\p{Ll}{1,2}\\p{Lu}[\\p{L}\\p{N}]+|${WORD})(?: ${between}(?:${WORD}|\\p{N}{1,4}(?![\\p{L}\\p{N}])))*`,
    "gu",
  );
const SEQUENCE = sequence(
  "(?:(?:&|of|for|de|del|della|di|da|du|des|la|le|van|von|der|den|zu|y|e) ){0,2}",
);
/** Where nouns have capitals, small words stand between nouns. */
const GERMAN = sequence("(?:& )?");

/** Words that begin a sentence, a greeting or an ending, and are no name. */
const NO_NAME = new Set(
  (
    "i i'm i've i'd i'll hi hello hey dear best regards kind warm thanks thank you cheers sincerely yours p.s ps monday tuesday wednesday " +
    "thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag the a an sie ihnen ihr ihre ihren ihrem ihrer " +
    "hallo guten tag herr frau liebe lieber viele grüße ceo cto cfo coo vp hr it ok it's that's there's you're we're they're let's if while since with at in on by as to my our no yes not but so"
  ).split(" "),
);

/**
 * Runs of words with a capital: people, companies, products. The first word of a sentence counts when it is one of several, has
 * a capital further on, or is known as a name. Where all nouns have one (German), a single word counts when it is known.
 */
export function namesIn(
  text: string,
  language: string,
  isKnown: (name: string) => boolean,
): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(language === "de" ? GERMAN : SEQUENCE)) {
    const span = trimmed(text, match.index, match.index + match[0].length);
    if (span !== null && isName(text, span, language, isKnown)) spans.push(span);
  }
  return spans;
}

function isNoName(word: string): boolean {
  const plain = word.toLowerCase().replaceAll("’", "'");
  const isInitials = /^\p{Lu}{2,}$/u.test(word);
  return NO_NAME.has(plain) || (isSmallWord(plain) && !isInitials) || /^\p{N}+$/u.test(word);
}

/** Without the words at either end that are no name, and without a possessive. */
function trimmed(text: string, from: number, to: number): Span | null {
  const words = text.slice(from, to).split(" ");
  const first = words.findIndex((word) => !isNoName(word));
  if (first === -1) return null;
  const start = words.slice(0, first).reduce((at, word) => at + word.length + 1, from);
  const last = words.findLastIndex((word) => !isNoName(word));
  const name = words
    .slice(first, last + 1)
    .join(" ")
    .replace(/['’]s?$/, "");
  return name.length < 2 ? null : { start, end: start + name.length };
}

function isName(
  text: string,
  { start, end }: Span,
  language: string,
  isKnown: (name: string) => boolean,
): boolean {
  const name = text.slice(start, end);
  const isMarked = /\p{L}[^\s]*[\p{Lu}\p{N}&]/u.test(name.split(" ", 1)[0]!);
  const isAlone = !name.includes(" ");
  if (isMarked || !isAlone) return true;
  return language === "de" || beginsSentence(text, start) ? isKnown(name) : true;
}

/** At the start, behind the end of another sentence, or behind an opening mark. */
const beginsSentence = (text: string, start: number): boolean =>
  start === 0 ||
  /[.!?:…\n]["'“”„»)\]]{0,2}\s*[*-]?\s?$|["“„«‘(]$/u.test(
    text.slice(Math.max(0, start - 8), start),
  );
