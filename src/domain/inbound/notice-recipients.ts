import { fieldValues } from "./header-fields.ts";
import type { InboundMail } from "./inbound-mail.ts";
import type { Notice } from "./notice.ts";
import { addressesIn } from "./original-message.ts";

export interface NoticeRecipient {
  recipient: string | null;
  /** What the notice says of this one. */
  text: string;
}

const MAX_RECIPIENTS = 50;
const SYSTEM = /^(mailer-?daemon|postmaster|abuse|support|help\w*|admin\w*|info@.*(help|support))@/;

/** Whom a notice in words is about, and what it says of each. */
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
  if (recipients.length < 2) return [{ recipient: recipients[0] ?? null, text: notice.text }];
  return recipients.map((recipient) => ({
    recipient,
    text: textAbout(recipient, recipients, notice),
  }));
}

/** Whether the line begins with the address, apart from marks and a label such as `Recipient:`. */
function leads(line: string, address: string): boolean {
  const at = line.indexOf(address);
  if (at === -1) return false;
  return /^[\s<>"'*•([-]*(\d{3}[ -](\d\.\d\.\d )?)?((final|original|failed)?[- ]?(recipient|address|addressee|rcpt to|to|user|mailbox|an|für|for)s?( address)?[\s:;]*)?(rfc822;)?[\s<"'(]*$/.test(
    line.slice(0, at),
  );
}

/** The lines that mention the recipient and those that follow, up to the next recipient's. */
function textAbout(recipient: string, all: readonly string[], notice: Notice): string {
  const kept: string[] = [];
  let current = false;
  let since = 0;
  for (const line of notice.lines) {
    const lower = line.toLowerCase();
    const named = all.filter((each) => lower.includes(each));
    if (named.length > 0) {
      current = named.includes(recipient);
      since = 0;
    }
    if (current && since++ < 12) kept.push(line);
  }
  return kept.join("\n");
}
