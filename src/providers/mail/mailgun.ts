import * as z from "zod";
import { toBase64 } from "#src/platform/encoding.ts";
import { isSuccess, jsonOf } from "#src/providers/net/http-answer.ts";
import type { HttpAnswer, HttpRequest } from "#src/providers/net/http-call.ts";
import type { MailgunAccount } from "./index.ts";
import { type Ask, type HttpVendor, reportOf, troubleOf } from "./http-vendor.ts";
import type { AnswerWords } from "./http-verdict.ts";
import type { AccountReport } from "./index.ts";
import { mailgunRules } from "./mailgun-rules.ts";

/**
 * Mailgun, with finished MIME.
 * https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages/post-v3--domain-name--messages-mime
 *
 * The recipient is the envelope's alone, whatever the headers say. Mailgun has its own return path
 * at the sending domain: the envelope sender is not passed on, and bounces come as its webhooks. Its
 * own tracking is switched off, so that links and signatures stay as they are.
 */
export const mailgun: HttpVendor<MailgunAccount> = {
  name: "Mailgun",
  takesUtf8Addresses: true,
  problemOf,
  baseUrl,
  async sendRequest(account, { to, raw }) {
    const form = new FormData();
    form.set("to", to);
    form.set("o:tracking", "no");
    form.set("message", new Blob([new Uint8Array(raw)], { type: "message/rfc822" }), "message.eml");
    return sending(account, form);
  },
  read,
  rules: mailgunRules,
  check,
};

const BASE_URLS = { us: "https://api.mailgun.net", eu: "https://api.eu.mailgun.net" };

function problemOf({ domain, apiKey }: MailgunAccount): string | null {
  if (!/^(?!.*\.\.)[a-z0-9][a-z0-9.-]{0,251}[a-z0-9]$/i.test(domain))
    return "The sending domain is not a domain name.";
  if (!/^[\x21-\x7e]{1,200}$/.test(apiKey)) return "The API key is not one that Mailgun gives.";
  return null;
}

function baseUrl({ endpoint, region }: MailgunAccount): string {
  return (endpoint ?? BASE_URLS[region]).replace(/\/+$/, "");
}

const login = ({ apiKey }: MailgunAccount) => ({
  authorization: `Basic ${toBase64(new TextEncoder().encode(`api:${apiKey}`))}`,
});

const sending = (account: MailgunAccount, body: FormData): HttpRequest => ({
  method: "POST",
  url: `${baseUrl(account)}/v3/${account.domain}/messages.mime`,
  headers: login(account),
  body,
});

const reply = z.object({
  id: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .catch(undefined),
  message: z.string().optional().catch(undefined),
});

/** `id` is the Message-ID in angle brackets; it is stored without them. */
function read(answer: HttpAnswer): AnswerWords {
  const { data } = reply.safeParse(jsonOf(answer));
  return {
    type: "",
    text: data?.message ?? (data === undefined ? answer.text : ""),
    ...(data?.id === undefined ? {} : { providerId: data.id.replace(/^<|>$/g, "") }),
  };
}

/** https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/domains/get-v4-domains--name- */
const getDomain = z.object({
  domain: z.object({
    state: z.string(),
    is_disabled: z.boolean().optional().catch(undefined),
  }),
});

async function check(account: MailgunAccount, ask: Ask): Promise<AccountReport> {
  const { domain, region } = account;
  const outcome = await ask({
    method: "GET",
    url: `${baseUrl(account)}/v4/domains/${domain}`,
    headers: login(account),
  });
  if (outcome.kind !== "answered") return troubleOf(mailgun, outcome);
  const { answer } = outcome;
  if (answer.status === 401 || answer.status === 403) return checkSendingKey(account, ask);
  const state = isSuccess(answer) ? getDomain.safeParse(jsonOf(answer)) : undefined;
  if (!state?.success) return troubleOf(mailgun, outcome);
  if (state.data.domain.is_disabled === true || state.data.domain.state === "disabled")
    return reportOf("auth", `Mailgun has disabled ${domain}; its support can say why.`);
  if (state.data.domain.state !== "active")
    return reportOf(
      "auth",
      `Mailgun has not verified ${domain} (it says "${state.data.domain.state.slice(0, 40)}"): its DNS records are missing or wrong.`,
    );
  return reportOf(
    "ready",
    `Mailgun (${region.toUpperCase()}) accepted the key, and ${domain} is active; no mail was sent.`,
  );
}

/**
 * A sending key may do nothing but send, so the check sends a form without recipient or text: Mailgun answers that
 * the recipient is missing, once it has accepted the key.
 */
async function checkSendingKey(account: MailgunAccount, ask: Ask): Promise<AccountReport> {
  const form = new FormData();
  form.set("o:testmode", "yes");
  const outcome = await ask(sending(account, form));
  if (outcome.kind !== "answered" || outcome.answer.status !== 400)
    return troubleOf(mailgun, outcome);
  return reportOf(
    "ready",
    `Mailgun accepted the key for sending from ${account.domain}. It may not read the domain's state, so that is not known; no mail was sent.`,
  );
}
