import { bodyFormat } from "#src/mime/body-format.ts";
import { escapeHtml } from "#src/mime/escape-html.ts";
import { htmlToText } from "#src/mime/html-to-text.ts";

/** Prefixes of answers, as mail programs of some languages write them. */
const ANSWERED = /^\s*(?:(?:re|aw|antw|sv|vs|odp|ref|rif)\s*(?:\[\d+\])?\s*:\s*)+/i;
/** A quote of a longer message is cut: it stands below for a reader who looks back. */
const LONGEST_QUOTE = 20_000;

/** `Re:` once (RFC 5322 section 3.6.5). */
export const answerSubject = (subject: string): string =>
  `Re: ${subject.replace(ANSWERED, "")}`.trim();

interface Quoted {
  fromEmail: string;
  sentAt: Date;
  text: string | null;
  html: string | null;
}

/** The body with the message below it, in the body's own format. */
export function withQuote(body: string, { fromEmail, sentAt, text, html }: Quoted): string {
  const said = (text ?? (html === null ? "" : htmlToText(html))).slice(0, LONGEST_QUOTE).trimEnd();
  const head = `On ${dateOf(sentAt)}, ${fromEmail} wrote:`;
  const lines = said.split(/\r?\n/);
  if (bodyFormat(body) === "text")
    // A quoted line that is a quote gets no blank between its signs (RFC 3676 section 4.5).
    return `${body.trimEnd()}\n\n${head}\n${lines.map((line) => (line.startsWith(">") ? `>${line}` : `> ${line}`.trimEnd())).join("\n")}\n`;
  return `${body}<p>${escapeHtml(head)}</p><blockquote>${lines.map(escapeHtml).join("<br>")}</blockquote>`;
}

const dateOf = (at: Date): string =>
  `${at.toUTCString().slice(0, 16)} at ${at.toISOString().slice(11, 16)} UTC`;
