/** A mail's HTML as nodes to draw: known elements and links alone, so that nothing in it can act or load. */

export type HtmlNode = string | { tag: string; href?: string; children: HtmlNode[] };

const KNOWN = new Set(
  "p br b strong i em u s a ul ol li h1 h2 h3 h4 h5 h6 blockquote div span table thead tbody tr td th pre code hr small sub sup".split(
    " ",
  ),
);
/** They hold nothing, and none closes them. */
const VOID = new Set(["br", "hr"]);
/** Their text is none that is read. */
const UNSEEN =
  /^(head|title|style|script|template|noscript|iframe|object|svg|math|select|textarea)$/;
const DEEPEST = 60;

/** A longer tag is text: or a row of quotes that never end would cost the square of its length. */
const LONGEST_TAG = 4_000;

/** Behind the markup that begins at a "<"; -1 where it is none. */
function endOfMarkup(html: string, at: number): number {
  if (html.startsWith("<!--", at)) {
    const end = html.indexOf("-->", at + 4);
    return end < 0 ? html.length : end + 3;
  }
  if (!/[a-z/!?]/i.test(html[at + 1] ?? "")) return -1;
  let quote = "";
  for (let place = at + 1; place < Math.min(html.length, at + LONGEST_TAG); place++) {
    const character = html[place]!;
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === ">") return place + 1;
    else if (character === '"' || character === "'") quote = character;
  }
  return -1;
}

const TAG = /^<(\/?)([a-z][a-z0-9-]*)([^]*)>$/i;

export function htmlNodes(html: string): HtmlNode[] {
  const root: HtmlNode[] = [];
  const open: { tag: string; children: HtmlNode[] }[] = [];
  let unseen: string | null = null;
  let from = 0;
  const place = () => open.at(-1)?.children ?? root;
  const write = (text: string) => {
    if (text !== "" && unseen === null) place().push(decoded(text));
  };
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at)) {
    const end = endOfMarkup(html, at);
    if (end < 0) {
      at++;
      continue;
    }
    write(html.slice(from, at));
    const [, slash, name, attributes = ""] = TAG.exec(html.slice(at, end)) ?? [];
    from = at = end;
    if (name !== undefined) take(name.toLowerCase(), slash === "/", attributes);
  }
  write(html.slice(from));
  return root;

  function take(tag: string, isEnd: boolean, attributes: string): void {
    if (unseen !== null) {
      if (isEnd && tag === unseen) unseen = null;
    } else if (UNSEEN.test(tag)) unseen = isEnd ? null : tag;
    else if (isEnd) close(tag);
    else if (tag === "img") place().push(`[${attribute(attributes, "alt") || "image"}]`);
    else if (KNOWN.has(tag)) begin(tag, attributes);
  }
  function begin(tag: string, attributes: string): void {
    const href = tag === "a" ? linkIn(attributes) : undefined;
    const node = { tag, ...(href === undefined ? {} : { href }), children: [] };
    place().push(node);
    if (!VOID.has(tag) && open.length < DEEPEST) open.push(node);
  }
  function close(tag: string): void {
    const at = open.findLastIndex((each) => each.tag === tag);
    if (at >= 0) open.length = at;
  }
}

/** A link to somewhere: the web or a mailbox, and never script. */
function linkIn(attributes: string): string | undefined {
  const href = attribute(attributes, "href").trim();
  return /^(https?:\/\/|mailto:)/i.test(href) ? href : undefined;
}

function attribute(attributes: string, name: string): string {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*("[^"]*"|'[^']*'|[^\\s"'>]+)`, "i").exec(
    attributes,
  );
  return decoded(found?.[1]!.replace(/^["']|["']$/g, "") ?? "");
}

const NAMED: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
