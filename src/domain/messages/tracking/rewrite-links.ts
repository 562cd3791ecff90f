import { compileClickPatterns } from "./click-patterns.ts";
import { escapeHtml } from "#src/mime/escape-html.ts";
import { MAX_LINK_INDEX, MAX_TRACKED_URL } from "./track-token.ts";
import { type HtmlListener, readHtml } from "#src/mime/read-html.ts";
import { cleanHref, schemeOf } from "#src/mime/url-scheme.ts";

export interface LinkRules {
  /** `click_tracking_patterns`; empty = every http(s) link. */
  patterns: readonly string[];
  /** The service's own URLs, which are never tracked: unsubscribe links, links tracked already. */
  ownPrefixes: readonly string[];
}

export interface TrackedLink {
  index: number;
  url: string;
}

interface LinkSpot extends TrackedLink {
  /** Where the value of the href stands in the HTML, quotes excluded. */
  start: number;
  end: number;
  quoted: boolean;
}

interface OpenLink {
  spot: Omit<LinkSpot, "index"> | null;
  text: string;
}

/**
 * The HTML with `address(link)` in place of each trackable href, and the table of those links. Every
 * byte outside the replaced values stays as it was. Listeners `beside` read the page in the same pass.
 */
export async function rewriteLinks(
  html: string,
  rules: LinkRules,
  address: (link: TrackedLink) => Promise<string>,
  ...beside: HtmlListener[]
): Promise<{ html: string; links: TrackedLink[] }> {
  const spots = findTrackableLinks(html, rules, beside);
  const links = spots.map(({ index, url }) => ({ index, url }));
  const addresses = await Promise.all(links.map(address));
  return { html: replaceLinks(html, spots, addresses), links };
}

/**
 * The links whose clicks are to be tracked, in document order, at most 256. Only `a` and `area`, only
 * http and https. Left alone: `data-no-track`, unresolved `{{`, URLs over 1,500 characters, exempt
 * addresses, what the patterns exclude, and links whose visible text is a URL of another host (they
 * look like phishing already). Comments are never looked into.
 */
function findTrackableLinks(
  html: string,
  rules: LinkRules,
  beside: readonly HtmlListener[],
): LinkSpot[] {
  const wanted = compileClickPatterns(rules.patterns);
  const spots: LinkSpot[] = [];
  const open: OpenLink[] = [];
  let href: { start: number; end: number; quoted: boolean } | null = null;

  const keep = (spot: OpenLink["spot"]) => {
    if (spot && spots.length <= MAX_LINK_INDEX) spots.push({ ...spot, index: spots.length });
  };
  const listen: HtmlListener = (place) => ({
    onopentagname() {
      href = null;
    },
    onattribute(name, _value, quote) {
      // Of several attributes of one name, readers take the first.
      if (name !== "href" || quote === undefined || href !== null) return;
      const source = html.slice(place.start, place.end);
      const lead = /^[^=]+=\s*["']?/.exec(source)?.[0].length ?? 0;
      const quoted = quote !== null;
      href = { start: place.start + lead, end: place.end - (quoted ? 1 : 0), quoted };
    },
    onopentag(name, attributes) {
      if (name !== "a" && name !== "area") return;
      const url = href && trackableUrl(attributes, rules, wanted);
      const spot = href && url !== null ? { ...href, url } : null;
      if (name === "area") keep(spot);
      else open.push({ spot, text: "" });
    },
    ontext(text) {
      const link = open.at(-1);
      if (link && link.text.length < 200) link.text += text;
    },
    onclosetag(name) {
      if (name !== "a") return;
      const link = open.pop();
      if (link && !(link.spot && namesAnotherHost(link.text, link.spot.url))) keep(link.spot);
    },
  });
  readHtml(html, listen, ...beside);
  return spots.toSorted((a, b) => a.start - b.start).map((spot, index) => ({ ...spot, index }));
}

function replaceLinks(
  html: string,
  spots: readonly LinkSpot[],
  addresses: readonly string[],
): string {
  let out = "";
  let at = 0;
  for (const { start, end, quoted, index } of spots) {
    const value = escapeHtml(addresses[index]!);
    out += html.slice(at, start) + (quoted ? value : `"${value}"`);
    at = end;
  }
  return out + html.slice(at);
}

function trackableUrl(
  attributes: Record<string, string>,
  rules: LinkRules,
  wanted: (url: URL) => boolean,
): string | null {
  if ("data-no-track" in attributes) return null;
  const href = cleanHref(attributes["href"] ?? "");
  const scheme = schemeOf(href);
  if ((scheme !== "http" && scheme !== "https") || href.length > MAX_TRACKED_URL) return null;
  if (/\{\{|\{%/.test(href) || !URL.canParse(href)) return null;
  const url = new URL(href);
  if (rules.ownPrefixes.some((prefix) => url.href.startsWith(prefix) || href.startsWith(prefix)))
    return null;
  if (url.hostname === "" || !wanted(url)) return null;
  // `https:acme.com` is a link for browsers; the token holds the address they would go to.
  return /^https?:\/\//i.test(href) ? href : url.href;
}

/** `www.` makes no other host. */
function namesAnotherHost(text: string, href: string): boolean {
  const shown =
    /^\s*(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?::\d+)?(?:[/?#]\S*)?\s*$/iu.exec(text);
  if (!shown) return false;
  const bare = (host: string) => host.toLowerCase().replace(/^www\./, "");
  const base = `http://${shown[1]}/`;
  return !URL.canParse(base) || bare(new URL(base).hostname) !== bare(new URL(href).hostname);
}
