import type { InboundMail } from "./inbound-mail.ts";
import { textOfHtml } from "./html-text.ts";
import { attributionLength, nextText, startsAnswered } from "./quote-lines.ts";
import { unquotedHtml } from "./reply-html.ts";
import { signatureStart } from "./signature-lines.ts";

const MAX_LINES = 5_000;
/** No mark of a quote is longer; some of their patterns take the square of a line. */
const MAX_MARK = 1_000;

/** What the writer of this mail wrote, without what they answered and without their signature. */
export function visibleReply(mail: Pick<InboundMail, "text" | "html">): string {
  const html = mail.html === null ? null : unquotedHtml(mail.html.slice(0, 300_000));
  // The HTML says more than the text only where the mail program has marked the quote in it.
  if (html?.marked) {
    const visible = visibleText(textOfHtml(html.html));
    if (visible !== "") return visible;
  }
  return visibleText(mail.text);
}

/** The same for a plain text: top, bottom and interleaved posting. Empty when all of it is quoted. */
export function visibleText(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n").slice(0, MAX_LINES);
  const own: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (QUOTED.test(line) || isWrappedQuote(lines, at)) continue;
    if (line.length > MAX_MARK) {
      own.push(line);
      continue;
    }
    const attribution = attributionLength(lines, at);
    if (attribution > 0) {
      const next = nextText(lines, at + attribution);
      // Marked quotes end where the marks end; an unmarked one has no end.
      if (next === -1 || !QUOTED.test(lines[next]!)) break;
      at = next - 1;
      continue;
    }
    if (startsAnswered(lines, at)) break;
    own.push(line);
  }
  const kept = own.slice(0, signatureStart(own));
  const visible = tidy(kept);
  return visible === "" ? tidy(own) : visible;
}

const QUOTED = /^\s{0,3}>/;

/** A long quoted line that was broken on its way has its end between two marked ones. */
const isWrappedQuote = (lines: readonly string[], at: number): boolean =>
  /^\p{Ll}/u.test(lines[at]!) &&
  QUOTED.test(lines[at - 1] ?? "") &&
  QUOTED.test(lines[at + 1] ?? "");

const tidy = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
