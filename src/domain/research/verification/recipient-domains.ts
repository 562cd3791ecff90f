import {
  type FoundOperator,
  keepOperators,
  takeDueDomains,
} from "#db/research/recipient-domains.ts";
import type { Deps } from "#src/deps.ts";
import { DAY_MS, HOUR_MS } from "#src/platform/durations.ts";
import { findMailHosts, hostsToAsk, type MailHosts } from "./mail-hosts.ts";
import { operatorOf } from "./operator.ts";

/** A domain seldom moves, and what it is looked up for are rates over weeks. */
const KNOWN_FOR_MS = 7 * DAY_MS;
/** How soon a domain is looked up again for which DNS was silent. */
const AGAIN_AFTER_MS = HOUR_MS;
/** Domains that one check looks up, and so many of them at once. */
const BATCH = 200;
const AT_ONCE = 10;

const operatorBy = (found: MailHosts): string | null =>
  found.kind === "hosts" ? operatorOf(found.hosts[0]!).key : null;

const isSilent = (found: MailHosts): boolean =>
  found.kind === "none" && found.reason === "dns_failed";

async function keep(deps: Pick<Deps, "db" | "clock">, found: FoundOperator[]): Promise<void> {
  const now = deps.clock.now();
  await keepOperators(deps.db, found, { now, dueAt: new Date(now.getTime() + KNOWN_FOR_MS) });
}

/** Which hosts of a domain to ask; who runs them is kept. */
export async function findAndKeepMailHosts(deps: Deps, domain: string): Promise<MailHosts> {
  const found = await findMailHosts(deps, domain);
  if (!isSilent(found)) deps.background(keep(deps, [{ domain, operator: operatorBy(found) }]));
  return hostsToAsk(deps, found);
}

/** Part of the regular full check: looks up who runs the mail hosts of domains that were written to, and again after a week. */
export async function lookUpOperators(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const again = new Date(now.getTime() + AGAIN_AFTER_MS);
  const due = await takeDueDomains(deps.db, { now, again, limit: BATCH });
  for (let first = 0; first < due.length; first += AT_ONCE) {
    const some = due.slice(first, first + AT_ONCE);
    const answers = await Promise.all(
      some.map(async (domain) => ({ domain, found: await findMailHosts(deps, domain) })),
    );
    await keep(
      deps,
      answers.flatMap(({ domain, found }) =>
        isSilent(found) ? [] : [{ domain, operator: operatorBy(found) }],
      ),
    );
  }
}
