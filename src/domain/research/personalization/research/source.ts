import type { Json } from "#db/schema/columns.ts";
import type { ResearchSource, ZeroResearchReason } from "./report.ts";

/** What came of one source. */
export interface Found {
  source: ResearchSource;
  /** Why it says too little; null where it says enough. */
  reason: ZeroResearchReason | null;
  /** When the oldest part of the research was looked up; null when all of it was just now. */
  cachedAt: Date | null;
}

/** A source that was not asked, and why; without a reason where the user could not mend it. */
export const skipped = (
  name: ResearchSource["name"],
  reason: ZeroResearchReason | null,
  detail: string,
): Found => nothing(name, "skipped", reason, { detail }, null);

/** A source that could not be read. */
export const failed = (
  name: ResearchSource["name"],
  reason: ZeroResearchReason,
  meta: Record<string, Json>,
  cachedAt: Date | null,
): Found => nothing(name, "failed", reason, meta, cachedAt);

function nothing(
  name: ResearchSource["name"],
  status: ResearchSource["status"],
  reason: ZeroResearchReason | null,
  meta: Record<string, Json>,
  cachedAt: Date | null,
): Found {
  const source = {
    name,
    status,
    summary: "",
    meta: { ...(reason !== null && { reason }), ...meta },
    from_cache: cachedAt !== null,
  };
  return { source, reason, cachedAt };
}
