import { fieldValues } from "./header-fields.ts";
import type { InboundMail } from "./inbound-mail.ts";
import type { Notice } from "./notice.ts";
import { addressesIn } from "./original-message.ts";

export interface NoticeRecipient {
  recipient: string | null;
  /** What the notice says of this one. */
  text: string;
  /** What it says of none, or of the only one. */
  around: string;
}

const MAX_RECIPIENTS = 50;
const SYSTEM = /^(mailer-?daemon|postmaster|abuse|support|help\w*|admin\w*|info@.*(help|support))@/;

/** The recipients that a bounce notice in prose is about, and what it says of each. */
export function noticeRecipients(mail: InboundMail, notice: Notice): NoticeRecipient[] {
  const own = new Set(
    [mail.from?.email, ...mail.to.map(({ email }) => email)].map((each) => each?.toLowerCase()),
  );
  const usable = (address: string) => !own.has(address) && !SYSTEM.test(address);
  const mentioned = addressesIn(notice.text).filter(usable);
  const named = fieldValues(mail.headers, "x-failed-recipients").flatMap(addressesIn);
  const leading = mentioned.filter((address) =>
    notice.lines.some((line) => leads(line.toLowerCase(), address)),
  );
  const original = mail.original?.to ?? [];
  const both = mentioned.filter((address) => original.includes(address));
  const found = [named, leading, both, mentioned, original].find((list) => list.length > 0) ?? [];
  const recipients = [...new Set(found)].slice(0, MAX_RECIPIENTS);
  if (recipients.length < 2)
    return [{ recipient: recipients[0] ?? null, text: notice.text, around: notice.text }];
  return textsAbout(recipients, notice);
}

/** Whether the line begins with the address, apart from marks and a label such as `Recipient:`. */
function leads(line: string, address: string): boolean {
  const at = line.indexOf(address);
  if (at === -1) return false;
  return /^[\s<>"'*•([-]*(\d{3}[ -](\d\.\d\.\d )?)?((final|original|failed)?[- ]?(recipient|address|addressee|rcpt to|to|user|mailbox|an|für|for)s?( address)?[\s:;]*)?(rfc822;)?[\s<"'(]*$/.test(
    line.slice(0, at),
  );
}

const MAX_LINES_ABOUT = 12;

/** A notice's text for each of several recipients: the lines that name one, and those that follow up to the next name. */
export function textsAbout(recipients: readonly string[], notice: Notice): NoticeRecipient[] {
  const about = new Map<string, string[]>(recipients.map((each) => [each, []]));
  const around: string[] = [];
  let current: readonly string[] = [];
  let since = 0;
  for (const line of notice.lines) {
    const mentioned = addressesIn(line);
    const named = recipients.filter((each) => mentioned.includes(each));
    if (named.length > 0) {
      current = named;
      since = 0;
    }
    if (current.length === 0 || since++ >= MAX_LINES_ABOUT) {
      // Lines of the SMTP dialogue belong to the recipient above them.
      if (!/^\s*(>>>|<<<)/.test(line)) around.push(line);
    } else for (const each of current) about.get(each)!.push(line);
  }
  return recipients.map((recipient) => ({
    recipient,
    text: about.get(recipient)!.join("\n"),
    around: around.join("\n"),
  }));
}
