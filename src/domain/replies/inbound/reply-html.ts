import { readHtml } from "#src/mime/read-html.ts";

/** Elements that hold the answered message, by class or id, as the mail programs write them. */
const QUOTE =
  /(^|\s)(x_|m_-?\d+)?(gmail_quote|gmail_quote_container|gmail_attr|yahoo_quoted\S*|protonmail_quote|moz-cite-prefix|moz-forward-container|zmail_extra|tutanota_quote|mail-quote-collapse|wrote|freebirdFormviewerViewResponseMessage|OLK_SRC_BODY_SECTION|reply-intro|AppleOriginalContents|front-blockquote|quoted-text|hm_quote)(\s|$)/i;
const SIGNATURE =
  /(^|\s)(x_)?(gmail_signature|gmail_signature_prefix|moz-signature|Signature|ms-outlook-mobile-signature|protonmail_signature_block\S*|AppleMailSignature|tutanota_signature|signature)(\s|$)/i;
/** From these on everything is the answered message: Outlook puts it beside them, not into them. */
const REST =
  /(^|\s)(x_)?(divRplyFwdMsg|appendonsend|stopSpelling|mail-editor-reference-message-container)(\s|$)/i;
/** Outlook for Windows marks the answered message with a rule above it and nothing else. */
const RULED =
  /border(-top)?\s*:\s*(none\s*;\s*border-top\s*:\s*)?solid\s+(#[eb][1-5]c?[4d]?[e1-f]\w*|windowtext)\s+1\.0pt/i;
const VOID = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

/** Marks are short; patterns are not tried on more. */
const head = (value = "") => value.slice(0, 1_000);

/** The HTML without quotes and signatures; `marked` tells whether there were any marks, as far as it can be read. Never throws. */
export function unquotedHtml(html: string): { html: string; marked: boolean } {
  const kept: string[] = [];
  let from = 0;
  let skipping = 0;
  let done = false;
  let marked = false;
  const keepUntil = (index: number) => {
    if (!done && skipping === 0 && index > from) kept.push(html.slice(from, index));
  };
  const isWhole = readHtml(html, (place) => ({
    onopentag(name, attributes) {
      if (done) return;
      if (skipping > 0) {
        if (!VOID.has(name)) skipping++;
        return;
      }
      const marks = `${head(attributes["class"])} ${head(attributes["id"])}`;
      const style = head(attributes["style"]);
      const cite = name === "blockquote" && !/margin[^;]*40px/.test(style);
      if (REST.test(marks) || (name === "div" && RULED.test(style))) {
        keepUntil(place.start);
        done = true;
        marked = true;
      } else if (cite || QUOTE.test(marks) || SIGNATURE.test(marks)) {
        keepUntil(place.start);
        if (!SIGNATURE.test(marks)) marked = true;
        if (!VOID.has(name)) skipping = 1;
      }
    },
    onclosetag(name) {
      if (done || skipping === 0 || VOID.has(name)) return;
      skipping--;
      if (skipping === 0) from = place.end + 1;
    },
  }));
  if (!isWhole) return { html, marked: false };
  keepUntil(html.length);
  return { html: kept.join("\n"), marked };
}
