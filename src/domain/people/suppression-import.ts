import type { SuppressionKind, SuppressionReason } from "#db/schema/index.ts";
import { createPostgresStore } from "#db/engine/index.ts";
import { createSuppressions } from "#db/people/suppressions.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { suppressedValue } from "./suppressions.ts";

/** A row as it was given: nothing is checked yet. */
export interface SuppressionInput {
  value: string;
  kind?: string;
  reason?: string;
  expiresAt?: string;
}

export interface SuppressionImportReport {
  total: number;
  /** Values that were not suppressed before. */
  created: number;
  /** Values that were suppressed before: the weightier reason stays. */
  renewed: number;
  rejected: number;
  /** The first of them; `rowIndex` counts from 0. */
  rejections: { rowIndex: number; code: string; message: string }[];
}

const BATCH_ROWS = 1000;
const LISTED_REJECTIONS = 1000;

/** Lighter first; what other programs call a reason. */
const REASONS = new Map<string, SuppressionReason>(
  Object.entries({
    manual: "manual",
    hard_bounce: "hard_bounce",
    bounce: "hard_bounce",
    bounced: "hard_bounce",
    unsubscribe: "unsubscribe",
    unsubscribed: "unsubscribe",
    complaint: "complaint",
    complained: "complaint",
    spam: "complaint",
  }),
);
const WEIGHTS: SuppressionReason[] = ["manual", "hard_bounce", "unsubscribe", "complaint"];

interface Entry {
  value: string;
  kind: SuppressionKind;
  reason: SuppressionReason;
  expiresAt: Date | null;
}

/**
 * Suppresses many values, some at a time: an import that breaks off has suppressed
 * the values it had read, and may be repeated. A row that cannot be read is refused
 * with its number and does not stop the rest.
 */
export async function importSuppressions(
  deps: Pick<Deps, "db" | "clock" | "ids">,
  { workspaceId, userId }: Pick<Principal, "workspaceId" | "userId">,
  pieces: AsyncIterable<SuppressionInput[]> | Iterable<SuppressionInput[]>,
): Promise<SuppressionImportReport> {
  const report: SuppressionImportReport = {
    total: 0,
    created: 0,
    renewed: 0,
    rejected: 0,
    rejections: [],
  };
  const now = deps.clock.now();
  let batch = new Map<string, Entry>();
  const flush = async () => {
    const rows = await Promise.all(
      [...batch.values()].map(async (entry) => ({
        ...entry,
        id: deps.ids.uuid(),
        valueHash: await sha256Hex(entry.value),
      })),
    );
    batch = new Map();
    if (rows.length === 0) return;
    const owner = { workspaceId, userId, now };
    const { created, endedIn } = await createSuppressions(deps.db, owner, rows);
    await createPostgresStore(deps.db).complete(now, endedIn);
    report.created += created;
    report.renewed += rows.length - created;
  };
  for await (const wishes of pieces)
    for (const wish of wishes) {
      report.total += 1;
      const entry = readWish(wish, now);
      if ("code" in entry) {
        report.rejected += 1;
        if (report.rejections.length < LISTED_REJECTIONS)
          report.rejections.push({ rowIndex: report.total - 1, ...entry });
        continue;
      }
      const key = `${entry.kind} ${entry.value}`;
      const earlier = batch.get(key);
      batch.set(key, earlier === undefined ? entry : renewed(earlier, entry));
      if (batch.size === BATCH_ROWS) await flush();
    }
  await flush();
  return report;
}

const weigh = ({ reason }: Entry) => WEIGHTS.indexOf(reason);

/** What becomes of an entry that a later row says again: as `renewedSuppression` has it of one that is stored, which no statement can say of two of its own rows. */
function renewed(earlier: Entry, later: Entry): Entry {
  const isTaken = weigh(later) >= weigh(earlier);
  const { expiresAt: before } = earlier;
  const { expiresAt: after } = later;
  const longer = before === null || after === null ? null : before > after ? before : after;
  return {
    ...(isTaken ? later : earlier),
    expiresAt: isTaken && later.reason === "manual" ? after : longer,
  };
}

function readWish(wish: SuppressionInput, now: Date): Entry | { code: string; message: string } {
  const { kind, reason = "manual", expiresAt } = wish;
  if (kind !== undefined && kind !== "email" && kind !== "domain")
    return {
      code: "INVALID_KIND",
      message: `kind is "${kind.slice(0, 50)}", not email or domain.`,
    };
  const value = suppressedValue(wish.value, kind);
  if (value === null)
    return {
      code: "INVALID_VALUE",
      message: `"${wish.value.slice(0, 100)}" is neither an email address nor a domain.`,
    };
  const known = REASONS.get(reason.toLowerCase().replaceAll(/[ -]/g, "_"));
  if (known === undefined)
    return {
      code: "INVALID_REASON",
      message: `reason is "${reason.slice(0, 50)}", not ${WEIGHTS.join(", ")}.`,
    };
  const until = expiresAt === undefined ? null : new Date(expiresAt);
  if (until !== null && !(/^\d{4}-\d\d-\d\d/.test(expiresAt!) && until.getUTCFullYear() < 9999))
    return { code: "INVALID_DATE", message: "expires_at is not an ISO 8601 date." };
  if (until !== null && until <= now)
    return { code: "EXPIRED", message: "expires_at has passed already." };
  return { ...value, reason: known, expiresAt: until };
}
