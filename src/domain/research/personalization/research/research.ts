import type { DatasetPlace } from "#db/research/research-cache.ts";
import type { Deps } from "#src/deps.ts";
import { withDeadline } from "#src/platform/deadline.ts";
import {
  type ResearchReport,
  type ResearchSubject,
  USEFUL_CHARS,
  type ZeroResearchReason,
} from "./report.ts";
import { keepRow, readRow } from "./row-cache.ts";
import { searchWeb } from "./search.ts";
import { type Found, skipped } from "./source.ts";
import { oldest, readWebsite } from "./website.ts";

export { subjectOf } from "./subject.ts";

/** What all of it may take. */
export const RESEARCH_MS = 8_000;
/** What the model is shown. */
export const MAX_RESEARCH_CHARS = 20_000;

export interface ResearchOptions {
  /** Nothing is read from caches; what is found is kept all the same. */
  force: boolean;
  /** The row of the workspace's own dataset whose research this is. */
  row: DatasetPlace | null;
  /** Research that the caller brought along, in the place of all other. */
  provided: string | null;
}

type ResearchDeps = Pick<Deps, "db" | "clock" | "log" | "searchEngines" | "openWeb">;

/** What is publicly known of a person and their company. What a source does is told in its report and never thrown. */
export async function research(
  deps: ResearchDeps,
  workspaceId: string,
  subject: ResearchSubject,
  { force, row, provided }: ResearchOptions,
  signal: AbortSignal,
): Promise<ResearchReport> {
  const begun = deps.clock.now().getTime();
  const report = (found: readonly Found[]) => toReport(found, deps.clock.now().getTime() - begun);
  if (provided !== null) return report([broughtAlong(provided)]);
  const kept = row === null || force ? null : await readRow(deps, workspaceId, row, subject);
  if (kept !== null) return report(kept);
  const found = await lookAround(deps, subject, force, signal);
  const made = report(found);
  if (row !== null) await keepRow(deps, workspaceId, row, subject, found, made.zeroReason === null);
  return made;
}

function lookAround(
  deps: ResearchDeps,
  subject: ResearchSubject,
  force: boolean,
  signal: AbortSignal,
): Promise<Found[]> {
  const deadline = new Date(deps.clock.now().getTime() + RESEARCH_MS);
  return withDeadline(deps.clock, RESEARCH_MS, (late) => {
    const end = AbortSignal.any([signal, late]);
    return Promise.all([
      readWebsite(deps, subject, force, end),
      searchWeb(deps, subject, deadline, end),
      skipped("profile", null, "Pages of the network are not read for research."),
    ]);
  });
}

const broughtAlong = (text: string): Found => ({
  source: {
    name: "provided",
    status: text.trim() === "" ? "empty" : "ok",
    summary: text.slice(0, MAX_RESEARCH_CHARS).toWellFormed(),
    meta: {},
    from_cache: false,
  },
  reason: "too_short",
  cachedAt: null,
});

function toReport(found: readonly Found[], latencyMs: number): ResearchReport {
  const text = found
    .map(({ source }) => source.summary)
    .filter((summary) => summary !== "")
    .join("\n\n")
    .slice(0, MAX_RESEARCH_CHARS)
    .toWellFormed();
  const asked = found.filter(({ source }) => source.status !== "skipped");
  return {
    text,
    sources: found.map(({ source }) => source),
    latencyMs,
    fromCache: asked.length > 0 && asked.every(({ source }) => source.from_cache),
    cachedAt: oldest(found.map(({ cachedAt }) => cachedAt)),
    zeroReason: zeroReason(text, found),
  };
}

/** Why there is less than `USEFUL_CHARS` of text: what a person would mend first; null where there is enough. */
export function zeroReason(text: string, found: readonly Found[]): ZeroResearchReason | null {
  if (text.length >= USEFUL_CHARS) return null;
  const asked = found.filter(({ source }) => source.status !== "skipped");
  const reasonOf = (some: readonly Found[]) =>
    RANK.find((reason) => some.some((each) => each.reason === reason));
  return reasonOf(asked) ?? reasonOf(found) ?? "too_short";
}

/** The first that is there is named. */
const RANK: readonly ZeroResearchReason[] = [
  "blocked_by_guard",
  "robots_disallowed",
  "http_error",
  "not_html",
  "javascript_only",
  "fetch_failed",
  "provider_error",
  "too_short",
  "disabled",
  "no_sources",
];
