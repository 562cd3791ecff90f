import type { Inbound } from "./classify.ts";
import { fieldValue, fieldValues, type HeaderField, messageIds } from "./header-fields.ts";
import type { InboundMail } from "./inbound-mail.ts";
import { addressesIn } from "./original-message.ts";
import { readSesNotification } from "./ses-notification.ts";
import type { ReturnPathTokens } from "#src/domain/senders/return-path-token.ts";
import { emailKey } from "#src/mime/email-key.ts";

/** One way to find the send that a mail is about. */
export type MatchKey =
  /** A return path of this service, proved by its MAC. */
  | { by: "token"; sendId: string }
  /** A Message-ID that this service may have made; campaign ids cannot be guessed. */
  | { by: "message_id"; messageId: string; found: "in_reply_to" | "references" | "original" }
  /** The author's address, and the subject without prefixes: never a report's, and of a person what `authorship.ts` lets through. */
  | {
      by: "address";
      address: string;
      subject: string;
      /** Of an automatic reply: the subjects that the message it answers may have. */
      subjects?: readonly string[];
    };

/** Where transports write the envelope recipient. */
export const ENVELOPE_HEADERS = [
  "delivered-to",
  "x-original-to",
  "envelope-to",
  "x-envelope-to",
  "x-forwarded-to",
  "to",
  "cc",
];
const MAX_TOKENS = 10;
const MAX_IDS = 40;

/**
 * The keys to look a mail up by, the surest first. `envelopeTo` is the envelope recipient where the
 * caller knows it. Reports and receipts have no key by address: a bounce without a token or Message-ID of this
 * service is backscatter, and changes nothing. An absence has one, because many
 * responders name nothing that they answer, or only its subject.
 */
export async function matchKeys(
  mail: InboundMail,
  inbound: Inbound,
  tokens: Pick<ReturnPathTokens, "read">,
  envelopeTo: readonly string[] = [],
): Promise<MatchKey[]> {
  const keys: MatchKey[] = [];
  for (const address of tokenAddresses(mail, envelopeTo)) {
    const sendId = await tokens.read(address);
    if (sendId !== null && !keys.some((key) => key.by === "token" && key.sendId === sendId))
      keys.push({ by: "token", sendId });
  }
  const isReport = /^(bounce|delayed|delivered|complaint)$/.test(inbound.class);
  const named = [
    ...(readSesNotification(mail)?.messageIds ?? []),
    mail.original?.messageId ?? notifiedId(mail),
  ];
  const originals = named.flatMap((messageId) =>
    messageId ? [{ messageId, found: "original" } as const] : [],
  );
  const ids = [
    ...(isReport ? originals : []),
    ...mail.inReplyTo.map((messageId) => ({ messageId, found: "in_reply_to" }) as const),
    ...mail.references
      .toReversed()
      .map((messageId) => ({ messageId, found: "references" }) as const),
    ...(isReport ? [] : originals),
  ];
  const seen = new Set<string>();
  for (const id of ids.slice(0, MAX_IDS)) {
    if (seen.has(id.messageId)) continue;
    seen.add(id.messageId);
    keys.push({ by: "message_id", ...id });
  }
  const subjects = subjectsOf(mail, inbound);
  // As the ledger has it: a mail program may write a domain in Unicode (RFC 6532).
  const author = mail.from === null ? null : emailKey(mail.from.email);
  if (subjects !== "none" && author !== null)
    keys.push({
      by: "address",
      address: author,
      subject: bareSubject(mail.subject),
      ...(subjects !== "any" && { subjects }),
    });
  return keys;
}

const MAX_SUBJECT = 1_000;
const MAX_SUBJECTS = 10;

/** Which subjects a message of ours may have that a mail without its Message-ID is about. */
function subjectsOf(mail: InboundMail, inbound: Inbound): "any" | "none" | readonly string[] {
  if (inbound.class === "reply") return "any";
  if (inbound.class !== "out_of_office" && inbound.class !== "left_company") return "none";
  const whole = oneLine(mail.subject.slice(0, MAX_SUBJECT));
  const rests = [...whole.matchAll(/[:\uff1a([]/g)].map(({ index }) => whole.slice(index + 1));
  const named = [whole, ...rests.slice(0, MAX_SUBJECTS)]
    .flatMap((each) => [each.trim(), each.replace(/[)\]]\s*$/, "").trim()])
    .filter((each) => each !== "");
  // "Out of office" alone is an absence from everything; a departure is no matter for a guess.
  return rests.length === 0 && inbound.class === "out_of_office" ? "any" : [...new Set(named)];
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** RFC 8098 section 3.2.5: the Message-ID that a notification is about, where it does not return the message. */
const notifiedId = (mail: InboundMail): string | undefined =>
  messageIds(fieldValue(mail.dispositionFields ?? [], "original-message-id"))[0];

/**
 * Whether a report found by this key may suppress. Even then only the recipient of the send that was
 * found: a report can name any address.
 */
export const maySuppress = (key: MatchKey): boolean => key.by !== "address";

function tokenAddresses(mail: InboundMail, envelopeTo: readonly string[]): string[] {
  const returned = mail.original?.returnPath ?? null;
  const all = [
    ...envelopeTo,
    ...recipientsIn(mail.headers),
    ...(returned === null ? [] : [returned]),
  ];
  return returnPathsAmong(all);
}

const recipientsIn = (fields: readonly HeaderField[]): string[] =>
  ENVELOPE_HEADERS.flatMap((name) => fieldValues(fields, name)).flatMap(addressesIn);

/** The addresses in a header that look like the service's return paths. */
export const returnPathsIn = (fields: readonly HeaderField[]): string[] =>
  returnPathsAmong(recipientsIn(fields));

const returnPathsAmong = (addresses: readonly string[]): string[] =>
  [...new Set(addresses.map((each) => each.toLowerCase()))]
    .filter((each) => /^<?b[+.-][a-z2-7]{34}@/.test(each))
    .slice(0, MAX_TOKENS);

/** A subject without the prefixes of replies and forwards, in lower case. */
export function bareSubject(subject: string): string {
  let bare = subject.trim();
  const prefix =
    /^(re|aw|antw|sv|vs|fw|fwd|wg|tr|rv|enc|res|rif|r|i|odp|pd|ynt|ilt|doorst|vl|vá|továbbítás|回复|转发|答复|回覆|轉寄|automatic reply|out of office)(\[\d+\]|\(\d+\))?\s*[:\uff1a]\s*|^\[[^\]]{1,30}\]\s*/iu;
  for (let count = 0; count < 10 && prefix.test(bare); count++) bare = bare.replace(prefix, "");
  return bare.replace(/\s+/g, " ").trim().toLowerCase();
}
