import { readCountry } from "#src/domain/leads/country.ts";
import { plainSpelling } from "../names/letters.ts";
import { otherNames } from "../names/nicknames.ts";
import { readFullName } from "../names/read-name.ts";
import { PROFILE_SITE } from "./profile-page.ts";
import type { PersonAsked } from "./score.ts";

export interface Queries {
  /** The name as it was given, word for word. */
  exact: string;
  /** For who is written otherwise: what the person is called besides, and no order of words. */
  loose: string;
  country: string | null;
}

export function queriesFor({ name, company, location }: PersonAsked): Queries {
  const words = (text: string | null) => (text ?? "").replace(/["\s]+/g, " ").trim();
  const { given, particles, family } = readFullName(name);
  const first = plainSpelling(given[0] ?? "");
  const { called, formal } = otherNames(first);
  const other = formal[0] ?? called[0] ?? given[0] ?? "";
  const country = location === null ? null : readCountry(location);
  const place = country === null ? words(location) : "";
  const bare = [given[0], ...particles, ...family].join(" ") || words(name);
  const join = (...parts: string[]) => parts.filter((part) => part !== "").join(" ");
  return {
    exact: join(`site:${PROFILE_SITE}/in`, `"${words(bare)}"`, words(company), place),
    loose: join(`site:${PROFILE_SITE}/in`, other, ...particles, ...family, words(company), place),
    country,
  };
}
