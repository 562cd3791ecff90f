import { plainSpelling } from "../names/letters.ts";
import { jaroWinkler } from "./jaro-winkler.ts";
import { readTitle } from "./profile-title.ts";

/** Legal forms, and the ends of domains: they do not tell companies apart. */
const LEGAL = new Set(
  (
    "inc incorporated llc llp ltd limited plc corp corporation co company gmbh mbh ag kg kgaa ug ohg se sa sas sarl srl spa sl slu bv nv " +
    "ab oy oyj as asa aps sp zoo doo kft sro pty pte ltda eireli holding holdings group gruppe groupe com net org io zz the and und et y"
  ).split(" "),
);

export type CompanyEvidence =
  /** How sure it is the same company: 1 where the title has all of its words. */
  | { kind: "named"; share: number }
  /** The title says what the person does, and the company is nowhere. */
  | { kind: "another" }
  /** It says nothing but the name, or is cut off before it could. */
  | { kind: "silent" };

/** What a result says of the person's company, from its title's parts behind the name and from the text beneath. */
export function companyEvidence(company: string, title: string, snippet: string): CompanyEvidence {
  const all = wordsOf(company);
  // A company may be called Group.
  const companyWords = (text: string) =>
    all.some(isTelling) ? wordsOf(text).filter(isTelling) : wordsOf(text);
  const asked = companyWords(company);
  if (asked.length === 0) return { kind: "silent" };
  const { parts, isCut } = readTitle(title);
  const inTitle = companyWords(parts.join(" "));
  if (asked.every((word) => isAmong(word, inTitle))) return { kind: "named", share: 1 };
  if (namedTogether(asked, companyWords(snippet))) return { kind: "named", share: 0.85 };
  const shown = companyWords(parts.at(-1) ?? "");
  if (isShortened(asked, shown) || isInitials(asked, shown) || (isCut && isCutOff(asked, shown)))
    return { kind: "named", share: 0.7 };
  return parts.length > 0 && !isCut ? { kind: "another" } : { kind: "silent" };
}

/** "Acme" for "Acme Robotics" is the same; "Acme Foods" is not, for it says what it is instead. */
const isShortened = (asked: string[], shown: string[]): boolean => shown.at(-1) === asked[0];

function wordsOf(text: string): string[] {
  const words =
    text
      .normalize("NFKC")
      .slice(0, 300)
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  // What is written in letters that do not tell is compared as it stands.
  return words.map((word) => plainSpelling(word) || word.toLowerCase());
}

const isTelling = (word: string): boolean => !LEGAL.has(word);

const isAmong = (word: string, words: readonly string[]): boolean =>
  words.some((each) => each === word || (word.length >= 5 && jaroWinkler(each, word) > 0.95));

/** In running text the words must stand one after the other. */
function namedTogether(asked: string[], words: string[]): boolean {
  return words.some((_, at) =>
    asked.every((word, next) => isAmong(word, words.slice(at + next, at + next + 1))),
  );
}

const isInitials = (asked: string[], shown: string[]): boolean =>
  asked.length >= 2 && shown.length === 1 && shown[0] === asked.map((word) => word[0]).join("");

/** The title ends in the middle of the company's name. */
function isCutOff(asked: string[], shown: string[]): boolean {
  const whole = asked.join("");
  return shown.some((_, at) => {
    const end = shown.slice(at).join("");
    return end.length >= 5 && whole.startsWith(end);
  });
}
