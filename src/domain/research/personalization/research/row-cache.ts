import * as z from "zod";
import {
  type DatasetPlace,
  keepRowResearch,
  readRowResearch,
} from "#db/research/research-cache.ts";
import type { Json } from "#db/schema/columns.ts";
import type { Deps } from "#src/deps.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import {
  type ResearchSubject,
  SOURCE_NAMES,
  SOURCE_STATUSES,
  ZERO_RESEARCH_REASONS,
  type ZeroResearchReason,
} from "./report.ts";
import type { Found } from "./source.ts";

/** How long research counts; less where it found nothing. */
const KEEP_MS = { useful: 7 * DAY_MS, useless: DAY_MS };

const keptShape = z.array(
  z.object({
    source: z.object({
      name: z.enum(SOURCE_NAMES),
      status: z.enum(SOURCE_STATUSES),
      summary: z.string(),
      meta: z.record(z.string(), z.json()),
      from_cache: z.boolean(),
    }),
    reason: z.enum(ZERO_RESEARCH_REASONS).nullable(),
  }),
);

/** It may be otherwise in a moment: not to be believed for days. */
const PASSING = new Set<ZeroResearchReason | null>(["fetch_failed", "provider_error"]);

const hashOf = (subject: ResearchSubject) =>
  sha256Hex(JSON.stringify(Object.entries(subject).toSorted(([a], [b]) => (a < b ? -1 : 1))));

/** What is kept of the row, if it was about this very subject. */
export async function readRow(
  { db, clock }: Pick<Deps, "db" | "clock">,
  workspaceId: string,
  row: DatasetPlace,
  subject: ResearchSubject,
): Promise<Found[] | null> {
  const kept = await readRowResearch(db, workspaceId, row, await hashOf(subject), clock.now());
  const parsed = keptShape.safeParse(kept?.sources);
  if (kept === null || !parsed.success) return null;
  return parsed.data.map(({ source, reason }) => ({
    source: { ...(source as Found["source"]), from_cache: source.status !== "skipped" },
    reason,
    cachedAt: source.status === "skipped" ? null : kept.lookedUpAt,
  }));
}

export async function keepRow(
  { db, clock }: Pick<Deps, "db" | "clock">,
  workspaceId: string,
  row: DatasetPlace,
  subject: ResearchSubject,
  found: readonly Found[],
  isUseful: boolean,
): Promise<void> {
  if (found.some(({ reason }) => PASSING.has(reason))) return;
  const now = clock.now();
  const ms = isUseful ? KEEP_MS.useful : KEEP_MS.useless;
  const sources = found.map(({ source, reason }) => ({ source, reason })) as unknown as Json;
  await keepRowResearch(
    db,
    workspaceId,
    row,
    { subjectHash: await hashOf(subject), sources },
    { now, expiresAt: new Date(now.getTime() + ms) },
  );
}
