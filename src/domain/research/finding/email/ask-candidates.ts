import type { Deps } from "#src/deps.ts";
import { nobodyAt } from "#src/domain/research/verification/ask.ts";
import { decide, type Decision, unasked } from "#src/domain/research/verification/decide.ts";
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

/** By address, what others of the same letters may have. */
export type Namesakes = ReadonlyMap<string, readonly string[]>;

/** A session that could take less than this would be broken off before it said anything. */
const SHORTEST_MS = 500;

/**
 * Asks the domain's hosts for the addresses in their order, until one is accepted, and then for its namesakes'; as many in
 * one session as a host puts up with from a client that guesses. What was not asked any more has no decision.
 */
export async function askCandidates(
  deps: Deps,
  asking: Asking,
  emails: readonly string[],
  namesakes: Namesakes = new Map(),
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
        for (const beside of namesakes.get(email) ?? [])
          if (typeof session !== "string")
            decisions.set(beside, decide(session, beside, { isCatchAll: false }));
        return decisions;
      }
      known = { isCatchAll: decision.isCatchAll ?? known.isCatchAll };
    }
    if (typeof session === "string" || known.isCatchAll === true) return decisions;
  }
  return decisions;
}

/** One connection's worth, in the operator's turn; the reason why there was none. */
async function holdSession(
  deps: Deps,
  { mailProbe, domain, hosts, deadline }: Asking,
  recipients: readonly string[],
  isCatchAll: boolean | null,
  namesakes: Namesakes,
): Promise<ProbeRun | Reason> {
  const leftMs = () => deadline.getTime() - deps.clock.now().getTime();
  if (leftMs() < SHORTEST_MS) return "timeout";
  const operator = operatorOf(hosts[0] ?? "");
  const isKnown = isCatchAll !== null || operator.neverCatchAll || operator.recipients !== "many";
  // Each behind the one before it.
  const beside = recipients.flatMap((email) => {
    const others = namesakes.get(email) ?? [];
    return others.map((each, at) => [others[at - 1] ?? email, each] as const);
  });
  const mostBeside = Math.max(...recipients.map((email) => namesakes.get(email)?.length ?? 0));
  const lease = await acquireConnection(deps, {
    operator: operator.key,
    leaseMs: leftMs(),
    isUrgent: true,
    recipients: recipients.length + (isKnown ? 0 : 1) + mostBeside,
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
