import type { Json } from "#db/schema/columns.ts";

/** The person and company that research is about: all that it may look for. */
export interface ResearchSubject {
  fullName: string | null;
  company: string | null;
  title: string | null;
  website: string | null;
  email: string | null;
  profileUrl: string | null;
  country: string | null;
}

export const SOURCE_NAMES = ["website", "search", "profile", "provided"] as const;
export const SOURCE_STATUSES = ["ok", "empty", "failed", "skipped"] as const;

/** One source as it is answered. `provided` is research that the caller brought along. */
export interface ResearchSource {
  name: (typeof SOURCE_NAMES)[number];
  status: (typeof SOURCE_STATUSES)[number];
  /** What it said, cut to what the model is shown; "" where it said nothing. */
  summary: string;
  /** Pages, queries, reasons: what a person needs to judge it. */
  meta: Record<string, Json>;
  from_cache: boolean;
}

export const ZERO_RESEARCH_REASONS = [
  "no_sources",
  "blocked_by_guard",
  "robots_disallowed",
  "fetch_failed",
  "http_error",
  "not_html",
  "javascript_only",
  "too_short",
  "provider_error",
  "disabled",
] as const;
export type ZeroResearchReason = (typeof ZERO_RESEARCH_REASONS)[number];

export interface ResearchReport {
  /** What the model is shown: the summaries of the sources that said something, at most 20,000 characters. */
  text: string;
  sources: ResearchSource[];
  latencyMs: number;
  /** All of it came from the cache. */
  fromCache: boolean;
  /** When the oldest part was looked up; null when nothing came from the cache. */
  cachedAt: Date | null;
  /** Why there is less than `USEFUL_CHARS` of text; null when there is enough. */
  zeroReason: ZeroResearchReason | null;
}

/** Shorter research says nothing useful of the lead. */
export const USEFUL_CHARS = 200;
