import { firstToken } from "./tokens.ts";

/** No person reads mail here: RFC 2142's operators of a server, senders that take no mail, programs. */
const LOCAL_PARTS = new Set(
  (
    "noreply no-reply no_reply no.reply noreplies noanswer no-answer donotreply do-not-reply do_not_reply do.not.reply dontreply dont-reply " +
    "nepasrepondre ne-pas-repondre noresponder no-responder nichtantworten keineantwort nonrispondere naoresponda nao-responda nie-odpowiadaj " +
    "mailer-daemon mailerdaemon mailer_daemon mail-daemon maildaemon postmaster abuse hostmaster bounce bounces daemon nobody " +
    "uucp usenet news-admin ftp listserv listproc majordomo mailman autoreply auto-reply autoresponder auto-responder automated automailer " +
    "devnull dev-null blackhole undisclosed-recipients spamtrap spam-trap honeypot dmarc dmarc-reports dmarc-rua dmarc-ruf tlsrpt tls-rpt " +
    "unsubscribe unsub notification notifications notify alerts-noreply"
  ).split(" "),
);

/** `noreply-orders`, `bounce+abc`, and the addresses behind a mailing list's name. */
const PATTERN =
  /^(no-?_?reply|do-?not-?reply|bounces?|mailer-daemon)[+._=-]|-(bounces?|unsubscribe|noreply|no-reply)$|^(owner|request)-|-owner$/;

export function isSystemAddress(local: string): boolean {
  const name = local.toLowerCase();
  return LOCAL_PARTS.has(name) || LOCAL_PARTS.has(firstToken(name, "+")) || PATTERN.test(name);
}
