import type { Deps } from "#src/deps.ts";
import type { MailProbe, ProbePlan, ProbeRun } from "#src/providers/probe/index.ts";
import { type Decision, decide, type Known, unasked } from "./decide.ts";
import { operatorOf } from "./operator.ts";
import { readTarget, type Target } from "./target.ts";

/** Milliseconds of a verification that its mail hosts may have; the rest of the call's 10 s is ours. */
export const VERIFY_BUDGET_MS = 8_500;

/** What to ask about one address: the target first, and then a random address, where catch-all is not known. */
export function planVerification(
  { ids }: Pick<Deps, "ids">,
  target: Target,
  hosts: readonly string[],
  known: Known,
): ProbePlan {
  const operator = operatorOf(hosts[0] ?? "");
  const isKnown =
    known.isCatchAll !== null || operator.neverCatchAll || operator.recipients !== "many";
  return {
    hosts,
    recipients: [target.address],
    random: isKnown ? null : nobodyAt(ids, target.domain),
    stopAtFirstAccept: true,
    maxRefusals: 1,
    budgetMs: VERIFY_BUDGET_MS,
  };
}

/**
 * Looks like a person's, because hosts that count guesses look for random letters. Null where none fits before the
 * domain.
 */
export function nobodyAt({ secret }: Deps["ids"], domain: string): string | null {
  const letters = secret(9)
    .toLowerCase()
    .replace(/[^a-z]/g, "q");
  const address = `${letters.slice(0, 5)}.${letters.slice(5)}@${domain}`;
  return readTarget(address) === null ? null : address;
}

/** Asks, and says what came of it. */
export async function askMailHosts(
  mailProbe: MailProbe,
  plan: ProbePlan,
  known: Known,
  signal?: AbortSignal,
): Promise<{ decision: Decision; run: ProbeRun }> {
  const run = await mailProbe.probe(plan, signal);
  const { connections, opinions, failure } = run;
  const isUnheard = failure === null && connections.length + opinions.length === 0;
  // How long this caller waits is no word on the address, which is not kept as unreachable for others.
  const decision =
    isUnheard && signal?.aborted === true
      ? unasked("paced")
      : decide(run, plan.recipients[0]!, known);
  return { decision, run };
}
