import type { Deps } from "#src/deps.ts";
import { lookUpPage, type PageLookup } from "./page.ts";
import {
  type ResearchSource,
  type ResearchSubject,
  USEFUL_CHARS,
  type ZeroResearchReason,
} from "./report.ts";
import { createRobots } from "./robots.ts";
import { failed, type Found, skipped } from "./source.ts";
import { siteOf } from "./subject.ts";
import type { Lookup } from "./web-cache.ts";

/** Of what is shown to the model. */
const MAX_CHARS = 12_000;

/** What the company says of itself: its front page and what that leads to, as its robots.txt allows. */
export async function readWebsite(
  deps: Pick<Deps, "db" | "clock" | "openWeb">,
  subject: ResearchSubject,
  force: boolean,
  signal: AbortSignal,
): Promise<Found> {
  const site = siteOf(subject);
  if (site === null)
    return skipped("website", "no_sources", "Neither website nor company address is known.");
  if (deps.openWeb === null)
    return skipped("website", "disabled", "This deployment reads no websites (RESEARCH_WEBSITES).");
  const web = deps.openWeb();
  const how = { force, faultOf: createRobots(deps, web, force, signal), signal };
  const front = await lookUpPage(deps, web, site, how);
  if (front.answer.kind === "nothing")
    return failed(
      "website",
      front.answer.reason,
      { url: site, detail: front.answer.detail },
      front.cachedAt,
    );
  const others = await Promise.all(front.answer.more.map((url) => lookUpPage(deps, web, url, how)));
  return toFound(site, [front, ...others]);
}

type Page = Extract<PageLookup, { kind: "page" }>;

function toFound(site: string, lookups: readonly Lookup<PageLookup>[]): Found {
  const pages = lookups.flatMap(({ answer }) => (answer.kind === "page" ? [answer] : []));
  const summary = withoutRepeats(pages)
    .filter(({ text }) => text !== "")
    .map(({ url, text }) => `${url}\n${text}`)
    .join("\n\n")
    .slice(0, MAX_CHARS)
    .toWellFormed();
  const reason = reasonOf(pages);
  const dates = lookups.map(({ cachedAt }) => cachedAt);
  const source: ResearchSource = {
    name: "website",
    status: summary === "" ? "empty" : "ok",
    summary,
    meta: {
      url: site,
      pages: pages.map(({ url, text }) => ({ url, chars: text.length })),
      ...(reason === null ? {} : { reason }),
    },
    from_cache: dates.every((date) => date !== null),
  };
  return { source, reason, cachedAt: oldest(dates) };
}

/** What stands on every page of a site is said once. */
function withoutRepeats(pages: readonly Page[]): Pick<Page, "url" | "text">[] {
  const said = new Set<string>();
  return pages.map(({ url, text }) => {
    const fresh = text.split("\n").filter((line) => !said.has(line));
    for (const line of fresh) said.add(line);
    return { url, text: fresh.join("\n") };
  });
}

function reasonOf(pages: readonly Page[]): ZeroResearchReason | null {
  const chars = pages.reduce((sum, { text }) => sum + text.length, 0);
  if (chars >= USEFUL_CHARS) return null;
  return pages[0]!.isScripted ? "javascript_only" : "too_short";
}

export const oldest = (dates: readonly (Date | null)[]): Date | null =>
  dates.reduce(
    (one, other) => (one === null || (other !== null && other < one) ? other : one),
    null,
  );
