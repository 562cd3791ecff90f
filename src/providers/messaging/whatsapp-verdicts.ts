import * as z from "zod";
import { isSuccess, jsonOf, wasReached } from "#src/providers/net/http-answer.ts";
import type { HttpAnswer } from "#src/providers/net/http-call.ts";
import type { MessagingOutcome } from "./index.ts";

/** What an error of the Cloud API means: ask again (after so long, where it is known), or never. */
interface Meaning {
  codes: readonly number[];
  verdict: "busy" | "refused";
  /** In plain words, for the deployment's operator. */
  says: string;
  retryAfterSeconds?: number;
}

/** https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes */
const MEANINGS: readonly Meaning[] = [
  {
    codes: [0, 190],
    verdict: "refused",
    says: "WhatsApp does not accept WHATSAPP_ACCESS_TOKEN; make a new one",
  },
  {
    codes: [3, 10, 131005],
    verdict: "refused",
    says: "WHATSAPP_ACCESS_TOKEN may not send from this number; it needs whatsapp_business_messaging",
  },
  {
    codes: [33, 133010, 131045],
    verdict: "refused",
    says: "WHATSAPP_PHONE_NUMBER_ID names no registered number",
  },
  {
    codes: [368, 130497, 131031, 131042, 131037],
    verdict: "refused",
    says: "WhatsApp does not let this business account send; WhatsApp Manager says why",
  },
  {
    codes: [132000, 132001, 132005, 132007, 132012, 132015, 132016, 132018],
    verdict: "refused",
    says: "the template is missing, paused or other than docs/deploying.md has it",
  },
  { codes: [131021], verdict: "refused", says: "the number is the sender's own" },
  {
    codes: [131026],
    verdict: "refused",
    says: "the number is not on WhatsApp or cannot be reached",
  },
  {
    codes: [131030],
    verdict: "refused",
    says: "the sender is a test number, and this recipient is not on its list",
  },
  {
    codes: [131047],
    verdict: "refused",
    says: "outside of 24 hours only approved templates are sent",
  },
  {
    codes: [130472, 131049, 131050],
    verdict: "refused",
    says: "WhatsApp keeps this message from this recipient",
  },
  {
    codes: [100, 131008, 131009, 131051, 135000],
    verdict: "refused",
    says: "WhatsApp does not take the request as it is",
  },
  { codes: [4, 80007, 130429], verdict: "busy", says: "WhatsApp's rate limit is reached" },
  // One message in six seconds to the same recipient.
  {
    codes: [131056],
    verdict: "busy",
    says: "too many messages to this recipient",
    retryAfterSeconds: 6,
  },
  {
    codes: [131048],
    verdict: "busy",
    says: "the sender was reported too often",
    retryAfterSeconds: 3600,
  },
  {
    codes: [1, 2, 131000, 131016, 131057, 133004],
    verdict: "busy",
    says: "WhatsApp cannot send at the moment",
  },
];

const meanings = new Map(
  MEANINGS.flatMap((meaning) => meaning.codes.map((code) => [code, meaning] as const)),
);

const success = z.object({
  messages: z.tuple([z.object({ id: z.string().regex(/^[\x21-\x7e]{1,300}$/) })]),
});

const failure = z.object({
  error: z.object({
    code: z.int(),
    message: z.string().catch(""),
    error_data: z.object({ details: z.string() }).optional().catch(undefined),
    is_transient: z.boolean().optional().catch(undefined),
  }),
});
type GraphError = z.output<typeof failure>["error"];

/** What an answer to a send means. An answer that cannot be read proves nothing, unless its status says that nothing was taken. */
export function outcomeOf(answer: HttpAnswer): MessagingOutcome {
  const json = jsonOf(answer);
  const failed = failure.safeParse(json);
  if (failed.success) return errorOutcome(failed.data.error, answer);
  const taken = success.safeParse(json);
  if (isSuccess(answer) && taken.success) return { kind: "sent", id: taken.data.messages[0].id };
  return unreadable(answer);
}

function errorOutcome(error: GraphError, answer: HttpAnswer): MessagingOutcome {
  const known = meanings.get(error.code);
  const said = [error.message, error.error_data?.details].filter(Boolean).join(": ");
  const detail = cut(known === undefined ? said : `${known.says} (${said})`);
  const isBusy = known === undefined ? isPassing(error, answer) : known.verdict === "busy";
  if (isBusy) return { kind: "busy", detail, ...retryAfter(answer, known?.retryAfterSeconds) };
  // Without a word of what went wrong, a 5xx may have come after the message was taken.
  if (known === undefined && answer.status >= 500) return { kind: "unknown", detail };
  return { kind: "refused", code: String(error.code), detail };
}

const isPassing = ({ is_transient }: GraphError, { status }: HttpAnswer) =>
  is_transient === true || status === 429;

function unreadable(answer: HttpAnswer): MessagingOutcome {
  const { status } = answer;
  const detail = `WhatsApp answered ${status} with what is no answer of its API`;
  // Other answers below 500 mean an unprocessed message: redirects, a gateway's page, limits.
  const tookNothing = status === 503 || !wasReached(answer);
  if (isSuccess(answer) || (status >= 500 && !tookNothing)) return { kind: "unknown", detail };
  return { kind: "busy", detail, ...retryAfter(answer) };
}

const LONGEST_WAIT_SECONDS = 86_400;

function retryAfter({ headers }: HttpAnswer, otherwise?: number) {
  const given = /^\d{1,9}$/.exec(headers.get("retry-after") ?? "")?.[0];
  const seconds = given === undefined ? otherwise : Math.max(1, Number(given));
  return seconds === undefined
    ? {}
    : { retryAfterSeconds: Math.min(seconds, LONGEST_WAIT_SECONDS) };
}

const cut = (text: string) => text.replace(/[\u0000-\u001f\u007f]+/g, " ").slice(0, 500);
