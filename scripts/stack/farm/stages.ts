import type { Session } from "./session.ts";
import { mailboxKey } from "./table.ts";

/** Where a host's row may say something of its own. */
export type Stage = keyof typeof FALLBACKS;

/** What a host says where its row has nothing that fits: about what Postfix would. */
export const FALLBACKS = {
  banner: () => "220 {host} ESMTP",
  ehlo: (session: Session) => ehloReply(session),
  helo: () => "250 {host}",
  starttls: () => "220 2.0.0 Ready to start TLS",
  mail: () => "250 2.1.0 Ok",
  rcpt: (session: Session, to: string) => rcptReply(session, to),
  data: () => "354 End data with <CR><LF>.<CR><LF>",
  message: () => "250 2.0.0 Ok: queued",
  rset: () => "250 2.0.0 Ok",
  noop: () => "250 2.0.0 Ok",
  vrfy: () => "252 2.0.0 Cannot VRFY user, but will accept message",
  quit: () => "221 2.0.0 Bye",
};

function ehloReply({ host, isTls }: Session): string {
  const offered = host.extensions.filter((one) => !isTls || one !== "STARTTLS");
  const lines = ["{host}", ...offered];
  return lines
    .map((line, index) => `250${index === lines.length - 1 ? " " : "-"}${line}`)
    .join("\n");
}

/** RFC 6531 section 3.5: an address beyond ASCII needs SMTPUTF8, offered and asked for. */
function rcptReply(session: Session, to: string): string {
  if (/[^\p{ASCII}]/u.test(to) && !session.isUtf8)
    return offers(session, "SMTPUTF8")
      ? "553 5.6.7 Must declare SMTPUTF8 to send unicode address"
      : "501 5.1.3 Bad recipient address syntax";
  if (session.host.mailboxes.has(mailboxKey(to))) return "250 2.1.5 Ok";
  return isOurDomain(session, to)
    ? "550 5.1.1 <{to}>: Recipient address rejected: User unknown"
    : "554 5.7.1 <{to}>: Relay access denied";
}

export const isOurDomain = ({ host }: Session, to: string): boolean =>
  host.domains.has(mailboxKey(to).split("@").at(-1)!);

export const offers = ({ host }: Session, extension: string): boolean =>
  host.extensions.some((one) => one.split(" ")[0] === extension);
