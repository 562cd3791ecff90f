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

const TOKEN =
  /<!--[^]*?(?:-->|$)|<(\/?)([a-z][a-z0-9-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>|<[!?][^>]*>/gi;

export function htmlNodes(html: string): HtmlNode[] {
  const root: HtmlNode[] = [];
  const open: { tag: string; children: HtmlNode[] }[] = [];
  let unseen: string | null = null;
  let from = 0;
  const place = () => open.at(-1)?.children ?? root;
  const write = (text: string) => {
    if (text !== "" && unseen === null) place().push(decoded(text));
  };
  for (const match of html.matchAll(TOKEN)) {
    write(html.slice(from, match.index));
    from = match.index + match[0].length;
    const tag = match[2]?.toLowerCase();
    if (tag === undefined) continue;
    const isEnd = match[1] === "/";
    if (unseen !== null) {
      if (isEnd && tag === unseen) unseen = null;
    } else if (UNSEEN.test(tag)) unseen = isEnd ? null : tag;
    else if (isEnd) close(tag);
    else if (tag === "img") place().push(`[${attribute(match[3]!, "alt") || "image"}]`);
    else if (KNOWN.has(tag)) begin(tag, match[3]!);
  }
  write(html.slice(from));
  return root;

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
