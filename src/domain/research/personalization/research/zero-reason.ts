import { USEFUL_CHARS, type ZeroResearchReason } from "./report.ts";
import type { Found } from "./source.ts";

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
