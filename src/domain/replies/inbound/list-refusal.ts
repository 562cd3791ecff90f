import type { Bounce } from "./bounce-kinds.ts";
import { fieldValue } from "./header-fields.ts";
import type { InboundMail } from "./inbound-mail.ts";
import type { Notice } from "./notice.ts";
import { addressesIn } from "./original-message.ts";

/** Google Groups explains a refusal in the sender's language, always with a link to its own help. */
const GOOGLE_HELP = /https?:\/\/(groups\.google\.com\/support|support\.google\.com\/[\w/]*groups)/i;
const SERVERS = /\b(fml|ezmlm|majordomo|listserv|sympa|mailman|mlmmj)\b/i;
const REFUSED =
  /not (a |an )?(subscribed |authori[sz]ed )?(member|subscriber)|only (members|subscribers)|loop alert|duplicated message-id|closed list|posting (is |was )?(rejected|denied|not allowed)|not (allowed|authori[sz]ed|permitted) to (post|send)/i;

/** A mailing list that does not take the message: about the list's rules, not about an address. */
export function readListRefusal(mail: InboundMail, notice: Notice): Bounce | null {
  const group = addressesIn(notice.text).find((each) => each.endsWith("@googlegroups.com"));
  const original = mail.original?.to[0] ?? null;
  if (mail.returnPath === "" && GOOGLE_HELP.test(notice.text))
    return refusal(group ?? original, notice, "system:google_groups");
  const server = ["x-mlserver", "mailing-list", "list-software", "x-mailer", "x-mailman-version"]
    .map((name) => fieldValue(mail.headers, name))
    .find((line) => SERVERS.test(line));
  if (
    server &&
    fieldValue(mail.headers, "list-id") === "" &&
    REFUSED.test(`${mail.subject}\n${notice.text}`)
  )
    return refusal(
      addressesIn(notice.text).find((each) => !isOwn(mail, each)) ?? original,
      notice,
      "system:list_server",
    );
  return null;
}

const isOwn = (mail: InboundMail, address: string): boolean =>
  mail.to.some(({ email }) => email.toLowerCase() === address);

function refusal(recipient: string | null, notice: Notice, rule: string): Bounce {
  const reason = { category: "recipient_filter", kind: "soft", rule } as const;
  const codes = { status: "", reply: "", originalRecipient: null };
  return {
    class: "bounce",
    format: "notice",
    recipients: [
      { recipient, ...codes, ...reason, diagnostic: notice.text.trim().slice(0, 1_000) },
    ],
    evidence: [rule],
  };
}
