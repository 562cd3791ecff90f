import { readBoundedText } from "#src/platform/bounded-text.ts";
import type { Clock } from "#src/platform/index.ts";
import type { MailProbe, ProbePlan, ProbeTranscript } from "./index.ts";
import { hostsToTry } from "./plan.ts";
import {
  answerSchema,
  PROBE_PATH,
  signPlan,
  SIGNATURE_HEADER,
  TIMESTAMP_HEADER,
} from "./prober-wire.ts";
import { GOODBYE_MS } from "./talk.ts";
import { readJson } from "#src/platform/json.ts";

interface Surroundings {
  fetch: typeof fetch;
  clock: Clock;
}

/** The way there and back, beyond the plan's own time. */
const TRANSPORT_MS = 1_200;
const LONGEST_ANSWER = 256 * 1024;

/** Asks through a prober (`functions/smtp-prober`): one round trip, whatever the dialogue takes. */
export function createProberProbe(
  { url, secret }: { url: string; secret: string },
  { fetch, clock }: Surroundings,
): MailProbe {
  async function ask(plan: ProbePlan, signal?: AbortSignal): Promise<ProbeTranscript> {
    const body = JSON.stringify({ ...plan, hosts: hostsToTry(plan) });
    const timestamp = String(clock.now().getTime());
    const timeout = AbortSignal.timeout(plan.budgetMs + TRANSPORT_MS);
    const response = await fetch(url + PROBE_PATH, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        [TIMESTAMP_HEADER]: timestamp,
        [SIGNATURE_HEADER]: await signPlan(secret, timestamp, body),
      },
      body,
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await readBoundedText(response, LONGEST_ANSWER);
    // Of this plan alone, in the prober's own words; others are taken.
    if (response.status === 422 && text === NO_PLAN) return NOTHING;
    if (response.status !== 200) return failed(`the prober answered ${response.status}`);
    if (text === null) return failed("the prober's answer is too long");
    const parsed = answerSchema.safeParse(readJson(text));
    if (!parsed.success) return failed("the prober's answer is not understood");
    return { ...parsed.data, opinions: [], failure: null };
  }
  return {
    egress: "prober",
    async probe(plan, signal) {
      const transcript = await ask(plan, signal).catch(() =>
        // A caller that waits no more has no word on the way there.
        signal?.aborted === true ? NOTHING : failed("the prober was not reached"),
      );
      // Where no recipient was named it says goodbye behind its answer, and does not tell when that was done.
      const gone = new Date(clock.now().getTime() + GOODBYE_MS);
      return { ...transcript, closed: clock.sleepUntil(gone) };
    },
  };
}

/** What the prober says of a plan that it does not take. */
const NO_PLAN = '{"error":"not a plan"}';

const NOTHING: ProbeTranscript = { connections: [], opinions: [], failure: null };

const failed = (failure: string): ProbeTranscript => ({ ...NOTHING, failure });
