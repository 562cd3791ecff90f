import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/errors.ts";
import { askEngines, type Judge, type Queries } from "#src/domain/research/ask-engines.ts";
import { readCountry } from "#src/domain/people/leads/country.ts";
import { type FoundProfile, type PersonAsked, scoreProfiles } from "./score.ts";
import { plainSpelling } from "../names/letters.ts";
import { otherNames } from "../names/nicknames.ts";
import { readFullName } from "../names/read-name.ts";
import { PROFILE_SITE } from "./profile-page.ts";

/** How long a caller waits for a profile, all in all (the specification's 12 s), and what of it is the searches'. */
export const FIND_PROFILE_MS = 12_000;

const ENOUGH = 0.85;
const GOOD = 0.6;

/**
 * The person's profile, found by public search engines: best first, none below 0.3; may be empty. Throws
 * SEARCH_UNAVAILABLE when no engine answered by the deadline, or none is configured.
 */
export async function findProfile(
  deps: Pick<Deps, "clock" | "log" | "searchEngines">,
  asked: PersonAsked,
  deadline: Date,
): Promise<FoundProfile[]> {
  if (deps.searchEngines.length === 0)
    throw unavailable("This deployment has no search engine (SEARCH_ENGINES).");
  // No engine knows a name without a letter, and a question without a name is paid for all the same.
  if (!/\p{L}/u.test(asked.name)) return [];
  const judge: Judge = (hits) => {
    const best = scoreProfiles(asked, hits)[0]?.confidence ?? 0;
    return best >= ENOUGH ? "enough" : best >= GOOD ? "good" : "look_further";
  };
  const hits = await askEngines(deps, deps.searchEngines, queriesFor(asked), judge, deadline);
  if (hits === null) throw unavailable("No search engine answered; nothing was charged.", 30);
  return scoreProfiles(asked, hits);
}

const unavailable = (message: string, retryAfter?: number) =>
  new AppError(
    "unavailable",
    "SEARCH_UNAVAILABLE",
    message,
    retryAfter === undefined ? {} : { retryAfter },
  );

/** The name as it was given, word for word; and loosely the name on papers of a nickname, in no order of words. */
export function queriesFor({ name, company, location }: PersonAsked): Queries {
  const { given, particles, family } = readFullName(name);
  const first = plainSpelling(given[0] ?? "");
  const { formal, isFormal } = otherNames(first);
  const other = (isFormal ? undefined : formal[0]) ?? given[0] ?? "";
  const country = location === null ? null : readCountry(location);
  const place = country === null ? words(location) : "";
  const whole = [given[0], ...particles, ...family].filter((word) => word !== undefined).join(" ");
  const join = (...parts: string[]) => parts.filter((part) => part !== "").join(" ");
  return {
    exact: join(`site:${PROFILE_SITE}/in`, `"${whole}"`, words(company), place),
    loose: join(`site:${PROFILE_SITE}/in`, other, ...particles, ...family, words(company), place),
    country,
  };
}

/** Words and nothing that an engine takes for an operator. */
const words = (text: string | null): string =>
  (text ?? "")
    .replace(/["():|*\s]+/g, " ")
    .replace(/(^| )-+/g, " ")
    .trim();
