import * as z from "zod";
import { toBase64 } from "#src/platform/encoding.ts";
import { isSuccess, jsonOf } from "#src/providers/net/http-answer.ts";
import type { HttpAnswer, HttpRequest } from "#src/providers/net/http-call.ts";
import { type SesAccount, sesMessageId } from "./index.ts";
import { signAwsRequest } from "./aws-signature.ts";
import { type Ask, type HttpVendor, reportOf, troubleOf } from "./http-vendor.ts";
import type { AnswerWords } from "./http-verdict.ts";
import type { AccountReport } from "./index.ts";
import { sesRules } from "./ses-rules.ts";

/**
 * Amazon SES, API version 2, with finished MIME (`Content.Raw`).
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
 *
 * SES replaces Message-ID and Date by its own. `providerId` is its id, and recipients see
 * `<providerId@REGION.amazonses.com>` (`email.amazonses.com` in us-east-1): replies and bounces
 * name that one. A DKIM signature made here that covers the two headers does not survive; SES signs
 * with the domain's own key (Easy DKIM or BYODKIM).
 *
 * The recipient is the envelope's alone, whatever the headers say. The key needs ses:SendEmail and
 * ses:SendRawEmail; ses:GetAccount is for the account test.
 */
export const ses: HttpVendor<SesAccount> = {
  name: "Amazon SES",
  // https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Destination.html
  takesUtf8Addresses: false,
  problemOf,
  baseUrl,
  sendRequest: (account, { from, to, raw }, now) =>
    signed(account, now, "POST", "/v2/email/outbound-emails", {
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      Content: { Raw: { Data: toBase64(raw) } },
    }),
  read,
  messageIdOf: ({ region }, id) => sesMessageId(region, id),
  rules: sesRules,
  check,
};

function problemOf({ region, accessKeyId }: SesAccount): string | null {
  // The region becomes part of a host name.
  if (!/^[a-z]{2,4}(-[a-z]{2,12}){1,3}-\d{1,2}$/.test(region))
    return "The region is not the name of an AWS region, such as eu-west-1.";
  // https://docs.aws.amazon.com/IAM/latest/APIReference/API_AccessKey.html
  if (!/^\w{16,128}$/.test(accessKeyId)) return "The access key id is not one that AWS gives.";
  return null;
}

function baseUrl({ endpoint, region }: SesAccount): string {
  return (endpoint ?? `https://email.${region}.amazonaws.com`).replace(/\/+$/, "");
}

async function signed(
  account: SesAccount,
  now: Date,
  method: "GET" | "POST",
  path: string,
  json?: object,
): Promise<HttpRequest> {
  const url = baseUrl(account) + path;
  const body = json === undefined ? "" : JSON.stringify(json);
  const plain: Record<string, string> =
    json === undefined ? {} : { "content-type": "application/json" };
  const request = { method, url, headers: plain, body };
  const headers = await signAwsRequest(request, { ...account, service: "ses" }, now);
  return { method, url, headers, ...(json === undefined ? {} : { body }) };
}

const reply = z.object({
  MessageId: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .catch(undefined),
  message: z.string().optional().catch(undefined),
  Message: z.string().optional().catch(undefined),
  __type: z.string().optional().catch(undefined),
  code: z.string().optional().catch(undefined),
});

/** The name of an error is in a header, and for some errors in the body; both may be qualified. */
function read(answer: HttpAnswer): AnswerWords {
  const { data } = reply.safeParse(jsonOf(answer));
  const type = answer.headers.get("x-amzn-errortype") ?? data?.__type ?? data?.code ?? "";
  return {
    type: type.replace(/^.*#/, "").replace(/:.*$/, ""),
    text: data?.message ?? data?.Message ?? (data === undefined ? answer.text : ""),
    ...(data?.MessageId === undefined ? {} : { providerId: data.MessageId }),
  };
}

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetAccount.html */
const getAccount = z.object({
  SendingEnabled: z.boolean(),
  ProductionAccessEnabled: z.boolean(),
  EnforcementStatus: z.string().optional().catch(undefined),
  SendQuota: z
    .object({ Max24HourSend: z.number(), MaxSendRate: z.number(), SentLast24Hours: z.number() })
    .optional()
    .catch(undefined),
});

type SesState = z.infer<typeof getAccount>;

async function check(account: SesAccount, ask: Ask, now: Date): Promise<AccountReport> {
  const outcome = await ask(await signed(account, now, "GET", "/v2/email/account"));
  if (outcome.kind !== "answered") return troubleOf(ses, outcome);
  const { answer } = outcome;
  // The signature was right, or AWS would have said so first: the key may be one for sending only.
  if (/^(AccessDenied|NotAuthorized)/.test(read(answer).type))
    return reportOf(
      "ready",
      "Amazon SES knows the access key, but the key may not read the account (ses:GetAccount): " +
        "whether sending is enabled, and how much, is not known. No mail was sent.",
    );
  const state = isSuccess(answer) ? getAccount.safeParse(jsonOf(answer)) : undefined;
  return state?.success ? inWords(account, state.data) : troubleOf(ses, outcome);
}

function inWords({ region }: SesAccount, state: SesState): AccountReport {
  const where = `Amazon SES in ${region}`;
  if (state.EnforcementStatus === "SHUTDOWN")
    return reportOf(
      "auth",
      `${where} is shut down for this account; only AWS support can lift that.`,
    );
  if (!state.SendingEnabled)
    return reportOf("auth", `Sending is paused or disabled for this account at ${where}.`);
  const sentences = [
    `${where} accepted the access key and sends; no mail was sent.`,
    ...(state.ProductionAccessEnabled
      ? []
      : ["The account is in the sandbox: it reaches verified addresses only."]),
    ...(state.EnforcementStatus === "PROBATION"
      ? ["AWS has put the account under review because of its bounces or complaints."]
      : []),
    ...(state.SendQuota === undefined ? [] : [quotaInWords(state.SendQuota)]),
  ];
  return reportOf("ready", sentences.join(" "));
}

function quotaInWords(quota: NonNullable<SesState["SendQuota"]>): string {
  const { Max24HourSend, MaxSendRate, SentLast24Hours } = quota;
  // -1 means unlimited.
  const limit = Max24HourSend < 0 ? "without a daily limit" : `of ${Max24HourSend} a day`;
  return `${SentLast24Hours} sent in 24 hours ${limit}, at most ${MaxSendRate} a second.`;
}
