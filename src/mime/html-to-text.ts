import { type HtmlListener, readHtml } from "./read-html.ts";

/** Elements whose content is no text for a reader. */
const HIDDEN = new Set([
  "head",
  "style",
  "script",
  "title",
  "template",
  "noscript",
  "object",
  "svg",
]);
/** Lines break before and after these; the number is the empty lines kept between two of them. */
const BLOCKS = new Map(
  Object.entries({
    p: 1,
    h1: 1,
    h2: 1,
    h3: 1,
    h4: 1,
    h5: 1,
    h6: 1,
    ul: 1,
    ol: 1,
    blockquote: 1,
    pre: 1,
    table: 1,
    hr: 1,
    div: 0,
    li: 0,
    tr: 0,
    section: 0,
    article: 0,
    header: 0,
    footer: 0,
    main: 0,
    address: 0,
    dt: 0,
    dd: 0,
    center: 0,
  }),
);

/** Deeper quotes and lists look like this one: a page of nested quotes would grow without bound. */
const MAX_DEPTH = 20;

/** A longer text of a link is not its address. */
const MAX_LINK_TEXT = 2_100;

/** White space but for the single spaces between words, which stay as they are: a match for each takes most of the time. */
const NO_SINGLE_SPACE = / \s+|[^\S ]\s*/g;

interface List {
  ordered: boolean;
  count: number;
}

/**
 * The plain text of an HTML mail: paragraphs apart, list items marked, links as `text (url)`,
 * quotes behind `>`. Ends where a page is too deep. Never throws.
 */
export function htmlToText(html: string): string {
  const reader = textReader();
  readHtml(html, reader.listen);
  return reader.text();
}

/** `htmlToText` beside others who read the same page: `text` is whole once it was read. */
export function textReader(): { listen: HtmlListener; text(): string } {
  const lines: string[] = [];
  let line = "";
  // Asked of the line itself, each piece of text would cost its length again.
  let isBlank = true;
  let endsInSpace = true;
  let gap = 0;
  let hidden = 0;
  let pre = 0;
  let quotes = 0;
  let quotesBefore = 0;
  const lists: List[] = [];
  const links: { href: string; from: string }[] = [];
  let sinceLink = "";

  const marks = (depth: number) => "> ".repeat(Math.min(depth, MAX_DEPTH));
  const breakLine = (emptyAfter: number) => {
    if (!isBlank) {
      const between = marks(Math.min(quotes, quotesBefore)).trimEnd();
      if (lines.length > 0) for (let n = 0; n < gap; n++) lines.push(between);
      lines.push(marks(quotes) + line.trimEnd());
      quotesBefore = quotes;
      gap = 0;
    }
    line = "";
    isBlank = true;
    endsInSpace = true;
    gap = Math.max(gap, emptyAfter);
  };
  const write = (text: string) => {
    if (text === "") return;
    line += text;
    isBlank &&= text.trim() === "";
    endsInSpace = text.endsWith(" ");
    if (sinceLink.length < MAX_LINK_TEXT) sinceLink += text;
  };

  const listen: HtmlListener = () => ({
    onopentag(name, attributes) {
      if (HIDDEN.has(name)) hidden++;
      if (hidden > 0) return;
      const gapAround = BLOCKS.get(name);
      if (gapAround !== undefined) breakLine(lists.length > 0 ? 0 : gapAround);
      if (name === "br") {
        // Two in a row make an empty line, as they do on the screen.
        if (isBlank) gap = Math.min(gap + 1, 2);
        breakLine(0);
      } else if (name === "hr") {
        write("---");
        breakLine(1);
      } else if (name === "pre") pre++;
      else if (name === "blockquote") quotes++;
      else if (name === "ul" || name === "ol") lists.push({ ordered: name === "ol", count: 0 });
      else if (name === "li") write(bullet(lists));
      else if (name === "td" || name === "th") {
        if (!isBlank) write(" ");
      } else if (name === "img") write(attributes["alt"] ?? "");
      else if (name === "a") {
        links.push({ href: (attributes["href"] ?? "").trim(), from: sinceLink });
        sinceLink = "";
      }
    },
    ontext(text) {
      if (hidden > 0) return;
      if (pre > 0) {
        const [first = "", ...rest] = text.split(/\r?\n/);
        write(first);
        for (const each of rest) {
          breakLine(0);
          write(each);
        }
        return;
      }
      const squeezed = text.replace(NO_SINGLE_SPACE, " ");
      write(endsInSpace ? squeezed.replace(/^ /, "") : squeezed);
    },
    onclosetag(name) {
      if (HIDDEN.has(name)) hidden = Math.max(0, hidden - 1);
      if (hidden > 0) return;
      if (name === "a") {
        const link = links.pop();
        const shown = sinceLink.trim();
        if (link && /^(https?:|mailto:|tel:)/i.test(link.href) && !sameTarget(shown, link.href))
          write(shown === "" ? link.href : ` (${link.href.replace(/^(mailto|tel):/i, "")})`);
        sinceLink = ((link?.from ?? "") + sinceLink).slice(0, MAX_LINK_TEXT);
      }
      const gapAround = BLOCKS.get(name);
      if (gapAround !== undefined && name !== "hr") breakLine(lists.length > 1 ? 0 : gapAround);
      if (name === "pre") pre = Math.max(0, pre - 1);
      else if (name === "blockquote") quotes = Math.max(0, quotes - 1);
      else if (name === "ul" || name === "ol") lists.pop();
    },
  });
  return {
    listen,
    text() {
      breakLine(0);
      return lines.join("\n");
    },
  };
}

function bullet(lists: readonly List[]): string {
  const list = lists.at(-1);
  if (!list) return "- ";
  list.count++;
  return `${"  ".repeat(Math.min(lists.length, MAX_DEPTH) - 1)}${list.ordered ? `${list.count}.` : "-"} `;
}

/** Whether the link's text already says where it goes. */
function sameTarget(shown: string, href: string): boolean {
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replace(/^(https?:\/\/|mailto:|tel:)/, "")
      .replace(/\/$/, "");
  return bare(shown) === bare(href);
}
