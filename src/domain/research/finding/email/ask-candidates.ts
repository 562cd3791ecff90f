import type { Deps } from "#src/deps.ts";
import { nobodyAt } from "#src/domain/research/verification/ask.ts";
import { decide, type Decision } from "#src/domain/research/verification/decide.ts";
import { noteEgress } from "#src/domain/research/verification/egress-health.ts";
import { operatorOf } from "#src/domain/research/verification/operator.ts";
import type { Reason } from "#src/domain/research/verification/outcome.ts";
import { endConnection, acquireConnection } from "#src/domain/research/verification/pacing.ts";
import type { MailProbe, ProbePlan, ProbeRun } from "#src/providers/probe/index.ts";
import { MAX_PROBED } from "./candidates.ts";

export interface Asking {
  mailProbe: MailProbe;
  domain: string;
  hosts: readonly string[];
  /** Known from before. */
  isCatchAll: boolean | null;
  deadline: Date;
}

/** A session that could take less than this would be broken off before it said anything. */
const SHORTEST_MS = 500;

/**
 * Asks the domain's hosts for the addresses in their order, until one is accepted, and then for its namesake's; as many in
 * one session as a host puts up with from a client that guesses. What was not asked any more has no decision.
 */
export async function askCandidates(
  deps: Deps,
  asking: Asking,
  emails: readonly string[],
  namesakes: ReadonlyMap<string, string> = new Map(),
): Promise<Map<string, Decision>> {
  const decisions = new Map<string, Decision>();
  let known = { isCatchAll: asking.isCatchAll };
  for (let from = 0; from < emails.length; from += MAX_PROBED) {
    const chunk = emails.slice(from, from + MAX_PROBED);
    const session = await holdSession(deps, asking, chunk, known.isCatchAll, namesakes);
    for (const email of chunk) {
      const decision =
        typeof session === "string" ? unasked(session) : decide(session, email, known);
      decisions.set(email, decision);
      // Behind it the session ended.
      if (decision.reason === "mailbox_exists") {
        const beside = namesakes.get(email);
        if (beside !== undefined && typeof session !== "string")
          decisions.set(beside, decide(session, beside, { isCatchAll: false }));
        return decisions;
      }
      known = { isCatchAll: decision.isCatchAll ?? known.isCatchAll };
    }
    if (typeof session === "string" || known.isCatchAll === true) return decisions;
  }
  return decisions;
}

const unasked = (reason: Reason): Decision => ({ reason, isCatchAll: null });

/** One connection's worth, in the operator's turn; the reason why there was none. */
async function holdSession(
  deps: Deps,
  { mailProbe, domain, hosts, deadline }: Asking,
  recipients: readonly string[],
  isCatchAll: boolean | null,
  namesakes: ReadonlyMap<string, string>,
): Promise<ProbeRun | Reason> {
  const leftMs = () => deadline.getTime() - deps.clock.now().getTime();
  if (leftMs() < SHORTEST_MS) return "timeout";
  const operator = operatorOf(hosts[0] ?? "");
  const isKnown = isCatchAll !== null || operator.neverCatchAll || operator.recipients !== "many";
  const beside = recipients.flatMap((email) => {
    const namesake = namesakes.get(email);
    return namesake === undefined ? [] : [[email, namesake] as const];
  });
  const lease = await acquireConnection(deps, {
    operator: operator.key,
    leaseMs: leftMs(),
    isUrgent: true,
    recipients: recipients.length + (isKnown ? 0 : 1) + (beside.length > 0 ? 1 : 0),
  });
  if (lease === null) return "paced";
  const plan: ProbePlan = {
    hosts,
    recipients,
    random: isKnown ? null : nobodyAt(deps.ids, domain),
    ...(beside.length > 0 && operator.recipients === "many"
      ? { beside: Object.fromEntries(beside) }
      : {}),
    stopAtFirstAccept: true,
    maxRefusals: recipients.length,
    budgetMs: Math.max(SHORTEST_MS, leftMs()),
  };
  const run = await mailProbe.probe(plan);
  deps.background(run.closed.then(() => endConnection(deps, lease, domain, run)));
  await noteEgress(deps, run.failure);
  return run;
}
