import { createPace } from "./operators.ts";
import type { ReplyName } from "./smtp-replies.ts";

/** The faults that can be ordered, each with what it does on its next occasion. */
export const smtpFaults = {
  auth_refused: "the next AUTH is answered 535 5.7.8, right credentials or not",
  rcpt_refused: "the next RCPT is answered 550 5.1.1",
  rcpt_deferred: "the next RCPT is answered 450 4.2.1",
  rcpt_unresolved: "the next RCPT is answered 550 5.4.4, in words of a resolver that had no answer",
  rcpt_policy: "the next RCPT is answered 550 5.7.1, in words that name nobody",
  rcpt_bare: "the next RCPT is answered 550, without a code and in words that say nothing",
  data_refused: "the next message is read to its end and answered 554 5.7.1; nothing is stored",
  data_deferred: "the next message is read to its end and answered 451 4.3.0; nothing is stored",
  hang_before_dot: "the next DATA or BDAT is never answered; the connection stays open",
  hang_after_dot: "the next message is stored, its reply never comes; the connection stays open",
  close_before_dot: "the connection is cut in the middle of the next message; nothing is stored",
  close_after_dot: "the next message is stored, and the connection cut before the 250",
  greeting_421: "the next connection is greeted with 421 4.3.2 and closed",
  slow: "the next connection gets one reply per 200 ms as long as it lasts",
} as const;

export const SLOW_REPLY_MS = 200;

/** Recipients with a will of their own, by local part (`bounce@`, also `bounce+anything@`), at any domain. */
export const magicRecipients: Readonly<
  Record<string, { reply: ReplyName; once: boolean; what: string }>
> = {
  bounce: { reply: "noSuchUser", once: false, what: "always 550 5.1.1, no such user" },
  disabled: { reply: "recipientDisabled", once: false, what: "always 550 5.2.1, mailbox disabled" },
  policy: {
    reply: "recipientForbidden",
    once: false,
    what: "always 550 5.7.1, in words that name nobody",
  },
  bare: { reply: "recipientRefusedBare", once: false, what: "always 550, and no reason" },
  failing: { reply: "recipientFailed", once: false, what: "always 451 4.3.0" },
  listed: {
    reply: "clientListed",
    once: false,
    what: "always 554 5.7.1, the client is on a block list",
  },
  full: { reply: "mailboxFull", once: false, what: "always 452 4.2.2, mailbox full" },
  greylist: {
    reply: "greylisted",
    once: true,
    what: "451 4.7.1 the first time that address is tried, then accepted",
  },
};

/**
 * Decides whether an address refuses mail by its name, or its operator puts it off. Remembers which greylisting
 * addresses were tried, and what such an operator took.
 */
export function createMagicRecipients() {
  const tried = new Set<string>();
  const pace = createPace();
  function byName(address: string): ReplyName | null {
    const local = address.slice(0, address.lastIndexOf("@")).toLowerCase();
    const [name = ""] = local.split("+");
    if (!Object.hasOwn(magicRecipients, name)) return null;
    const magic = magicRecipients[name];
    if (magic === undefined) return null;
    if (!magic.once) return magic.reply;
    const key = address.toLowerCase();
    if (tried.has(key)) return null;
    tried.add(key);
    return magic.reply;
  }
  return {
    refusal: (address: string, from: string): ReplyName | null =>
      byName(address) ?? (pace.takes(address, from) ? null : "putOffByPolicy"),
    clear() {
      tried.clear();
      pace.clear();
    },
  };
}

export type MagicRecipients = ReturnType<typeof createMagicRecipients>;
