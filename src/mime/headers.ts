import { type Mailbox, normalizeEmail } from "./address.ts";
import { encodedWords } from "./encoded-word.ts";
import { MailInputError } from "./input-error.ts";

const LINE_WIDTH = 76;
/** A line of a message may not be longer (RFC 5322 section 2.1.1). */
const MAX_LINE = 998;

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Throws MailInputError on control characters: a CR or LF in a value would start a header of its own. */
export function refuseControls(field: string, value: string): string {
  if (CONTROL.test(value)) throw new MailInputError(field, "control characters are not allowed");
  return value;
}

/** `Name: value` and its CRLF, folded at spaces. `tokens` are joined by single spaces and never split. */
export function headerLine(name: string, tokens: readonly string[]): string {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,75}$/.test(name))
    throw new MailInputError(name, "not a header name");
  let line = `${name}:`;
  let out = "";
  for (const token of tokens) {
    refuseControls(name, token);
    if (line.length + 1 + token.length > LINE_WIDTH && line !== `${name}:`) {
      out += `${line}\r\n`;
      line = "";
    }
    line += ` ${token}`;
    if (line.length > MAX_LINE) throw new MailInputError(name, "too long for a header line");
  }
  return `${out}${line}\r\n`;
}

/** Free text (Subject): as it is where a reader will see the same, else as encoded words. */
export function textTokens(field: string, text: string): string[] {
  refuseControls(field, text);
  if (text === "") return [""];
  // Spaces at the ends and in runs would not survive folding, and "=?" could be taken for a word.
  const plain = /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text) && !text.includes("=?");
  const words = text.split(" ");
  return plain && words.every((word) => word.length < 900)
    ? words
    : encodedWords(text, field.length + 2);
}

/** `Name <local@domain>`; the name as atoms, quoted string or encoded words, whichever is needed. */
export function mailboxTokens(field: string, { name, email }: Mailbox): string[] {
  const address = normalizeEmail(email, field);
  if (name === undefined || name.trim() === "") return [address];
  return [...phraseTokens(field, name.trim()), `<${address}>`];
}

function phraseTokens(field: string, name: string): string[] {
  refuseControls(field, name);
  const words = name.split(" ");
  if (words.every((word) => /^[A-Za-z0-9!#$%&'*+/?^_`{|}~-]+$/.test(word))) return words;
  const quotable = /^[\x20-\x7e]{1,60}$/.test(name) && !name.includes("=?");
  // Never an encoded word inside quotes: readers show it raw (RFC 2047 section 5, rule 3).
  return quotable ? [`"${name.replace(/[\\"]/g, "\\$&")}"`] : encodedWords(name, field.length + 2);
}

/** RFC 5322 date-time in UTC: `Tue, 05 May 2026 10:00:00 +0000`. */
export function dateToken(date: Date): string {
  return date.toUTCString().replace("GMT", "+0000");
}

/** Beside the longest field that names one, on its line. */
const MAX_MESSAGE_ID = MAX_LINE - "In-Reply-To: <>".length;

/** Whether a header can carry it; others' software writes longer ones, and in any script. */
export const isMessageId = (bare: string): boolean =>
  bare.length <= MAX_MESSAGE_ID && /^[\x21-\x3b\x3d\x3f-\x7e]+$/.test(bare);

/** A Message-ID in its angle brackets, given with or without them. Throws MailInputError. */
export function messageIdToken(field: string, id: string): string {
  const bare = id.trim().replace(/^<(.*)>$/, "$1");
  if (!isMessageId(bare)) throw new MailInputError(field, "not a Message-ID");
  return `<${bare}>`;
}

/**
 * A parameter of Content-Type or Content-Disposition: quoted, or by RFC 2231 where it goes beyond
 * ASCII or would not fit on a line.
 */
export function parameterTokens(name: string, value: string): string[] {
  refuseControls(name, value);
  if (/^[\x20-\x7e]{0,60}$/.test(value) && value.trim() === value)
    return [`${name}="${value.replace(/[\\"]/g, "\\$&")}"`];
  const encoded = Array.from(value.toWellFormed(), (character) =>
    encodeURIComponent(character).replace(
      /['()*!~]/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
  );
  const sections: string[] = [];
  let section = "utf-8''";
  for (const piece of encoded) {
    if (section.length + piece.length > 55) {
      sections.push(section);
      section = "";
    }
    section += piece;
  }
  sections.push(section);
  if (sections.length === 1) return [`${name}*=${section}`];
  return sections.map(
    (text, index) => `${name}*${index}*=${text}${index < sections.length - 1 ? ";" : ""}`,
  );
}
