import { htmlToText } from "../text.ts";

const MAX_HTML = 300_000;
const MAX_BLOCKQUOTES = 100;

/** The text of received HTML. Quotes in quotes multiply in plain text, so a great many of them are no quotes. */
export function textOfHtml(html: string): string {
  const source = html.slice(0, MAX_HTML);
  const quotes = source.match(/<blockquote/gi)?.length ?? 0;
  return htmlToText(
    quotes > MAX_BLOCKQUOTES ? source.replace(/<(\/?)blockquote/gi, "<$1div") : source,
  );
}
