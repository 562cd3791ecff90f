import type { Mailbox } from "./address.ts";
import { base64Lines } from "./base64-lines.ts";
import { hash32 } from "./hash.ts";
import {
  dateToken,
  headerLine,
  mailboxTokens,
  messageIdToken,
  parameterTokens,
  textTokens,
} from "./headers.ts";
import { MailInputError } from "./input-error.ts";
import { quotedPrintable } from "./quoted-printable.ts";

export interface Attachment {
  filename: string;
  contentType: string;
  content: Uint8Array;
  /** Makes it an inline part that the HTML refers to as `cid:<contentId>`. */
  contentId?: string;
}

export interface MimeInput {
  from: Mailbox;
  to: Mailbox;
  replyTo?: Mailbox;
  subject: string;
  messageId: string;
  date: Date;
  inReplyTo?: string;
  references?: readonly string[];
  /** Further headers, each value as tokens between which a line may be folded. */
  headers?: readonly (readonly [name: string, tokens: readonly string[]])[];
  text: string;
  html?: string;
  attachments?: readonly Attachment[];
}

/** What common providers take: RFC 5321 names no maximum, and 25 MiB is where most of them stop. */
export const MAX_MESSAGE_BYTES = 25 * 1024 * 1024;

type Part = readonly (string | Uint8Array)[];

/**
 * A complete message (RFC 5322, MIME): CRLF lines of at most 76 characters in bodies, 7-bit
 * throughout unless a local part is international (RFC 6532). Structure mixed > related >
 * alternative, as far as needed. The same input gives the same bytes. Throws MailInputError.
 */
export function buildMime(input: MimeInput): Uint8Array {
  const attachments = input.attachments ?? [];
  const inline =
    input.html === undefined ? [] : attachments.filter(({ contentId }) => contentId !== undefined);
  const attached = attachments.filter((each) => !inline.includes(each));
  const seed = input.messageId;

  let body = textPart("plain", input.text);
  if (input.html !== undefined) {
    const html = multipart("related", seed, [
      textPart("html", input.html),
      ...inline.map(filePart),
    ]);
    body = multipart("alternative", seed, [body, html]);
  }
  body = multipart("mixed", seed, [body, ...attached.map(filePart)]);
  const raw = concatenated([
    ...messageHeaders(input),
    headerLine("MIME-Version", ["1.0"]),
    ...body,
  ]);
  if (raw.length > MAX_MESSAGE_BYTES) throw new MailInputError("message", "larger than 25 MiB");
  return raw;
}

function messageHeaders(input: MimeInput): string[] {
  const { from, to, replyTo, inReplyTo, references = [] } = input;
  return [
    headerLine("From", mailboxTokens("From", from)),
    headerLine("To", mailboxTokens("To", to)),
    ...(replyTo ? [headerLine("Reply-To", mailboxTokens("Reply-To", replyTo))] : []),
    headerLine("Subject", textTokens("Subject", input.subject)),
    headerLine("Date", [dateToken(input.date)]),
    headerLine("Message-ID", [messageIdToken("Message-ID", input.messageId)]),
    ...(inReplyTo === undefined
      ? []
      : [headerLine("In-Reply-To", [messageIdToken("In-Reply-To", inReplyTo)])]),
    ...(references.length === 0
      ? []
      : [
          headerLine(
            "References",
            references.map((id) => messageIdToken("References", id)),
          ),
        ]),
    ...(input.headers ?? []).map(([name, tokens]) => headerLine(name, tokens)),
  ];
}

function textPart(subtype: "plain" | "html", text: string): Part {
  return [
    headerLine("Content-Type", [`text/${subtype};`, "charset=utf-8"]),
    headerLine("Content-Transfer-Encoding", ["quoted-printable"]),
    "\r\n",
    quotedPrintable(text.toWellFormed()),
  ];
}

function filePart({ filename, contentType, content, contentId }: Attachment): Part {
  const disposition = contentId === undefined ? "attachment" : "inline";
  return [
    headerLine("Content-Type", [contentTypeToken(contentType)]),
    headerLine("Content-Transfer-Encoding", ["base64"]),
    headerLine("Content-Disposition", [
      `${disposition};`,
      ...parameterTokens("filename", filename),
    ]),
    ...(contentId === undefined
      ? []
      : [headerLine("Content-ID", [messageIdToken("Content-ID", contentId)])]),
    "\r\n",
    base64Lines(content),
  ];
}

/** `message/*` and `multipart/*` may not be base64 (RFC 2046 sections 5.1 and 5.2), so they travel as bytes. */
function contentTypeToken(contentType: string): string {
  const token = contentType.trim().toLowerCase();
  const fits = /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,60}$/.test(token);
  return fits && !/^(message|multipart)\//.test(token) ? token : "application/octet-stream";
}

/** A single part stays itself. "=_" occurs in neither quoted-printable nor base64, so no part can hold the boundary. */
function multipart(
  subtype: "mixed" | "related" | "alternative",
  seed: string,
  parts: readonly Part[],
): Part {
  if (parts.length === 1) return parts[0]!;
  const boundary = `=_${hash32(`${subtype} ${seed}`).toString(36)}${hash32(`${seed} ${subtype}`).toString(36)}`;
  return [
    headerLine("Content-Type", [`multipart/${subtype};`, `boundary="${boundary}"`]),
    "\r\n",
    ...parts.flatMap((part) => [`--${boundary}\r\n`, ...part]),
    `--${boundary}--\r\n`,
  ];
}

function concatenated(pieces: Part): Uint8Array {
  const encoder = new TextEncoder();
  const chunks: Uint8Array[] = [];
  let text = "";
  // Texts side by side are encoded together: in workerd each call makes a buffer of its own.
  for (const piece of pieces) {
    if (typeof piece === "string") text += piece;
    else {
      chunks.push(encoder.encode(text), piece);
      text = "";
    }
  }
  chunks.push(encoder.encode(text));
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
