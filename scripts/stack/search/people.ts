import { otherNames } from "#src/domain/research/finding/names/nicknames.ts";
import { plainSpelling } from "#src/domain/research/finding/names/letters.ts";
import { type Chance, createChance } from "./chance.ts";
import { COMPANIES, CULTURES, type Culture, legalForms } from "./cultures.ts";
import type { Page, Wanted, Web } from "./format.ts";

/** How somebody is hard to find. Of each hundred people so many. */
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

interface Shown {
  given: string;
  family: string;
  culture: Culture;
  company: string;
  style?: "cut" | "in_text" | "bare";
}

const PEOPLE = 300;

interface Making {
  chance: Chance;
  pages: Page[];
  /** Names that somebody has already. */
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

/** A name that nobody of this web has yet. */
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

/** What is asked, and what the person's own profile shows; null for who has none. */
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

function inAscii(name: string, writtenOut: boolean): string {
  const table: Record<string, string> = {
    ä: "ae",
    ö: "oe",
    ü: "ue",
    Ä: "Ae",
    Ö: "Oe",
    å: "aa",
    Å: "Aa",
  };
  const spelled = writtenOut ? name.replace(/[äöüÄÖåÅ]/g, (letter) => table[letter]!) : name;
  return spelled
    .replace(/ß/g, "ss")
    .replace(/[łŁ]/g, (l) => (l === "ł" ? "l" : "L"))
    .normalize("NFD")
    .replace(/\p{M}/gu, "");
}

/** Of ten others one has a bare title, one the employer in the text alone, one is cut off. */
const FULL = Array.from({ length: 7 }, () => "full" as const);

const countryName = ({ country, language }: Culture): string =>
  new Intl.DisplayNames([language], { type: "region" }).of(country)!;

/** Puts the profile into the web and says its slug. */
function addProfile(chance: Chance, pages: Page[], shown: Shown): string {
  const { given, family, culture, company } = shown;
  const number = Math.floor(chance.next() * 2 ** 32)
    .toString(16)
    .padStart(8, "0");
  const slug = `${inAscii(`${given}-${family}`, false)}-${number}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  const name = `${given} ${family}`;
  const role = chance.pick(culture.roles);
  const [experience, place, education] = culture.labels;
  const titles: Record<NonNullable<Shown["style"]> | "full", string[]> = {
    full: [
      `${name} - ${role} - ${company} | LinkedIn`,
      `${name} – ${role} – ${company} | LinkedIn`,
      `${name} - ${role} ${culture.at} ${company} | LinkedIn`,
      `${name} - ${company} | LinkedIn`,
    ],
    cut: [
      `${name} - ${role} ${culture.at} ${company.slice(0, 9)} ...`,
      `${name} - ${role} - ${company.slice(0, 11)}…`,
    ],
    in_text: [`${name} - ${role} | LinkedIn`, `${name} | LinkedIn`],
    bare: [`${name} | LinkedIn`, `${name} - LinkedIn`],
  };
  const city = chance.pick(culture.cities);
  const country = chance.happens(0.6) ? `, ${countryName(culture)}` : "";
  const employer =
    shown.style === "bare" || shown.style === "cut" ? "" : `${experience}: ${company} · `;
  const subdomain =
    chance.happens(0.6) && culture.country !== "US" ? culture.country.toLowerCase() : "www";
  pages.push({
    url: `https://${subdomain}.linkedin.com/in/${slug}${chance.happens(0.15) ? `/${culture.country.toLowerCase()}` : ""}${chance.happens(0.1) ? "?trk=public" : ""}`,
    title: chance.pick(titles[shown.style ?? "full"]),
    snippet: `${employer}${education}: ${city} University · ${place}: ${city}${country} · ${100 + Math.floor(chance.next() * 400)} connections on LinkedIn.`,
    country: culture.country,
  });
  return slug;
}

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

/** Somebody else of the family. */
function newGiven({ chance, taken }: Making, { culture, family, given }: Shown): string {
  const free = culture.given.filter((each) => each !== given && !taken.has(`${each} ${family}`));
  const chosen = free.length === 0 ? "Kim" : chance.pick(free);
  taken.add(`${chosen} ${family}`);
  return chosen;
}
