import { readCountry } from "#src/domain/people/leads/country.ts";
import type { Queries } from "#src/domain/research/ask-engines.ts";
import { plainSpelling } from "../names/letters.ts";
import { otherNames } from "../names/nicknames.ts";
import { readFullName } from "../names/read-name.ts";
import { PROFILE_SITE } from "./profile-page.ts";
import type { PersonAsked } from "./score.ts";

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
