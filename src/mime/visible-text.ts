import { textReader } from "./html-to-text.ts";
import { type HtmlListener, readHtml } from "./read-html.ts";

/** Declarations that take an element from its reader's sight (CSS 2.2 and later), as mails use them. */
const UNSEEN: readonly RegExp[] = [
  /(?:^|;)display:none/,
  /(?:^|;)visibility:(?:hidden|collapse)/,
  /(?:^|;)opacity:0?(?:\.0\d*)?(?:;|%|$)/,
  /(?:^|;)font-size:0*(?:[01](?:\.\d+)?|\.\d+)(?:px|pt|em|rem|%)?(?:;|!|$)/,
  /(?:^|;)font:[^;]*(?:^|[\s:])0*[01]?(?:px|pt)/,
  /(?:^|;)(?:max-)?(?:height|width):0+(?:px|pt|em|%)?(?:;|!|$)/,
  /(?:^|;)text-indent:-\d{3}/,
  /(?:^|;)(?:left|top|right|bottom|margin-left|margin-top):-\d{3}/,
  /(?:^|;)clip(?:-path)?:(?:rect\(0|inset\((?:50|100)%)/,
  /(?:^|;)color:(?:transparent|rgba\([^)]*,0?(?:\.0+)?\))/,
  /(?:^|;)mso-hide:all/,
];

/** Elements without an end, which therefore hide nothing but themselves. */
const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));

/** No mail program writes a longer one; what is in such a one is not looked for, and not trusted to be shown. */
const LONGEST_STYLE = 2_000;

function isUnseen(attributes: Record<string, string>): boolean {
  if (attributes["hidden"] !== undefined) return true;
  const written = attributes["style"] ?? "";
  if (written.length > LONGEST_STYLE) return true;
  const style = written
    .toLowerCase()
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s+/g, "");
  return style !== "" && (UNSEEN.some((way) => way.test(style)) || isOwnBackground(style));
}

/** White on white: words in the colour that the same element has behind them, or in white on nothing. */
function isOwnBackground(style: string): boolean {
  const colour = /(?:^|;)color:([^;!]+)/.exec(style)?.[1];
  if (colour === undefined) return false;
  const behind = /(?:^|;)background(?:-color)?:([^;!]+)/.exec(style)?.[1] ?? "#fff";
  return named(colour) === named(behind);
}

const WHITE = new Set(["white", "#fff", "#ffffff", "rgb(255,255,255)"]);
const named = (colour: string) => (WHITE.has(colour) ? "white" : colour);

/**
 * The plain text of an HTML mail without what its author hid from who reads it. Other than `htmlToText` it is for
 * programs that take text for an instruction: a person is shown nothing by it. By style attributes and `hidden` alone; what
 * a style sheet hides, a mail program that drops style sheets shows.
 */
export function htmlToVisibleText(html: string): string {
  const reader = textReader();
  const listen: HtmlListener = (place) => {
    const events = reader.listen(place);
    let depth = 0;
    return {
      onopentag(name, attributes, isImplied) {
        if (depth > 0 || isUnseen(attributes)) {
          if (!VOID.has(name)) depth++;
          return;
        }
        events.onopentag?.(name, attributes, isImplied);
      },
      ontext(text) {
        if (depth === 0) events.ontext?.(text);
      },
      onclosetag(name, isImplied) {
        if (depth === 0) events.onclosetag?.(name, isImplied);
        else if (!VOID.has(name)) depth--;
      },
    };
  };
  readHtml(html, listen);
  return reader.text();
}
