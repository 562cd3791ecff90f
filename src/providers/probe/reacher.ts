import * as z from "zod";
import { readBoundedText } from "#src/platform/bounded-text.ts";
import type { MailProbe, ProbePlan, ProbeTranscript, RecipientOpinion } from "./index.ts";
import { readJson } from "#src/platform/json.ts";

/** https://docs.reacher.email/advanced/openapi (`POST /v1/check_email`): the fields that say something by themselves. */
const answer = z.object({
  smtp: z.union([
    z.object({
      can_connect_smtp: z.boolean(),
      has_full_inbox: z.boolean(),
      is_catch_all: z.boolean(),
      is_deliverable: z.boolean(),
      is_disabled: z.boolean(),
    }),
    // What kept it from an answer.
    z.object({ error: z.unknown() }),
    z.object({}).strict(),
  ]),
});

type Answer = z.output<typeof answer>;

const LONGEST_ANSWER = 64 * 1024;
const TRANSPORT_MS = 500;

/**
 * Asks through a Reacher server, one address after the other. Its words for "cannot be delivered to" cover refusals
 * by policy too, so that they are taken for no answer; `invalid` is not to be had by this way but for a disabled
 * mailbox.
 */
export function createReacherProbe(
  { url, secret }: { url: string; secret: string | null },
  { fetch }: { fetch: typeof globalThis.fetch },
): MailProbe {
  async function ask(recipient: string, signal: AbortSignal): Promise<Answer | string> {
    const response = await fetch(`${url}/v1/check_email`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(secret === null ? {} : { "x-reacher-secret": secret }),
      },
      body: JSON.stringify({ to_email: recipient }),
      redirect: "manual",
      signal,
    });
    const text = await readBoundedText(response, LONGEST_ANSWER);
    if (response.status !== 200) return `Reacher answered ${response.status}`;
    const parsed = answer.safeParse(text === null ? null : readJson(text));
    return parsed.success ? parsed.data : "Reacher's answer is not understood";
  }

  async function askAll(plan: ProbePlan, signal: AbortSignal): Promise<ProbeTranscript> {
    const opinions: RecipientOpinion[] = [];
    for (const recipient of plan.recipients) {
      const said = await ask(recipient, signal);
      if (typeof said === "string") return transcript(opinions, said);
      const heard = opinionsOf(said, recipient);
      opinions.push(...heard);
      if (plan.stopAtFirstAccept && heard.some(({ verdict }) => verdict === "accepted")) break;
    }
    return transcript(opinions, null);
  }

  return {
    egress: "reacher",
    async probe(plan, signal) {
      const timeout = AbortSignal.timeout(plan.budgetMs + TRANSPORT_MS);
      const until = signal ? AbortSignal.any([signal, timeout]) : timeout;
      const said = await askAll(plan, until).catch(() =>
        // A caller that waits no more has no word on the way there.
        transcript([], signal?.aborted === true ? null : "Reacher was not reached"),
      );
      return { ...said, closed: Promise.resolve() };
    },
  };
}

const transcript = (opinions: RecipientOpinion[], failure: string | null): ProbeTranscript => ({
  connections: [],
  opinions,
  failure,
});

/** Its own random address stands for ours: `is_catch_all` is what became of it. */
export function opinionsOf({ smtp }: Answer, recipient: string): RecipientOpinion[] {
  const target = (verdict: RecipientOpinion["verdict"]) => ({
    recipient,
    isRandom: false,
    verdict,
  });
  if (!("can_connect_smtp" in smtp) || !smtp.can_connect_smtp) return [target("temporary")];
  if (smtp.has_full_inbox) return [target("full")];
  if (smtp.is_disabled) return [target("disabled")];
  if (!smtp.is_deliverable) return [target("unclear")];
  const random = { recipient: "", isRandom: true } as const;
  return [
    target("accepted"),
    { ...random, verdict: smtp.is_catch_all ? "accepted" : "no_such_user" },
  ];
}
