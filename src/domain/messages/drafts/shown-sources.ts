import type { Json } from "#db/schema/columns.ts";
import type { GivenSource } from "#src/domain/research/personalization/draft.ts";
import type { ResearchSource } from "#src/domain/research/personalization/research/report.ts";

/**
 * Everything a draft was written from, in the one list that its claims point into: first what was given, in the order of
 * `source_index`, then research that said nothing, so that it is reported too.
 */
export function shownSources(
  given: readonly GivenSource[],
  researched: readonly ResearchSource[],
): Json[] {
  const reports = new Map<string, ResearchSource>(researched.map((each) => [each.name, each]));
  const shown = given.map(({ name, text }) => ({
    name,
    status: "ok",
    summary: text,
    meta: reports.get(name)?.meta ?? {},
    from_cache: reports.get(name)?.from_cache ?? false,
  }));
  const names = new Set<string>(given.map(({ name }) => name));
  const silent = researched.filter(({ name }) => !names.has(name)).map((each) => ({ ...each }));
  return [...shown, ...silent];
}
