/** Every reply the SMTP server can give (RFC 5321 section 4.2, enhanced codes of RFC 3463 and RFC 2034). */
export const replies = {
  greeting: "220 mail.overture.zz ESMTP Overture mailbox",
  closing: "221 2.0.0 Bye",
  readyForTls: "220 2.0.0 Ready to start TLS",
  authenticated: "235 2.7.0 Authentication successful",
  ok: "250 2.0.0 Ok",
  senderOk: "250 2.1.0 Sender ok",
  recipientOk: "250 2.1.5 Recipient ok",
  authPlain: "334 ",
  // {"status":"401","schemes":"bearer","scope":"https://mail.google.com/"}
  tokenRefused:
    "334 eyJzdGF0dXMiOiI0MDEiLCJzY2hlbWVzIjoiYmVhcmVyIiwic2NvcGUiOiJodHRwczovL21haWwuZ29vZ2xlLmNvbS8ifQ==",
  startInput: "354 Start mail input; end with <CRLF>.<CRLF>",

  notAvailable: "421 4.3.2 Service not available, closing transmission channel",
  idle: "421 4.4.2 Idle for too long, closing transmission channel",
  tooManyLogins: "421 4.7.0 Too many failed logins, closing transmission channel",
  recipientDeferred: "450 4.2.1 Mailbox temporarily unavailable",
  recipientFailed: "451 4.3.0 Temporary failure",
  putOffByPolicy: "451 4.7.1 Mail of your domain is put off by policy, come again",
  dataDeferred: "451 4.3.0 Message deferred, try again later",
  greylisted: "451 4.7.1 Greylisted, try again later",
  mailboxFull: "452 4.2.2 Mailbox full",
  tooManyRecipients: "452 4.5.3 Too many recipients",

  unknownCommand: "500 5.5.1 Command not recognized",
  lineTooLong: "500 5.5.2 Line too long",
  bareLineFeed: "500 5.5.2 Lines must end with CRLF",
  authCancelled: "501 5.7.0 Authentication cancelled",
  authUndecodable: "501 5.5.2 Cannot decode the authentication response",
  noArguments: "501 5.5.4 No arguments allowed",
  syntax: "501 5.5.4 Syntax error in arguments",
  notImplemented: "502 5.5.1 Command not implemented",
  badSequence: "503 5.5.1 Bad sequence of commands",
  unknownMechanism: "504 5.5.4 Unrecognized authentication type",
  startTlsFirst: "530 5.7.0 Must issue a STARTTLS command first",
  authenticationRequired: "530 5.7.0 Authentication required",
  badCredentials: "535 5.7.8 Authentication credentials invalid",
  noSuchUser: "550 5.1.1 No such user here",
  recipientRefusedBare: "550 Failed",
  recipientDisabled: "550 5.2.1 Mailbox disabled, not accepting messages",
  recipientForbidden: "550 5.7.1 Not accepted by policy",
  clientListed: "554 5.7.1 Service unavailable; client host blocked using bl.overture.zz",
  recipientUnresolved: "550 5.4.4 Host not found, try again",
  messageTooBig: "552 5.3.4 Message exceeds the size limit of 26214400 octets",
  addressNeedsUtf8: "553 5.6.7 Non-ASCII addresses need SMTPUTF8",
  noRecipients: "554 5.5.1 No valid recipients",
  badLineEnding: "554 5.6.0 Message contains a bare CR or LF",
  bodyLineTooLong: "554 5.6.0 Message contains a line longer than 998 octets",
  dataRefused: "554 5.7.1 Message refused by policy",
  unknownParameter: "555 5.5.4 Unsupported MAIL or RCPT parameter",
} as const;

export type ReplyName = keyof typeof replies;

/** RFC 1870: the limit announced by SIZE, in octets. */
export const MESSAGE_SIZE_LIMIT = 26_214_400;

/** Lines of an EHLO reply. STARTTLS and AUTH exclude each other: credentials go over TLS wherever TLS is to be had. */
export function ehloReply(session: {
  tlsAvailable: boolean;
  secure: boolean;
  takesTokens: boolean;
}): string {
  const mustSecure = session.tlsAvailable && !session.secure;
  const keywords = [
    "mail.overture.zz",
    "PIPELINING",
    `SIZE ${MESSAGE_SIZE_LIMIT}`,
    "8BITMIME",
    mustSecure ? "STARTTLS" : `AUTH PLAIN${session.takesTokens ? " XOAUTH2" : ""}`,
    "ENHANCEDSTATUSCODES",
    "SMTPUTF8",
    "CHUNKING",
  ];
  return keywords
    .map((keyword, index) => `250${index === keywords.length - 1 ? " " : "-"}${keyword}`)
    .join("\r\n");
}
