import { choose } from "./choose.ts";
import { type Commonality, commonalityOf, findShared, type Shared } from "./commonality.ts";
import type { Facts, Given } from "./given.ts";
import { nameOf, safeSentences } from "./sentences.ts";
import { fill, type Language, languageNamed, languageOf, WORDS, type Words } from "./words.ts";

export interface Letter {
  subject: string;
  body: string;
  commonality: Commonality;
}

/** A letter from the facts alone; each sentence is chosen by what it speaks of. */
export function composeLetter(given: Given, language: Language = languageFor(given)): Letter {
  const words = WORDS[language];
  const shared = findShared(given);
  const opening = openingOf(given, language, shared);
  const body =
    given.template === null
      ? [
          greetingOf(given.lead, words),
          ...opening,
          ...offerOf(given.sender, words),
          signatureOf(given.sender, words),
        ].join("\n\n")
      : intoTemplate(given, words, opening.slice(0, 1));
  return {
    subject: given.continuesThread ? "" : subjectOf(given, words),
    body,
    commonality: commonalityOf(given, shared),
  };
}

const languageFor = ({ template, sender }: Given): Language =>
  template === null
    ? (languageNamed(sender["language"] ?? "") ?? languageOf(Object.values(sender).join(" ")))
    : languageOf(template.body);

const firstName = ({ first_name: first, full_name: full, name }: Facts): string | null =>
  nameOf(first) ?? nameOf((full ?? name)?.split(/\s+/)[0]);

function greetingOf(lead: Facts, words: Words): string {
  const name = firstName(lead);
  return name === null
    ? choose(words.greetingsToAll, "greeting")
    : fill(choose(words.greetings, "greeting", name), { name });
}

/** What is said of the lead: role, what was read, what is shared, and a detail. */
function openingOf({ lead, research }: Given, language: Language, shared: Shared | null): string[] {
  const words = WORDS[language];
  const role = roleOf(lead, words);
  const quote = quoteOf(research, language);
  const said = [
    ...(quote === null ? [] : [fill(choose(words.quotes, "quote", quote), { quote })]),
    ...(shared === null || shared.rarity < 0.5
      ? []
      : [fill(choose(words.common, "common", shared.word), { word: shared.word })]),
  ];
  const detail = said.length > 0 ? [] : detailOf(lead, words);
  return [[...role, ...said, ...detail].join(" ")].filter((each) => each !== "");
}

function roleOf(lead: Facts, words: Words): string[] {
  const company = nameOf(lead["company"]);
  const title = nameOf(lead["title"] ?? lead["job_title"]);
  if (company !== null && title !== null)
    return [fill(choose(words.roles, "role", company, title), { company, title })];
  if (company !== null) return [fill(choose(words.companies, "company", company), { company })];
  return title === null ? [] : [fill(choose(words.titles, "title", title), { title })];
}

const NO_DETAIL = /name|email|phone|company|title|url|website|link|country|linkedin|profile/i;

/** One of the lead's own fields, the longest, for that says most. */
function detailOf(lead: Facts, words: Words): string[] {
  const details = Object.entries(lead).filter(
    ([key, value]) => !NO_DETAIL.test(key) && nameOf(key) !== null && nameOf(value) !== null,
  );
  const [longest] = details.toSorted((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  if (longest === undefined) return [];
  const [key, value] = longest;
  return [fill(choose(words.details, "detail", key), { key: key.replace(/[._]/g, " "), value })];
}

/** Another script than that of its letters, and numbers that one could call. */
const UNQUOTABLE = /(?=\p{L})\P{Script=Latin}|\d(?:[ \-./()'+,]{0,3}\d){6}/u;

/** A sentence with a number or a name in it, which is more than a slogan. */
function quoteOf(research: string[], language: Language): string | null {
  const sentences = research
    .flatMap(safeSentences)
    .filter((each) => each.length >= 20 && !/["“”„«»]/.test(each))
    .filter((each) => !UNQUOTABLE.test(each))
    .filter((each) => languageOf(each) === language);
  return (
    sentences.find((each) => /\d/.test(each)) ??
    sentences.find((each) => / \p{Lu}\p{L}+/u.test(each)) ??
    null
  );
}

function offerOf(sender: Facts, words: Words): string[] {
  const value = sender["value_proposition"] ?? sender["company_description"] ?? "";
  const link = sender["calendar_url"] ?? "";
  const ask = choose(words.asks, "ask", value);
  return [
    ...(value === "" ? [] : [fill(choose(words.offers, "offer", value), { value })]),
    link === "" ? ask : `${ask} ${fill(choose(words.calendars, "calendar", link), { link })}`,
  ];
}

function signatureOf(sender: Facts, words: Words): string {
  const { signature = "", full_name: name = "", job_title: title = "", company = "" } = sender;
  if (signature !== "") return signature;
  const role = [title, company].filter((each) => each !== "").join(", ");
  return [choose(words.closings, "closing", name), name, role]
    .filter((each) => each !== "")
    .join("\n");
}

const GREETING =
  /^(hi|hello|hey|dear|good (day|morning)|hallo|liebe[r]?|guten tag|sehr geehrte[r]?|bonjour|salut|chère?|hola|buenos|estimad[oa])\b[^\n]{0,100}$/i;

/** The template as it stands, with what is said of the lead after its greeting. */
function intoTemplate({ template, lead, sender }: Given, words: Words, opening: string[]): string {
  const paragraphs = template!.body.trim().split(/\n\s*\n/);
  const [first = "", ...rest] = paragraphs;
  const [greeting, ...sameParagraph] = first.split("\n");
  const name = sender["full_name"] ?? "";
  const isSigned = name === "" || template!.body.includes(name.split(" ")[0]!);
  const ending = isSigned ? [] : [signatureOf(sender, words)];
  if (!GREETING.test(greeting!))
    return [greetingOf(lead, words), ...opening, ...paragraphs, ...ending].join("\n\n");
  const remainder = sameParagraph.length === 0 ? [] : [sameParagraph.join("\n")];
  return [greeting, ...opening, ...remainder, ...rest, ...ending].join("\n\n");
}

function subjectOf({ template, lead }: Given, words: Words): string {
  const own = template?.subject.replace(/\s+/g, " ").trim() ?? "";
  if (own !== "") return own;
  const company = nameOf(lead["company"]);
  return company === null || company.length > 40
    ? choose(words.plainSubjects, "subject")
    : fill(choose(words.subjects, "subject", company), { company });
}
