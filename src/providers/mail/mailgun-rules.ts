import { account, type VerdictRule, verdicts } from "./http-verdict.ts";

const { recipient, limited } = verdicts;

/**
 * Mailgun names no errors, so its words decide where a status has several meanings; the first rule
 * that fits counts. 420 is its limit of recipients per time.
 * https://documentation.mailgun.com/docs/mailgun/quickstart-guide/responses
 */
export const mailgunRules: readonly VerdictRule[] = [
  { status: [420], verdict: limited },
  {
    status: [400, 402, 403],
    text: /limit exceeded|try again (after|later)|too many/i,
    verdict: limited,
  },
  {
    status: [400, 401, 402, 403],
    text: /not allowed to send|for test purposes only|disabled|suspended|unverified|not verified/i,
    verdict: account("Mailgun does not let this domain send."),
  },
  {
    status: [401],
    verdict: account("Mailgun refused the API key; a key of the other region is refused as well."),
  },
  { status: [402], verdict: account("Mailgun asks the account's owner to see to its plan.") },
  { status: [403], verdict: account("Mailgun does not allow this with the given API key.") },
  {
    status: [404],
    text: /domain/i,
    verdict: account("Mailgun does not know this domain in this region."),
  },
  {
    status: [400],
    text: /'?to'? parameter|recipient|not a valid address/i,
    verdict: recipient,
  },
];
