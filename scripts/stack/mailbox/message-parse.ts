import PostalMime, { type Attachment } from "postal-mime";
import type { KeptMessage } from "./message-store.ts";

/** A message as the JSON API shows it. */
export interface StoredMessage {
  id: string;
  /** Address of the From header, or of the envelope when there is none. */
  from: string;
  /** Recipients of the envelope. */
  to: string[];
  subject: string;
  received_at: string;
  text: string;
  html: string;
  /** By lower-cased name, unfolded, encoded words left as they are; an array where a name occurs more than once. */
  headers: Record<string, string | string[]>;
  raw_url: string;
}

export interface ParsedMessage extends Omit<StoredMessage, "raw_url"> {
  fromName: string;
  /** The envelope's sender, to which reports go. */
  envelopeFrom: string;
  /** The header as it came. */
  headerBlock: string;
  attachments: MessageAttachment[];
}

export interface MessageAttachment {
  filename: string;
  contentType: string;
  contentId: string | null;
  content: Buffer;
}

const parsed = new WeakMap<KeptMessage, Promise<ParsedMessage>>();

/** Parses a message once, when it is first looked at: receiving must stay fast. */
export function parseMessage(message: KeptMessage): Promise<ParsedMessage> {
  const known = parsed.get(message);
  if (known !== undefined) return known;
  const fresh = parse(message);
  parsed.set(message, fresh);
  return fresh;
}

async function parse({ entry, raw }: KeptMessage): Promise<ParsedMessage> {
  const email = await PostalMime.parse(raw, { forceRfc822Attachments: true });
  const headers: StoredMessage["headers"] = {};
  for (const { key, value } of email.headers) {
    const before = headers[key];
    headers[key] = before === undefined ? value : [before, value].flat();
  }
  return {
    id: entry.id,
    from: email.from?.address ?? entry.envelope.from,
    fromName: email.from?.name ?? "",
    envelopeFrom: entry.envelope.from,
    headerBlock: headerBlockOf(raw),
    to: entry.envelope.to,
    subject: email.subject ?? "",
    received_at: entry.at,
    text: email.text ?? "",
    html: email.html ?? "",
    headers,
    attachments: email.attachments.map(toAttachment),
  };
}

function headerBlockOf(raw: Buffer): string {
  const end = raw.indexOf("\r\n\r\n");
  return raw.toString("utf8", 0, end < 0 ? raw.length : end);
}

function toAttachment(attachment: Attachment, index: number): MessageAttachment {
  const { content } = attachment;
  return {
    filename: attachment.filename ?? `attachment-${index + 1}`,
    contentType: attachment.mimeType,
    contentId: attachment.contentId?.replace(/^<|>$/g, "") ?? null,
    content:
      typeof content === "string" ? Buffer.from(content) : Buffer.from(new Uint8Array(content)),
  };
}

/** The first value of a header. */
export function headerOf(
  message: Pick<ParsedMessage, "headers">,
  name: string,
): string | undefined {
  return [message.headers[name]].flat()[0];
}
