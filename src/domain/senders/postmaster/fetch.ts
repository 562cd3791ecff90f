import { isFenced } from "#db/base/fence.ts";
import {
  claimPostmasterFetch,
  endPostmasterFetch,
  losePostmasterLogin,
  type PostmasterLogin,
  putOffPostmasterFetch,
} from "#db/senders/postmaster.ts";
import type { Deps } from "#src/deps.ts";
import { newClaim } from "#src/domain/job.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#src/platform/durations.ts";
import { describeError } from "#src/platform/log.ts";
import type { Compliance, PostmasterDay } from "#src/providers/postmaster/index.ts";
import { isConsentEnded } from "../oauth-tokens.ts";
import { openToken, sealToken } from "./token.ts";

/** A full check reads so many domains, and begins none after so long. */
const MOST_DOMAINS = 50;
const WORK_MS = MINUTE_MS;
/** A worker with a claim is dead by then: a domain is a token, ten pages and its compliance, 10 s each at most. */
const LEASE_MS = 5 * MINUTE_MS;
/** Days that are read at first, and then again each day: a figure comes a day or two late. */
const FIRST_DAYS = 30;
const LATER_DAYS = 10;
const LONGEST_WAIT_MS = DAY_MS;

type Due = PostmasterLogin & { domain: string };
/** What a read came to. */
type Read =
  | { kind: "read"; days: PostmasterDay[]; compliance: Compliance[] | null; fresh: string | null }
  | { kind: "no_access" }
  | { kind: "lost"; reason: string }
  | { kind: "unavailable"; reason: string; retryAfterMs: number | null };

/** Part of the regular full check: the figures that are due, once a day for a domain. Safe to repeat and to overlap. */
export async function fetchPostmaster(deps: Deps): Promise<void> {
  const begun = deps.clock.now().getTime();
  for (let count = 0; count < MOST_DOMAINS; count++) {
    if (deps.clock.now().getTime() - begun > WORK_MS) return;
    const claim = newClaim(deps, LEASE_MS);
    const due = await claimPostmasterFetch(deps.db, claim);
    if (due === undefined) return;
    await fetchOne(deps, due, claim.token).catch((error: unknown) =>
      deps.log.error("postmaster_not_read", { domain_id: due.domainId, ...describeError(error) }),
    );
  }
}

async function fetchOne(deps: Deps, due: Due, claimToken: string): Promise<void> {
  const who = { id: due.domainId, token: claimToken };
  const read = await readFigures(deps, due);
  deps.log.info("postmaster_read", { domain_id: due.domainId, end: read.kind });
  const now = deps.clock.now();
  switch (read.kind) {
    case "read":
      return keep(deps, due, who, read);
    case "lost":
      if (await losePostmasterLogin(deps.db, who, read.reason, now)) deps.wakeOutbox();
      return;
    case "no_access": {
      const dueAt = new Date(now.getTime() + DAY_MS);
      const lastError = `The Google account that consented does not have ${due.domain} in Postmaster Tools.`;
      const set = { state: "no_access" as const, attempts: 0, lastError, dueAt };
      return void (await putOffPostmasterFetch(deps.db, who, set));
    }
    case "unavailable": {
      const { state, attempts } = due;
      const dueAt = new Date(now.getTime() + waitMs(attempts, read.retryAfterMs));
      const set = { state, attempts: attempts + 1, lastError: read.reason, dueAt };
      return void (await putOffPostmasterFetch(deps.db, who, set));
    }
  }
}

/** An hour, then twice as long each time; as long as the provider asks for, a day at most. */
const waitMs = (attempts: number, askedMs: number | null): number =>
  Math.min(LONGEST_WAIT_MS, Math.max(askedMs ?? 0, HOUR_MS * 2 ** Math.min(attempts, 5)));

async function keep(
  deps: Deps,
  { domainId }: Due,
  who: { id: string; token: string },
  { days, compliance, fresh }: Extract<Read, { kind: "read" }>,
): Promise<void> {
  const now = deps.clock.now();
  const token = fresh === null ? null : await sealToken(deps, domainId, fresh);
  const rows = days.map(({ spam, spf, dkim, dmarc, tls, rejected, deferred, ...day }) => ({
    ...day,
    ...{ spam: spam ?? null, spf: spf ?? null, dkim: dkim ?? null, dmarc: dmarc ?? null },
    ...{ tls: tls ?? null, rejected: rejected ?? null, deferred: deferred ?? null },
  }));
  const dueAt = new Date(now.getTime() + DAY_MS);
  try {
    await endPostmasterFetch(deps.db, who, { days: rows, compliance, token, now, dueAt });
  } catch (error) {
    // Another worker has it, or the domain was disconnected.
    if (!isFenced(error)) throw error;
  }
}

async function readFigures(deps: Deps, due: Due): Promise<Read> {
  const app = deps.oauth.appOf("google");
  if (app === null || due.token === null) return unavailable(NO_APP);
  const answer = await deps.oauth.renew(app, await openToken(deps, due.domainId, due.token));
  if (answer.kind === "refused")
    return isConsentEnded(answer)
      ? { kind: "lost", reason: `Google refused the access: ${answer.error}` }
      : unavailable(`Google refused this service's app: ${answer.error} ${answer.words}`.trim());
  if (answer.kind !== "granted") return unavailable(answer.reason);
  const { accessToken, refreshToken } = answer.tokens;
  const days = await deps.postmaster.days(accessToken, due.domain, rangeOf(deps, due));
  if (days.kind !== "answered") return days.kind === "refused" ? lost(days) : days;
  const compliance = await deps.postmaster.compliance(accessToken, due.domain);
  if (compliance.kind === "refused") return lost(compliance);
  // Its figures are there, so that it is no other's.
  const isTold = compliance.kind === "answered";
  if (compliance.kind === "unavailable") return compliance;
  return {
    ...{ kind: "read", days: days.value, fresh: refreshToken ?? null },
    compliance: isTold ? compliance.value : null,
  };
}

const NO_APP = "This deployment has no OAuth app at Google any more";
const unavailable = (reason: string): Read => ({ kind: "unavailable", reason, retryAfterMs: null });
const lost = ({ reason }: { reason: string }): Read => ({ kind: "lost", reason });

function rangeOf({ clock }: Deps, { fetchedAt }: Due): { since: string; until: string } {
  const now = clock.now();
  const days = fetchedAt === null ? FIRST_DAYS : LATER_DAYS;
  const since = new Date(now.getTime() - days * DAY_MS);
  return { since: since.toISOString().slice(0, 10), until: now.toISOString().slice(0, 10) };
}
