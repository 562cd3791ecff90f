import { findPostmaster, type PostmasterDayRow } from "#db/senders/postmaster.ts";
import type { ComplianceRow, PostmasterState } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { requireDomain } from "../domains.ts";

export const POSTMASTER_STATUSES = [
  "not_connected",
  "connected",
  "no_access",
  "consent_lost",
] as const satisfies ("not_connected" | PostmasterState)[];

export interface PostmasterFigures {
  domain: string;
  status: (typeof POSTMASTER_STATUSES)[number];
  connectedAt: Date | null;
  fetchedAt: Date | null;
  /** When figures are read next; null where they are not. */
  nextAt: Date | null;
  lastError: string | null;
  /** Null before the first look, and where Gmail says nothing. */
  compliance: ComplianceRow[] | null;
  days: PostmasterDayRow[];
}

/** What Gmail says of a domain's mail, over so many days; what was read stays where the access is gone. Throws `not_found`. */
export async function readPostmaster(
  deps: Deps,
  principal: Pick<Principal, "workspaceId">,
  domainId: string,
  days: number,
): Promise<PostmasterFigures> {
  const { domain } = await requireDomain(deps, principal, domainId);
  const since = new Date(deps.clock.now().getTime() - days * DAY_MS).toISOString().slice(0, 10);
  const { login, days: known } = await findPostmaster(deps.db, domainId, since);
  return {
    domain,
    status: login?.state ?? "not_connected",
    connectedAt: login?.connectedAt ?? null,
    fetchedAt: login?.fetchedAt ?? null,
    nextAt: login === undefined || login.state === "consent_lost" ? null : login.dueAt,
    lastError: login?.lastError ?? null,
    compliance: login?.compliance ?? null,
    days: known,
  };
}
