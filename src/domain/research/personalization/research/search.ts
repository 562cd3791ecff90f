import type { Deps } from "#src/deps.ts";
import { askEngines, type Judge, type Queries } from "#src/domain/research/ask-engines.ts";
import type { SearchHit } from "#src/providers/search/index.ts";
import { foldMarks, wordsOf as wordsIn } from "../normalize-text.ts";
import { plainText } from "./plain-text.ts";
import type { ResearchSource, ResearchSubject } from "./report.ts";
import { failed, type Found, skipped } from "./source.ts";

/** What is shown of what is found. */
const MAX_HITS = 6;
const MAX_CHARS = 5_000;
/** So many that speak of the subject, and no other engine is asked. */
const ENOUGH_HITS = 2;

/** What search engines know of person and company: results that name one of them, and no others. */
export async function searchWeb(
  deps: Pick<Deps, "clock" | "log" | "searchEngines">,
  subject: ResearchSubject,
  deadline: Date,
  signal: AbortSignal,
): Promise<Found> {
  const queries = queriesOf(subject);
  if (queries === null)
    return skipped("search", "no_sources", "Neither name nor company is known.");
  if (deps.searchEngines.length === 0)
    return skipped("search", "disabled", "This deployment has no search engine (SEARCH_ENGINES).");
  const about = (hits: readonly SearchHit[]) => hitsAbout(subject, hits);
  const judge: Judge = (hits) => (about(hits).length >= ENOUGH_HITS ? "enough" : "look_further");
  const hits = await askEngines(deps, deps.searchEngines, queries, judge, deadline, signal);
  if (hits === null)
    return failed(
      "search",
      "provider_error",
      { query: queries.exact, detail: "No search engine answered." },
      null,
    );
  return toFound(queries, about(hits));
}

function toFound(queries: Queries, hits: readonly SearchHit[]): Found {
  const summary = hits
    .map(({ url, title, snippet }) => plainText(`${title}: ${snippet} (${url})`))
    .join("\n")
    .slice(0, MAX_CHARS)
    .toWellFormed();
  const source: ResearchSource = {
    name: "search",
    status: hits.length === 0 ? "empty" : "ok",
    summary,
    meta: { query: queries.exact, results: hits.map(({ url }) => url.toWellFormed()) },
    from_cache: false,
  };
  return { source, reason: hits.length === 0 ? "too_short" : null, cachedAt: null };
}

/** Person and company together, or else what is new at the company. */
function queriesOf({ fullName, company, country }: ResearchSubject): Queries | null {
  const [name, firm] = [wordsOf(fullName), wordsOf(company)];
  if (name === "" && firm === "") return null;
  const quoted = name === "" ? "" : `"${name}"`;
  const join = (...parts: string[]) => parts.filter((part) => part !== "").join(" ");
  return {
    exact: join(quoted, firm, name === "" ? "news" : ""),
    loose: firm === "" ? name : join(firm, "news"),
    country,
  };
}

/** Words and nothing that an engine takes for an operator. */
const wordsOf = (text: string | null): string =>
  (text ?? "")
    .slice(0, 120)
    .replace(/["():|*\s]+/g, " ")
    .replace(/(^| )-+/g, " ")
    .trim();

/**
 * Once each, those that name the person first. Where a company is known what does not name it is about a
 * namesake; else the name has to do.
 */
export function hitsAbout(subject: ResearchSubject, hits: readonly SearchHit[]): SearchHit[] {
  const [person, company] = [plainWords(subject.fullName ?? ""), plainWords(subject.company ?? "")];
  const ranked = hits.map((hit) => {
    const text = ` ${plainWords(`${hit.title} ${hit.snippet}`)} `;
    const has = (words: string) => words !== "" && text.includes(` ${words} `);
    return { hit, fits: has(company === "" ? person : company), rank: has(person) ? 1 : 0 };
  });
  const fitting = ranked.filter(({ fits }) => fits).toSorted((a, b) => b.rank - a.rank);
  const byUrl = new Map(fitting.map(({ hit }) => [hit.url, hit] as const));
  return [...byUrl.values()].slice(0, MAX_HITS);
}

const plainWords = (text: string): string => wordsIn(foldMarks(text)).join(" ");
