import { wasReached } from "#src/providers/net/http-answer.ts";
import { createHttpCall } from "#src/providers/net/http-call.ts";
import type { HttpAccount, MailgunAccount, SesAccount } from "./index.ts";
import { type HttpVendor, reportOf } from "./http-vendor.ts";
import { resultOf } from "./http-verdict.ts";
import type { AccountReport, OutgoingRaw, SendResult } from "./index.ts";
import { mailgun } from "./mailgun.ts";
import { ses } from "./ses.ts";
import { isEnvelopeAddress, needsSmtpUtf8 } from "./smtp-address.ts";
import { hasUtf8Header } from "./smtp-envelope.ts";
import { connectionLost, refusedHere } from "./smtp-verdict.ts";

export interface HttpTransportSettings {
  fetch: typeof fetch;
  now: () => Date;
  /** For a send, from connecting to the end of the answer; expiry means "unknown". 60 s if absent. */
  timeoutMs?: number;
}

/** Sends finished messages over a provider's HTTP API; neither function throws. */
export interface HttpTransport<Account> {
  /** Sends one message to one recipient, in one attempt. */
  send(account: Account, message: OutgoingRaw): Promise<SendResult>;
  /** Asks the provider about the account; sends no mail. */
  check(account: Account): Promise<AccountReport>;
}

const TIMEOUT_MS = 60_000;
/** For questions that a person or a message waits for. */
const QUESTION_MS = 10_000;

/** The transports of all providers that are spoken to over HTTP. It holds no connections to close. */
export function createHttpTransports(settings: HttpTransportSettings): HttpTransport<HttpAccount> {
  const toSes = transportOf<SesAccount>(ses, settings);
  const toMailgun = transportOf<MailgunAccount>(mailgun, settings);
  return {
    send: (account, message) =>
      account.kind === "ses" ? toSes.send(account, message) : toMailgun.send(account, message),
    check: (account) => (account.kind === "ses" ? toSes.check(account) : toMailgun.check(account)),
  };
}

function transportOf<Account>(
  vendor: HttpVendor<Account>,
  { fetch, now, timeoutMs = TIMEOUT_MS }: HttpTransportSettings,
): HttpTransport<Account> {
  const call = createHttpCall(fetch);
  const ask = (request: Parameters<typeof call>[0]) =>
    call(request, Math.min(QUESTION_MS, timeoutMs));
  /** Endpoints whose last answer was lost: asked first whether they answer, before the next send. */
  const doubted = new Set<string>();

  /** Whether the provider answers at this URL; no credential is sent. */
  async function answers(url: string): Promise<boolean> {
    const outcome = await ask({ method: "GET", url, headers: {} });
    return outcome.kind === "answered" && wasReached(outcome.answer);
  }

  return {
    async send(account, message) {
      const refused = refusedAddress(message, vendor.takesUtf8Addresses);
      if (refused) return refused;
      const problem = vendor.problemOf(account);
      if (problem !== null) return unusable(problem);
      const base = vendor.baseUrl(account);
      // An outage would leave every message of a tick in doubt: after the first one, look before speaking.
      if (doubted.has(base) && !(await answers(base)))
        return connectionLost(`${vendor.name} does not answer`, "open");
      const outcome = await call(await vendor.sendRequest(account, message, now()), timeoutMs);
      if (outcome.kind === "lost") {
        doubted.add(base);
        return { state: "unknown", reason: outcome.reason };
      }
      doubted.delete(base);
      if (outcome.kind === "not_sent") return connectionLost(outcome.reason, "open");
      const result = resultOf(vendor.rules, outcome.answer, vendor.read(outcome.answer));
      if (result.state !== "accepted" || result.providerId === undefined) return result;
      const messageId = vendor.messageIdOf?.(account, result.providerId);
      return messageId === undefined ? result : { ...result, messageId };
    },

    async check(account) {
      const problem = vendor.problemOf(account);
      return problem === null ? vendor.check(account, ask, now()) : reportOf("auth", problem);
    },
  };
}

/** Exactly one address may stand where these APIs read lists of them, with names and groups (RFC 5322). */
function isSingleAddress(address: string): boolean {
  return isEnvelopeAddress(address) && /^[^@,;:()[\]"\\]+@[^@,;:()[\]"\\]+$/.test(address);
}

function refusedAddress({ from, to, raw }: OutgoingRaw, takesUtf8: boolean): SendResult | null {
  if (!isSingleAddress(to)) return refusedHere(553, "5.1.3", "malformed address", "recipient");
  if (!isSingleAddress(from))
    return refusedHere(553, "5.1.7", "malformed sender address", "sender");
  if (takesUtf8 || !([from, to].some(needsSmtpUtf8) || hasUtf8Header(raw))) return null;
  const scope = needsSmtpUtf8(to) ? "recipient" : "sender";
  return refusedHere(553, "5.6.7", "the provider takes no international addresses", scope);
}

function unusable(problem: string): SendResult {
  return {
    state: "deferred",
    scope: "sender",
    reply: problem,
    stage: "local",
    accountError: problem,
  };
}
