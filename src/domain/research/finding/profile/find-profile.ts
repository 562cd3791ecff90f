import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/errors.ts";
import { askEngines, type Judge } from "#src/domain/research/ask-engines.ts";
import { queriesFor } from "./queries.ts";
import { type FoundProfile, type PersonAsked, scoreProfiles } from "./score.ts";

/** How long a caller waits for a profile, all in all (the specification's 12 s), and what of it is the searches'. */
export const FIND_PROFILE_MS = 12_000;

const ENOUGH = 0.85;
const GOOD = 0.6;

/**
 * The person's profile, found by public search engines: best first, none below 0.3; nobody is an answer too. Throws
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
