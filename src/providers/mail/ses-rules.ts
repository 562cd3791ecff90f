import { account, type VerdictRule, verdicts } from "./http-verdict.ts";

const { recipient, limited, down } = verdicts;

/**
 * The errors of SendEmail and those common to AWS, by name; the first rule that fits decides.
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html#API_SendEmail_Errors
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/CommonErrors.html
 * https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html
 */
export const sesRules: readonly VerdictRule[] = [
  { type: /^(Throttling|TooManyRequests|LimitExceeded|RequestLimitExceeded)/, verdict: limited },
  {
    status: [400],
    text: /maximum sending rate exceeded|daily message quota exceeded/i,
    verdict: limited,
  },
  {
    type: /^AccountSuspended/,
    verdict: account(
      "AWS has suspended sending for this SES account; only its support can lift that.",
    ),
  },
  {
    type: /^(Account|ConfigurationSet)?SendingPaused/,
    verdict: account(
      "Sending is paused for this SES account; it can be resumed in the SES console.",
    ),
  },
  {
    type: /^MailFromDomainNotVerified/,
    verdict: account("The sender's MAIL FROM domain is not verified at SES in this region."),
  },
  {
    type: /^MessageRejected/,
    text: /not verified/i,
    verdict: account(
      "SES has not verified the sender in this region, or the account is in the sandbox and reaches verified addresses only.",
    ),
  },
  // A wrong clock is this machine's: the account's owner cannot mend it.
  { status: [400, 403], text: /signature (expired|not yet current)/i, verdict: down },
  { type: /^(RequestExpired|RequestTimeTooSkewed)/, verdict: down },
  {
    type: /^(UnrecognizedClient|InvalidClientTokenId|MissingAuthenticationToken)/,
    verdict: account("AWS does not know this access key."),
  },
  {
    type: /^(InvalidSignature|SignatureDoesNotMatch|IncompleteSignature)/,
    verdict: account("The secret access key does not belong to the access key."),
  },
  {
    type: /^ExpiredToken/,
    verdict: account("The access key has expired."),
  },
  {
    type: /^(AccessDenied|NotAuthorized|OptInRequired)/,
    verdict: account("The access key may not send: it needs ses:SendEmail and ses:SendRawEmail."),
  },
  { type: /^NotFound/, verdict: account("SES lacks something the account is set up to use.") },
  // The envelope sender is checked before, so an address that SES cannot read is the recipient's.
  {
    type: /^(BadRequest|InvalidParameterValue|Validation)/,
    text: /\baddress|'@domain'|domain contains/i,
    verdict: recipient,
  },
];
