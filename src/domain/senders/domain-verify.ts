import {
  listDueDomains,
  listSenderHosts,
  saveDomainCheck,
  suspendFailingDomains,
} from "#db/senders/domain-checks.ts";
import { getMailDomain, type MailDomainRow } from "#db/senders/domains.ts";
import type { DomainStatus } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireFound } from "#src/domain/owned.ts";
import { DAY_MS, HOUR_MS } from "#src/platform/durations.ts";
import { describeError } from "#src/platform/log.ts";
import { ownAddresses, saveReverseDns } from "#db/senders/domain-health.ts";
import { checkDomain } from "./domain-check/check.ts";
import { lookAtReverse } from "./domain-check/reverse-dns.ts";
import { judgeDomain } from "./domain-check/judge.ts";
import type { MailDomain } from "./domains.ts";
import { HEALTH_DAYS, judgeAndKeep } from "./health/read-health.ts";

export interface DomainVerification {
  domain: MailDomain;
  /** The result of this check; `domain.status` is the stored one. */
  status: DomainStatus;
  checkedAt: Date;
  failingSince: Date | null;
}

/** Looks for the domain's records in DNS and stores the result. Safe to repeat. */
export async function verifyDomain(
  deps: Deps,
  { workspaceId }: Pick<Principal, "workspaceId">,
  id: string,
): Promise<DomainVerification> {
  const row = await getMailDomain(deps.db, workspaceId, id);
  return requireFound(row && (await checkAndKeep(deps, row)), "Mail domain");
}

async function checkAndKeep(
  deps: Deps,
  row: MailDomainRow,
): Promise<DomainVerification | undefined> {
  const senders = await listSenderHosts(deps.db, row);
  const [records, reverse] = await Promise.all([
    checkDomain(deps.dns.lookup, row, deps.settings, senders),
    lookAtAddresses(deps, row.id),
  ]);
  const now = deps.clock.now();
  const { status, kept, failingSince } = judgeDomain(row, records, now);
  const seen = records.map(({ purpose, host, found, status: each }) => ({
    purpose,
    host,
    found,
    status: each,
  }));
  const note = { status: kept, failingSince, records: seen, now };
  if (!(await saveDomainCheck(deps.db, row, note))) return undefined;
  await saveReverseDns(deps.db, row.id, reverse, now);
  await judgeAndKeep(deps, row, row.id);
  if (kept !== row.status)
    deps.log.info("mail_domain_status", { domain_id: row.id, from: row.status, to: kept });
  const domain = { ...row, status: kept, failingSince, checkedAt: now, updatedAt: now, records };
  return { domain, status, checkedAt: now, failingSince };
}

/** Of the addresses that send the domain's mail, so many. */
const MOST_ADDRESSES = 5;

async function lookAtAddresses({ db, dns, clock }: Deps, domainId: string) {
  const since = new Date(clock.now().getTime() - HEALTH_DAYS * DAY_MS).toISOString().slice(0, 10);
  const addresses = await ownAddresses(db, domainId, since, MOST_ADDRESSES);
  const seen = await Promise.all(addresses.map((address) => lookAtReverse(dns.lookup, address)));
  return seen.filter((each) => each !== null);
}

/** A domain that has been failing for so long sends no more mail. */
export const FAILING_LIMIT_MS = 3 * DAY_MS;
/** How long a new domain is looked at every hour. */
const FRESH_MS = 7 * DAY_MS;
/** A check is some forty requests to the resolvers: as many of them at once as the plan bears, by the size of its ticks. */
const batchOf = ({ tick }: Deps["settings"]) => Math.max(1, Math.floor(tick.batch / 5));

/**
 * Part of the regular full check: verified domains are checked once a day, all else every hour, a few
 * at a time. Senders of a domain that has been failing too long are closed.
 */
export async function recheckDomains(deps: Deps): Promise<void> {
  const now = deps.clock.now().getTime();
  const due = await listDueDomains(
    deps.db,
    {
      verifiedBefore: new Date(now - DAY_MS),
      othersBefore: new Date(now - HOUR_MS),
      freshSince: new Date(now - FRESH_MS),
    },
    batchOf(deps.settings),
  );
  for (const row of due)
    await checkAndKeep(deps, row).catch((error: unknown) =>
      deps.log.error("domain_not_checked", { domain_id: row.id, ...describeError(error) }),
    );
  const failingBefore = new Date(deps.clock.now().getTime() - FAILING_LIMIT_MS);
  const paused = await suspendFailingDomains(deps.db, failingBefore, deps.clock.now());
  if (paused.length === 0) return;
  deps.log.info("campaigns_domain_failing", { campaign_ids: paused });
  deps.wakeOutbox();
}
