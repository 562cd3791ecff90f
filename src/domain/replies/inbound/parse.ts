import PostalMime, { addressParser, decodeWords, type Attachment, type Email } from "postal-mime";
import type {
  DeliveryStatus,
  InboundAddress,
  InboundMail,
  OriginalMessage,
} from "./inbound-mail.ts";
import { fieldValue, messageIds, readHeaderBlock, type HeaderField } from "./header-fields.ts";
import { textOfHtml } from "./html-text.ts";
import { readDeliveryStatus } from "./delivery-status.ts";
import { originalInText, originalOf } from "./original-message.ts";
import { shortenMail } from "./shorten.ts";

/** Characters kept of each body; longer ones are cut. */
export const MAX_TEXT = 400_000;
const MAX_DEPTH = 250;
const MAX_ADDRESSES = 100;
/** Gateways that a report may have come through, each of which wraps it. */
const MAX_WRAPPERS = 3;

/**
 * Reads a mail as it came. Never throws: what cannot be read as MIME is read as a header and a text.
 * Time and memory are bounded whatever the input (`shorten.ts`); of attached messages a report that
 * a gateway wrapped is opened, and of the message that a report returns the header. `envelope.from` is
 * the envelope sender where the caller knows it; it wins over a Return-Path header.
 */
export const parseInbound = (
  raw: Uint8Array,
  envelope: { from?: string } = {},
): Promise<InboundMail> => parseWithin(raw, envelope.from, MAX_WRAPPERS);

async function parseWithin(
  raw: Uint8Array,
  envelopeFrom: string | undefined,
  wrappers: number,
): Promise<InboundMail> {
  const { bytes, truncated } = shortenMail(raw);
  const parsed = await readMime(bytes);
  const email = parsed ?? readFlat(bytes);
  // A multipart whose boundary never comes is all preamble to the reader; people's programs show it.
  if (email.text === undefined && email.html === undefined && email.attachments.length === 0)
    email.text = readFlat(bytes).text;
  const mail = assemble(email, envelopeFrom, truncated || parsed === null);
  if (mail.deliveryStatus !== null || wrappers === 0) return mail;
  const wrapped = await wrappedReport(email.attachments, wrappers - 1);
  return wrapped === null ? mail : { ...mail, wrapped, original: wrapped.original };
}

/** The first attached message that is a report, or has one in it. */
async function wrappedReport(
  parts: readonly Attachment[],
  wrappers: number,
): Promise<InboundMail | null> {
  const attached = parts.find(
    (part) =>
      /^message\/(rfc822|global)$/.test(part.mimeType) && MAY_WRAP.test(headOf(partText(part))),
  );
  if (attached === undefined) return null;
  const inner = await parseWithin(bytesOf(attached), undefined, wrappers);
  return inner.deliveryStatus === null ? inner.wrapped : inner;
}

const MAY_WRAP = /^multipart\/(report|mixed)\b/i;
const headOf = (text: string): string => fieldValue(readHeaderBlock(text), "content-type");

async function readMime(bytes: Uint8Array): Promise<Email | null> {
  try {
    return await PostalMime.parse(bytes, {
      forceRfc822Attachments: true,
      maxNestingDepth: MAX_DEPTH,
    });
  } catch {
    return null;
  }
}

/** For what the MIME reader refuses: too deep, or a header without end. */
function readFlat(bytes: Uint8Array): Email {
  const whole = new TextDecoder().decode(bytes.subarray(0, 1024 * 1024));
  const split = /\r?\n\r?\n/.exec(whole);
  const headers = readHeaderBlock(split ? whole.slice(0, split.index) : whole).map(
    ({ name, value }) => ({ key: name, originalKey: name, value }),
  );
  const text = split ? whole.slice(split.index + split[0].length) : "";
  return { headers, headerLines: [], attachments: [], text };
}

function assemble(email: Email, envelopeFrom: string | undefined, truncated: boolean): InboundMail {
  const headers: HeaderField[] = email.headers.map(({ key, value }) => ({
    name: key,
    value: oneLine(value),
  }));
  const html = email.html === undefined ? null : body(email.html);
  const ownText = email.text === undefined ? null : body(email.text);
  const text = ownText ?? (html === null ? "" : textOfHtml(html).slice(0, MAX_TEXT));
  const reports = readReports(email.attachments);
  const date = new Date(fieldValue(headers, "date"));
  const references = fieldValue(headers, "references");
  return {
    from: addressesOf(headers, "from")[0] ?? null,
    to: addressesOf(headers, "to"),
    replyTo: addressesOf(headers, "reply-to"),
    returnPath: returnPathOf(headers, envelopeFrom),
    subject: oneLine(decoded(headers.find(({ name }) => name === "subject")?.value ?? "")),
    messageId: messageIds(fieldValue(headers, "message-id"))[0] ?? null,
    inReplyTo: messageIds(fieldValue(headers, "in-reply-to")),
    references: messageIds(references),
    date: Number.isNaN(date.getTime()) ? null : date,
    headers,
    text,
    html,
    parts: email.attachments.map((part) => ({
      contentType: part.mimeType,
      filename: part.filename === null ? null : oneLine(part.filename),
      size: sizeOf(part),
    })),
    deliveryStatus: reports.deliveryStatus,
    wrapped: null,
    feedbackReport: reports.feedbackReport,
    dispositionFields: reports.dispositionFields,
    original: reports.original ?? originalInText(text.split("\n")),
    truncated:
      truncated || (email.text ?? "").length > MAX_TEXT || (email.html ?? "").length > MAX_TEXT,
  };
}

interface Reports {
  deliveryStatus: DeliveryStatus | null;
  feedbackReport: readonly HeaderField[] | null;
  dispositionFields: readonly HeaderField[] | null;
  original: OriginalMessage | null;
}

function readReports(parts: readonly Attachment[]): Reports {
  const reports: Reports = {
    deliveryStatus: null,
    feedbackReport: null,
    dispositionFields: null,
    original: null,
  };
  for (const part of parts) {
    if (/^message\/(global-)?delivery-status$/.test(part.mimeType)) {
      const read = readDeliveryStatus(partText(part));
      // Some systems write one part for each recipient.
      const before = reports.deliveryStatus;
      reports.deliveryStatus = before
        ? { ...before, recipients: [...before.recipients, ...read.recipients].slice(0, 200) }
        : read;
    } else if (part.mimeType === "message/feedback-report")
      reports.feedbackReport ??= readHeaderBlock(partText(part));
    else if (/^message\/(global-)?disposition-notification$/.test(part.mimeType))
      reports.dispositionFields ??= readHeaderBlock(partText(part));
    else if (
      /^(message\/(rfc822|global|partial)|(text|message)\/(rfc822|global)-headers)$/.test(
        part.mimeType,
      )
    )
      reports.original ??= originalOf(partText(part));
  }
  return reports;
}

function partText({ content }: Attachment): string {
  if (typeof content === "string") return content;
  const bytes = new Uint8Array(content).subarray(0, 256 * 1024);
  try {
    return body(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    return body(new TextDecoder("windows-1252").decode(bytes));
  }
}

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);

const sizeOf = ({ content }: Attachment): number =>
  typeof content === "string" ? content.length : content.byteLength;

export function returnPathOf(
  headers: readonly HeaderField[],
  envelopeFrom?: string,
): string | null {
  const value = envelopeFrom ?? headers.find(({ name }) => name === "return-path")?.value;
  if (value === undefined) return null;
  return /^\s*<?\s*([^<>\s]*)/.exec(value)?.[1]?.toLowerCase() ?? null;
}

export function addressesOf(headers: readonly HeaderField[], name: string): InboundAddress[] {
  const found: InboundAddress[] = [];
  for (const field of headers) {
    if (field.name !== name || found.length >= MAX_ADDRESSES) continue;
    for (const { name: display, address } of addressParser(field.value.slice(0, 20_000), {
      flatten: true,
    }))
      found.push({ name: oneLine(display), email: lowerDomain(oneLine(address ?? "")) });
  }
  return found.slice(0, MAX_ADDRESSES);
}

/** "MAILER-DAEMON" without a domain stays as it is: it identifies the author. */
function lowerDomain(address: string): string {
  const at = address.lastIndexOf("@");
  return at < 1 ? address : address.slice(0, at) + address.slice(at).toLowerCase();
}

function decoded(value: string): string {
  try {
    return decodeWords(value);
  } catch {
    return value;
  }
}

/** Bodies are stored: LF line ends, no NUL, no half surrogates. */
const body = (text: string): string =>
  text.slice(0, MAX_TEXT).replaceAll("\r\n", "\n").replaceAll("\0", "").toWellFormed();

/** Encoded words can hide line ends, and nothing shown as one line may have any. */
const oneLine = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  text
    .slice(0, 20_000)
    .replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, " ")
    .toWellFormed();
