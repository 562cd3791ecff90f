import type { SearchHit } from "#src/providers/search/index.ts";
import { readCountry } from "#src/domain/people/leads/country.ts";
import { plainSpelling } from "../names/letters.ts";
import { type PersonName, readFullName } from "../names/read-name.ts";
import { type CompanyEvidence, companyEvidence } from "./company-evidence.ts";
import { nameLikeness } from "./name-likeness.ts";
import { readProfilePage } from "./profile-page.ts";
import { readTitle } from "./profile-title.ts";

export interface PersonAsked {
  name: string;
  company: string | null;
  /** A country, as code or name, or any place. */
  location: string | null;
}

export interface FoundProfile {
  profileUrl: string;
  title: string | null;
  snippet: string | null;
  /** 0 to 1, two decimals. */
  confidence: number;
}

/** What scores less counts as not found. */
export const MIN_CONFIDENCE = 0.3;
export const MAX_PROFILES = 5;

/** By what is said of the company. Without a word of it the name alone stands, which several people may have. */
const EVIDENCE = { noneAsked: 0.55, silent: 0.35, another: 0.2, named: 0.55, perShare: 0.42 };
/** The right country, or the wrong one; it says more where nothing is said of the company. */
const PLACE = { withCompany: 0.05, alone: 0.1 };
/** Profiles that lie closer together than this cannot be told apart. */
const NEAR = 0.08;

/** The person's possible profiles, best first; only those that count. Where several fit alike each is worth its share. */
export function scoreProfiles(asked: PersonAsked, hits: readonly SearchHit[]): FoundProfile[] {
  const person = readFullName(asked.name);
  const pages = onePerPage(hits);
  const scored = pages
    .map((page) => ({ ...page, score: scoreOf(asked, person, page) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  return scored
    .map(({ url, hits: [first], score }) => ({
      profileUrl: url,
      title: first?.title || null,
      snippet: first?.snippet || null,
      confidence: shared(score, scored),
    }))
    .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
    .slice(0, MAX_PROFILES);
}

function shared(score: number, all: readonly { score: number }[]): number {
  const alike = all.filter((other) => other.score > score - NEAR && other.score >= MIN_CONFIDENCE);
  return Math.round((Math.min(1, score) / Math.max(1, alike.length)) * 100) / 100;
}

interface Page {
  url: string;
  slug: string;
  country: string | null;
  hits: SearchHit[];
}

/** The same page from several engines and subdomains is one, with everything that was said of it. */
function onePerPage(hits: readonly SearchHit[]): Page[] {
  const pages = new Map<string, Page>();
  for (const hit of hits) {
    const page = readProfilePage(hit.url);
    if (page === null) continue;
    const known = pages.get(page.slug) ?? { ...page, hits: [] };
    pages.set(page.slug, {
      ...known,
      country: known.country ?? page.country,
      hits: [...known.hits, hit],
    });
  }
  return [...pages.values()];
}

function scoreOf(asked: PersonAsked, person: PersonName, page: Page): number {
  const place = asked.company === null ? PLACE.alone : PLACE.withCompany;
  return Math.max(
    ...page.hits.map(({ title, snippet }) => {
      const likeness = nameLikeness(person, shownName(title, page.slug));
      if (likeness < MIN_CONFIDENCE) return 0;
      const evidence = companyScore(asked.company, title, snippet);
      return likeness * evidence + place * placeSign(asked.location, page.country, snippet);
    }),
  );
}

/** The title's name, or where there is none the slug's words without the number that the network adds. */
function shownName(title: string, slug: string): string {
  const { name } = readTitle(title);
  return /\p{L}/u.test(name)
    ? name
    : slug.replace(/-(?=[a-z0-9]*\d)[a-z0-9]{5,}$/, "").replaceAll("-", " ");
}

function companyScore(company: string | null, title: string, snippet: string): number {
  if (company === null) return EVIDENCE.noneAsked;
  const evidence: CompanyEvidence = companyEvidence(company, title, snippet);
  return evidence.kind === "named"
    ? EVIDENCE.named + EVIDENCE.perShare * evidence.share
    : EVIDENCE[evidence.kind];
}

/** 1 it fits, -1 it is another country, 0 nothing is known. */
function placeSign(location: string | null, country: string | null, snippet: string): -1 | 0 | 1 {
  if (location === null) return 0;
  const wanted = readCountry(location);
  if (wanted === null) return namesPlace(location, snippet) ? 1 : 0;
  const said = country ?? countryIn(snippet);
  return said === null ? 0 : said === wanted ? 1 : -1;
}

/** A country that stands by itself between the signs with which results list what they know. */
function countryIn(snippet: string): string | null {
  const pieces = snippet.slice(0, 500).split(/[·,;:|•()]| - /);
  const countries = pieces.filter((piece) => piece.trim().length > 2).map(readCountry);
  return countries.find((country) => country !== null) ?? null;
}

function namesPlace(place: string, snippet: string): boolean {
  const there = new Set(placeWords(snippet));
  const words = placeWords(place);
  return words.length > 0 && words.every((word) => there.has(word));
}

const placeWords = (text: string): string[] =>
  (
    text
      .normalize("NFKC")
      .slice(0, 500)
      .match(/[\p{L}\p{M}]+/gu) ?? []
  ).map((word) => plainSpelling(word) || word.toLowerCase());
