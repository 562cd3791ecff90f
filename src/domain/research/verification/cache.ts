import { keepVerification, readVerification } from "#db/research/verifications.ts";
import type { Deps } from "#src/deps.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { type Backend, type Reason, REASONS, type Verification } from "./outcome.ts";
import type { Target } from "./target.ts";

const DAY_S = 86_400;
const UNDECIDED_S = 600;

/** Seconds for which an answer is kept; 0: it says nothing of the address, only of us at that moment. */
function keptSeconds(reason: Reason): number {
  if (reason === "mailbox_full") return DAY_S;
  if (reason === "egress_failed" || reason === "paced" || reason === "dns_failed") return 0;
  const outcome = REASONS[reason];
  return { valid: 7 * DAY_S, catch_all: 7 * DAY_S, invalid: 3 * DAY_S, unknown: UNDECIDED_S }[
    outcome
  ];
}

const DOMAIN_SECONDS = 7 * DAY_S;

export const hashOf = ({ key }: Target): Promise<string> => sha256Hex(key);

export interface Cached {
  /** An answer that still holds, of the address or of its domain. */
  fresh: Verification | null;
  /** When the address was last answered, whether that still holds or not. */
  checkedAt: Date | null;
  isProbing: boolean;
  domainIsCatchAll: boolean | null;
}

/** What is known without a probe: in Postgres, because a paid answer must not be asked for twice when a cache forgets. */
export async function readCached(
  { db, clock }: Pick<Deps, "db" | "clock">,
  hash: string,
  { domain }: Target,
): Promise<Cached> {
  const now = clock.now();
  const row = await readVerification(db, hash, domain, now);
  return {
    fresh: freshOf(row, now),
    checkedAt: row.checkedAt,
    isProbing: row.probingUntil !== null && row.probingUntil > now,
    domainIsCatchAll: row.domainIsCatchAll,
  };
}

type Row = Omit<Awaited<ReturnType<typeof readVerification>>, "probingUntil">;

/** A host that takes everything refused this very address: what holds for the others says nothing of it. */
export const isGone = (reason: string | null): boolean =>
  reason === "no_such_user" || reason === "mailbox_disabled";

/** What is kept and still holds. `row` has the address's last answer, be it expired. */
export function freshOf(row: Row, now: Date): Verification | null {
  const { reason, backend, hasMx, isCatchAll, checkedAt, expiresAt } = row;
  if (reason !== null && checkedAt !== null && expiresAt !== null && expiresAt > now)
    return verification(reason as Reason, backend as Backend, { hasMx, isCatchAll, checkedAt });
  if (row.domainIsCatchAll !== true || isGone(reason)) return null;
  return verification("accepts_everything", "smtp", {
    hasMx: true,
    isCatchAll: true,
    checkedAt: now,
  });
}

export const verification = (
  reason: Reason,
  backend: Backend,
  rest: Pick<Verification, "hasMx" | "isCatchAll" | "checkedAt">,
): Verification => ({ outcome: REASONS[reason], reason, backend, ...rest });

/** Keeps an answer for as long as it holds, and what was learnt of its domain; false when it is none worth keeping. */
export async function cacheVerification(
  { db }: Pick<Deps, "db">,
  hash: string,
  { domain }: Target,
  found: Verification,
  isCatchAll: boolean | null,
): Promise<boolean> {
  const seconds = keptSeconds(found.reason);
  if (seconds === 0) return false;
  const after = (s: number) => new Date(found.checkedAt.getTime() + s * 1000);
  const learnt =
    isCatchAll === null ? null : { domain, isCatchAll, expiresAt: after(DOMAIN_SECONDS) };
  await keepVerification(db, hash, { ...found, expiresAt: after(seconds) }, learnt);
  return true;
}
