import { domainsToJudge, healthInputs, saveJudgement } from "#db/senders/domain-health.ts";
import { noteRecipientDomains } from "#db/senders/domain-operators.ts";
import { dmarcSums, tlsSums } from "#db/senders/reports.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { DAY_MS, HOUR_MS } from "#src/platform/durations.ts";
import { describeError } from "#src/platform/log.ts";
import { requireDomain } from "../domains.ts";
import { type HealthFacts, judgeHealth } from "./judge.ts";
import { type HealthRow, wordsOfRule } from "./row.ts";

/** What the figures are taken over. */
export const HEALTH_DAYS = 30;

type Owner = Pick<Principal, "workspaceId">;

async function readFacts(deps: Deps, owner: Owner, domainId: string): Promise<HealthFacts> {
  const domain = await requireDomain(deps, owner, domainId);
  const now = deps.clock.now();
  const since = new Date(now.getTime() - HEALTH_DAYS * DAY_MS);
  const sinceDay = since.toISOString().slice(0, 10);
  const [inputs, reports, tls] = await Promise.all([
    healthInputs(deps.db, domainId, { since, now }),
    dmarcSums(deps.db, domainId, sinceDay),
    tlsSums(deps.db, domainId, sinceDay),
  ]);
  const { reportsDomain, trackingBaseUrl } = deps.settings;
  return {
    ...{ domain, ...inputs, reports, tls, trackingBaseUrl, period: { since, until: now } },
    takesReports: reportsDomain !== null,
  };
}

export interface DomainHealth {
  domain: string;
  checkedAt: Date | null;
  judgedAt: Date;
  rules: HealthRow[];
}

/** How a domain stands by the rules of large receivers, now. Throws `not_found`. */
export async function readHealth(
  deps: Deps,
  owner: Owner,
  domainId: string,
): Promise<DomainHealth> {
  const facts = await readFacts(deps, owner, domainId);
  const { domain, checkedAt } = facts.domain;
  return { domain, checkedAt, judgedAt: facts.period.until, rules: judgeHealth(facts) };
}

/** Judges a domain and keeps what it fails, which is what its owner is told of. Safe to repeat, and at once. */
export async function judgeAndKeep(deps: Deps, owner: Owner, domainId: string): Promise<void> {
  const facts = await readFacts(deps, owner, domainId);
  const { kept } = facts;
  const failing = judgeHealth(facts).filter(({ status }) => status === "failing");
  const before = new Set((kept.failing ?? []).map(({ rule }) => rule));
  // A domain that is being set up is told on its page, and not by notices.
  const news =
    kept.judgedAt === null
      ? []
      : failing.filter(({ rule, toldBy }) => toldBy === null && !before.has(rule));
  const isKept = await saveJudgement(deps.db, domainId, {
    failing: failing.map(({ rule, evidence, whatToDo, toldBy }) => ({
      ...{ rule, evidence, whatToDo, toldBy },
    })),
    before: kept.judgedAt,
    news: news.map((each) => ({ rule: each.rule, why: wordsOfRule(each) })),
    now: facts.period.until,
  });
  if (!isKept || news.length === 0) return;
  deps.log.info("domain_rules_failing", {
    domain_id: domainId,
    rules: news.map(({ rule }) => rule),
  });
  deps.wakeOutbox();
}

/** Domains that one check judges: each is three round trips to the database. */
const BATCH = 50;

/** Part of the regular full check: each domain that may send is judged once an hour, and it is noted to which domains it wrote. */
export async function judgeDomains(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const hourAgo = new Date(now.getTime() - HOUR_MS);
  const since = new Date(now.getTime() - HEALTH_DAYS * DAY_MS);
  for (const { id, workspaceId } of await domainsToJudge(deps.db, hourAgo, BATCH))
    await judgeAndKeep(deps, { workspaceId }, id)
      .then(() => noteRecipientDomains(deps.db, id, { since, now }))
      .catch((error: unknown) =>
        deps.log.error("domain_not_judged", { domain_id: id, ...describeError(error) }),
      );
}
