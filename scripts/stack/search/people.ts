import { otherNames } from "#src/domain/research/finding/names/nicknames.ts";
import { plainSpelling } from "#src/domain/research/finding/names/letters.ts";
import { type Chance, createChance } from "../chance.ts";
import { COMPANIES, CULTURES, type Culture, legalForms } from "./cultures.ts";
import type { Page, Wanted, Web } from "./format.ts";
import { addProfile, inAscii, type Shown } from "./profile-page.ts";

/** How a person is hard to find. Of each hundred people so many. */
const KINDS = {
  plain: 28,
  called_otherwise: 8,
  other_letters: 10,
  second_family_name: 5,
  company_in_text: 10,
  title_cut: 6,
  company_written_otherwise: 8,
  no_company: 7,
  no_company_but_place: 4,
  no_company_namesakes: 2,
  no_employer_shown: 3,
  moved_on: 2,
  not_there: 7,
} as const;
type Kind = keyof typeof KINDS;

const PEOPLE = 300;

interface Making {
  chance: Chance;
  pages: Page[];
  /** Names that a person has already. */
  taken: Set<string>;
}

/** Invented people, their profiles, and what gets into the way: the same on every machine. */
export function inventWeb(seed = 2026): Web {
  const making: Making = { chance: createChance(seed), pages: [], taken: new Set() };
  const { chance, pages } = making;
  const kinds = Object.entries(KINDS).flatMap(([kind, share]) =>
    Array.from({ length: share }, () => kind as Kind),
  );
  const people = Array.from({ length: PEOPLE }, (_, at): Wanted => {
    const kind = kinds[(at * 37) % kinds.length]!;
    const culture = CULTURES[at % CULTURES.length]!;
    const company = chance.pick(COMPANIES);
    const person = { ...newName(making, culture), culture, company: company.name };
    const { asked, shown } = pose(chance, kind, person, company.first);
    const profile = shown === null ? null : addProfile(chance, pages, shown);
    addDistractors(making, kind, person);
    return { ...asked, profile, kind, split: culture.split };
  });
  return { pages, people };
}

/** A name that is new to this web. */
function newName({ chance, taken }: Making, culture: Culture): { given: string; family: string } {
  for (;;) {
    const [starts, ends] = culture.halves.map((text) => text.split(" "));
    const made = chance.pick(starts!) + chance.pick(ends!);
    const given = chance.pick(culture.given);
    const family = chance.happens(0.4) ? chance.pick(culture.family) : made;
    if (taken.has(`${given} ${family}`)) continue;
    taken.add(`${given} ${family}`);
    return { given, family };
  }
}

type Asked = Pick<Wanted, "name" | "company" | "location">;

/** What is asked, and what the person's own profile shows; null for one without a profile. */
function pose(
  chance: Chance,
  kind: Kind,
  person: Shown,
  shortCompany: string,
): { asked: Asked; shown: Shown | null } {
  const { given, family, culture, company } = person;
  const name = `${given} ${family}`;
  const legal = chance.pick(legalForms(culture.country));
  const full = `${company} ${legal}`.trim();
  const asked: Asked = {
    name,
    company,
    ...(chance.happens(0.4) ? { location: culture.country } : {}),
  };
  const shown = { ...person, company: chance.happens(0.5) ? full : company };
  switch (kind) {
    case "plain":
      return { asked, shown };
    case "called_otherwise": {
      const { called, formal } = otherNames(plainSpelling(given));
      const other = called[0] ?? formal[0] ?? given;
      return { asked, shown: { ...shown, given: other[0]!.toUpperCase() + other.slice(1) } };
    }
    case "other_letters":
      return { asked: { ...asked, name: inAscii(name, chance.happens(0.5)) }, shown };
    case "second_family_name":
      return {
        asked,
        shown: { ...shown, family: `${family}-${chance.pick(culture.family).split(" ").at(-1)!}` },
      };
    case "company_in_text":
      return { asked, shown: { ...shown, style: "in_text" } };
    case "title_cut":
      return { asked, shown: { ...shown, style: "cut" } };
    case "company_written_otherwise":
      return chance.happens(0.5)
        ? { asked: { ...asked, company: full.toUpperCase() }, shown }
        : { asked, shown: { ...shown, company: shortCompany } };
    case "no_company":
      return { asked: { name }, shown };
    case "no_company_but_place":
      return { asked: { name, location: culture.country }, shown };
    case "no_company_namesakes":
      return { asked: { name }, shown };
    case "no_employer_shown":
      return { asked, shown: { ...shown, style: "bare" } };
    case "moved_on":
      return { asked, shown: { ...shown, company: chance.pick(COMPANIES).name } };
    case "not_there":
      return { asked, shown: null };
  }
}

/** Of ten others one has a bare title, one the employer in the text alone, one is cut off. */
const FULL = Array.from({ length: 7 }, () => "full" as const);

const NAMESAKES: Partial<Record<Kind, number>> = {
  no_company: 0,
  no_company_but_place: 1,
  no_company_namesakes: 2,
  not_there: 2,
};

function addDistractors(making: Making, kind: Kind, person: Shown): void {
  const { chance, pages } = making;
  const { given, family, culture, company } = person;
  const trade = company.split(" ")[0]!;
  const add = (shown: Partial<Shown>) => {
    const style = chance.pick(["bare", "in_text", "cut", ...FULL] as const);
    addProfile(chance, pages, { ...person, ...shown, ...(style === "full" ? {} : { style }) });
  };
  const elsewhere = () => chance.pick(COMPANIES.filter(({ name }) => !name.startsWith(trade))).name;
  const abroad = CULTURES.filter(({ country }) => country !== culture.country);
  const isAbroad = () => kind === "no_company_but_place" || chance.happens(0.7);
  for (let count = NAMESAKES[kind] ?? Math.floor(chance.next() * 3); count > 0; count--)
    add({ culture: isAbroad() ? chance.pick(abroad) : culture, company: elsewhere() });
  // Of the same company: others, one of the same family, and one whose first name is nearly the same.
  add(newName(making, culture));
  add({ given: newGiven(making, person) });
  if (chance.happens(0.5)) add({ given: given.endsWith("a") ? given.slice(0, -1) : `${given}a` });
  // A company of another trade under the same first name.
  const sibling = COMPANIES.find(({ name }) => name.startsWith(`${trade} `) && name !== company)!;
  if (chance.happens(0.3) && !kind.startsWith("no_company")) add({ company: sibling.name });
  const slug = inAscii(`${given}-${family}`, false)
    .toLowerCase()
    .replace(/[^a-z]+/g, "-");
  const dashed = inAscii(company, false)
    .toLowerCase()
    .replace(/[^a-z]+/g, "-");
  pages.push(
    {
      url: `https://www.linkedin.com/pub/dir/${given}/${family}`,
      title: `20+ "${given} ${family}" profiles | LinkedIn`,
      snippet: `View the profiles of people named ${given} ${family}, one of them at ${company}.`,
    },
    {
      url: `https://www.linkedin.com/company/${dashed}`,
      title: `${company} | LinkedIn`,
      snippet: `${company} · ${given} ${family} and others work here.`,
    },
    {
      url: `https://www.linkedin.com/posts/${slug}_news-activity-1`,
      title: `${given} ${family} on LinkedIn: news of ${company}`,
      snippet: `${given} ${family} posted about ${company}.`,
    },
  );
}

/** Another person of the family, by the first name. */
function newGiven({ chance, taken }: Making, { culture, family, given }: Shown): string {
  const free = culture.given.filter((each) => each !== given && !taken.has(`${each} ${family}`));
  const chosen = free.length === 0 ? "Kim" : chance.pick(free);
  taken.add(`${chosen} ${family}`);
  return chosen;
}
