import type { AccountStage } from "./index.ts";
import { isPermanent, type SmtpReply } from "./smtp-replies.ts";

interface Rule {
  stages?: readonly AccountStage[];
  codes?: readonly number[];
  enhanced?: RegExp;
  text?: RegExp;
  host?: RegExp;
  /** The login was by an access token, or was not. */
  byToken?: boolean;
  advice: string;
  /** It passes by itself, whatever the code says. */
  temporary?: true;
}

const APP_PASSWORD =
  "This account wants an app password in place of the usual one: create it in the security settings of the account";
const SMTP_AUTH_OFF =
  "An administrator can allow it in the Microsoft 365 admin center as Authenticated SMTP (https://aka.ms/smtp_auth_disabled)";
const CONNECT =
  "Microsoft takes no passwords over SMTP for this account any more: connect the alias by OAuth (POST /mailer/aliases/{id}/oauth).";
const BUSY = "The server is busy or takes no more connections; it is worth another test in a while";

/**
 * What to do about a refusal; the first rule that fits. The replies of Google are listed at
 * https://support.google.com/a/answer/3726730, those of Microsoft at
 * https://learn.microsoft.com/exchange/clients-and-mobile-in-exchange-online/authenticated-client-smtp-submission
 */
const rules: readonly Rule[] = [
  {
    text: /must issue a STARTTLS|STARTTLS (is )?(required|first)|encryption (is )?required|requires? (an )?encrypt|TLS (is )?required/i,
    advice: "The server wants an encrypted line: choose the security starttls (587) or tls (465).",
  },
  {
    codes: [538],
    advice: "The server wants an encrypted line: choose the security starttls (587) or tls (465).",
  },
  {
    text: /application[- ]specific password|app(lication)? password/i,
    advice: `${APP_PASSWORD} (Google: https://myaccount.google.com/apppasswords).`,
  },
  {
    codes: [534],
    enhanced: /^5\.7\.9$/,
    advice: `${APP_PASSWORD} (Google: https://myaccount.google.com/apppasswords).`,
  },
  {
    codes: [534],
    enhanced: /^5\.7\.14$/,
    advice:
      "Google has blocked this login: sign in to the account with a browser, confirm that it was you, and test again.",
  },
  {
    text: /SmtpClientAuth\w* is disabled for the Tenant/i,
    advice: `SMTP AUTH is switched off for the whole organisation. ${SMTP_AUTH_OFF}.`,
  },
  {
    text: /SmtpClientAuth\w* is disabled for the Mailbox/i,
    advice: `SMTP AUTH is switched off for this mailbox. ${SMTP_AUTH_OFF}.`,
  },
  {
    text: /basic authentication is disabled/i,
    advice: CONNECT,
  },
  { stages: ["auth"], enhanced: /^5\.7\.30$/, advice: CONNECT },
  {
    text: /user is locked by your organization's security defaults|security defaults/i,
    advice:
      "The security defaults of the organisation forbid logins by password: an administrator has to allow them for this mailbox.",
  },
  {
    stages: ["auth"],
    byToken: true,
    codes: [535],
    host: /(^|\.)(office365|outlook|office)\.com$/,
    advice: `Microsoft refused the token: the mailbox is another than the one that consented, Authenticated SMTP is off for it, or the access was taken back. ${SMTP_AUTH_OFF}; otherwise connect the alias again by OAuth.`,
  },
  {
    stages: ["auth"],
    byToken: true,
    codes: [535],
    advice:
      "The access was taken back, or the user name is of another mailbox than the one that consented: connect the alias again by OAuth.",
  },
  {
    enhanced: /^5\.7\.139$/,
    advice:
      "Microsoft refused the login: the password is wrong, SMTP AUTH is switched off for the tenant or the mailbox, or a policy of the organisation forbids it; its administrator can tell from the sign-in log.",
  },
  {
    text: /too many (concurrent |simultaneous )?(smtp )?(connections|sessions)|connection (rate|limit)|concurrent connections/i,
    advice: `${BUSY}.`,
    temporary: true,
  },
  { codes: [421], advice: `${BUSY}.` },
  {
    stages: ["auth"],
    text: /too many/i,
    advice:
      "The server counts failed logins and takes none for now: check user name and password, and wait before the next test.",
  },
  {
    stages: ["auth"],
    host: /(^|\.)(gmail|googlemail|google)\.com$/,
    codes: [535],
    advice: `Google takes only app passwords over SMTP. ${APP_PASSWORD} (https://myaccount.google.com/apppasswords), and check the user name.`,
  },
  {
    stages: ["auth"],
    host: /(^|\.)(yahoo\.\w+|aol\.com|mail\.me\.com|icloud\.com|zoho\.\w+|fastmail\.com)$/,
    codes: [535],
    advice: `Check the user name and the password. ${APP_PASSWORD}.`,
  },
  {
    stages: ["auth"],
    codes: [535],
    advice:
      "Check the user name, often the whole address, and the password; with two-step login it is mostly an app password that is wanted.",
  },
  {
    text: /gr[ea]y-?list|postgrey/i,
    advice:
      "That is greylisting, which passes by itself: test again in some minutes, nothing has to be changed.",
    temporary: true,
  },
  {
    stages: ["sender"],
    codes: [530],
    advice: "The server wants a login first: give user name and password.",
  },
  {
    stages: ["sender"],
    enhanced: /^5\.1\.8$/,
    advice: "The server does not know the domain of the address: check its spelling and its DNS.",
  },
  {
    stages: ["sender"],
    text: /domain.*(not (found|exist)|no such|does not exist|not resolve)|sender domain/i,
    advice: "The server does not know the domain of the address: check its spelling and its DNS.",
  },
];

/** When no rule fits. */
const byStage: Record<AccountStage, string> = {
  connect: "Check host and port.",
  greeting:
    "The server takes no mail from here: check host and port, and ask its operator whether our address is blocked.",
  tls: "Check host and port, and ask the server's operator.",
  ehlo: "Ask the server's operator.",
  auth: "Ask the provider whether this account may send over SMTP.",
  sender:
    "Use the account's own address, or let the account send as this one at its provider (send-as permission, alias or verified sender).",
};

export function adviceFor(
  stage: AccountStage,
  reply: SmtpReply,
  host: string,
  byToken = false,
): { advice: string; temporary?: true } {
  const text = reply.lines.join(" ");
  const fits = (rule: Rule) =>
    (rule.stages === undefined || rule.stages.includes(stage)) &&
    (rule.codes === undefined || rule.codes.includes(reply.code)) &&
    (rule.enhanced === undefined || rule.enhanced.test(reply.enhanced ?? "")) &&
    (rule.byToken === undefined || rule.byToken === byToken) &&
    (rule.host === undefined || rule.host.test(host.toLowerCase())) &&
    (rule.text === undefined || rule.text.test(text));
  const rule = rules.find(fits);
  if (rule) return rule;
  return {
    advice: isPermanent(reply)
      ? byStage[stage]
      : "That is temporary, says the server: test again in some minutes.",
  };
}
