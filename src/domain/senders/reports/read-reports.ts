import { dmarcSums, newestDmarcReport, tlsSums } from "#db/senders/reports.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireDomain } from "#src/domain/senders/domains.ts";
import { reportsAddress } from "#src/domain/senders/domain-records.ts";
import { nextStep } from "./next-step.ts";

const DAY_MS = 86_400_000;

/** A week of reports, however many, is not the two that a step takes, and a monthly sender shows itself in a month. */
const JUDGED_DAYS = 30;

/** What receivers reported of a domain in the last so many days, and what to do next, by 30 at least. Throws `not_found`. */
export async function readDomainReports(
  deps: Deps,
  principal: Principal,
  domainId: string,
  days: number,
) {
  const { domain } = await requireDomain(deps, principal, domainId);
  const sinceOf = (count: number) =>
    new Date(deps.clock.now().getTime() - (count - 1) * DAY_MS).toISOString().slice(0, 10);
  const since = sinceOf(days);
  const [sums, judged, newest, tls] = await Promise.all([
    dmarcSums(deps.db, domainId, since),
    days < JUDGED_DAYS ? dmarcSums(deps.db, domainId, sinceOf(JUDGED_DAYS)) : null,
    newestDmarcReport(deps.db, domainId),
    tlsSums(deps.db, domainId, since),
  ]);
  const { reportsDomain } = deps.settings;
  const policy = newest?.policy ?? null;
  const total = sums.days.reduce((all, { messages }) => all + messages, 0);
  return {
    domain,
    since,
    reportsTo: reportsDomain && reportsAddress(reportsDomain),
    lastReportAt: newest?.receivedAt ?? null,
    policy,
    ...sums,
    sources: sums.sources.map((source) => ({
      ...source,
      share: total === 0 ? 0 : Math.round((10_000 * source.messages) / total) / 10_000,
    })),
    tls,
    nextStep: nextStep({ domain, policy, ...(judged ?? sums) }),
  };
}
