import { escapeHtml } from "./escape-html.ts";
import { readHtml } from "./read-html.ts";
import { cleanHref, schemeOf } from "./url-scheme.ts";

const words = (text: string) => new Set(text.split(" "));

const TAGS = words(
  "html head body title style meta a abbr address area article b bdi bdo big blockquote br caption center cite code " +
    "col colgroup dd del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins " +
    "kbd li main map mark nav ol p pre q s samp section small span strike strong sub summary sup table tbody td tfoot " +
    "th thead time tr tt u ul var wbr",
);
/** Dropped with all they hold; other tags outside TAGS are dropped and their content kept. */
const DROPPED_WHOLE = words(
  "script iframe object embed applet svg math template noscript select textarea frameset noembed noframes xmp audio video canvas",
);
const GLOBAL_ATTRIBUTES = words(
  "style class id title dir lang align valign width height bgcolor color border role data-no-track",
);
const ATTRIBUTES: Readonly<Record<string, ReadonlySet<string>>> = {
  a: words("href target rel name"),
  area: words("href target rel shape coords alt"),
  img: words("src alt hspace vspace usemap"),
  map: words("name"),
  meta: words("charset name content"),
  table: words("cellpadding cellspacing summary background"),
  td: words("colspan rowspan nowrap background headers scope"),
  th: words("colspan rowspan nowrap background headers scope"),
  col: words("span"),
  colgroup: words("span"),
  ol: words("start type reversed"),
  ul: words("type"),
  li: words("value type"),
  font: words("face size"),
  style: words("type media"),
  body: words("background link vlink alink text"),
  html: words("xmlns"),
  time: words("datetime"),
  q: words("cite"),
  blockquote: words("cite type"),
};
const URL_ATTRIBUTES = words("href src background cite usemap");
const LINK_SCHEMES = words("http https mailto tel sms");
const IMAGE_SCHEMES = words("http https cid");

/**
 * Mail-safe HTML by allow-list: no scripts, event handlers, forms, frames, comments (conditional ones
 * included) or script URLs. What needs no change keeps its bytes, and the result, sanitised again, is
 * itself. Ends where a page is too deep. Never throws.
 */
export const sanitizeHtml = (html: string): string => sanitizePage(html).html;

/** The same, and whether that is the whole page. */
export function sanitizePage(html: string): { html: string; isWhole: boolean } {
  let out = "";
  let droppedIn: string | null = null;
  let droppedDepth = 0;
  let inStyle = false;

  const isWhole = readHtml(html, (place) => ({
    onopentag(name, attributes, isImplied) {
      if (droppedIn !== null) {
        if (name === droppedIn) droppedDepth++;
        return;
      }
      if (DROPPED_WHOLE.has(name)) {
        droppedIn = name;
        droppedDepth = 1;
        return;
      }
      if (!TAGS.has(name)) return;
      if (name === "style") inStyle = true;
      const source = isImplied ? "" : html.slice(place.start, place.end + 1);
      out += openTag(name, attributes, source);
    },
    onclosetag(name, isImplied) {
      if (droppedIn !== null) {
        if (name === droppedIn && --droppedDepth === 0) droppedIn = null;
        return;
      }
      if (name === "style") inStyle = false;
      if (isImplied || !TAGS.has(name) || VOID.has(name)) return;
      const source = html.slice(place.start, place.end + 1);
      out += /^<\/[a-z0-9]+>$/i.test(source) ? source : `</${name}>`;
    },
    ontext(text) {
      if (droppedIn !== null) return;
      if (inStyle) {
        if (isSafeCss(text)) out += text;
        return;
      }
      const source = html.slice(place.start, place.end + 1);
      out += source.replaceAll("<", "&lt;");
    },
    onprocessinginstruction(_name, data) {
      if (droppedIn === null && /^!doctype [^<>]*$/i.test(data)) out += `<${data}>`;
    },
  }));
  return { html: out, isWhole };
}

const VOID = words("area br col hr img meta wbr");

function openTag(name: string, attributes: Record<string, string>, source: string): string {
  const all = Object.entries(attributes);
  const kept = all.filter(([attribute, value]) => isAllowed(name, attribute, value));
  const intact = kept.length === all.length && isPlainTag(source);
  if (intact) return source;
  return `<${name}${kept.map(([attribute, value]) => ` ${attribute}="${escapeHtml(value)}"`).join("")}>`;
}

/** A tag that every parser reads alike: one ">" at its end, quotes only around whole values. */
function isPlainTag(source: string): boolean {
  return /^<[a-z][a-z0-9]*(?:\s+[a-z][a-z0-9:-]*(?:=(?:"[^"<>`]*"|'[^'<>`]*'|[^\s"'<>=`]+))?)*\s*\/?>$/i.test(
    source,
  );
}

function isAllowed(tag: string, attribute: string, value: string): boolean {
  const known =
    GLOBAL_ATTRIBUTES.has(attribute) ||
    ATTRIBUTES[tag]?.has(attribute) === true ||
    /^aria-[a-z]+$/.test(attribute);
  if (!known) return false;
  if (attribute === "style") return isSafeCss(value);
  return !URL_ATTRIBUTES.has(attribute) || isSafeUrl(attribute, value);
}

function isSafeUrl(attribute: string, value: string): boolean {
  const scheme = schemeOf(value);
  // A colon before any slash that makes no scheme is something only a lenient reader understands.
  if (scheme === null) return !/^[^/?#]*:/.test(cleanHref(value));
  if (attribute === "href") return LINK_SCHEMES.has(scheme);
  return (
    IMAGE_SCHEMES.has(scheme) || /^data:image\/(png|jpe?g|gif|webp)[;,]/i.test(cleanHref(value))
  );
}

/** No way out of the style sheet, no code, no other style sheet; backslashes hide all three. */
function isSafeCss(css: string): boolean {
  return !/[<\\]|@import|expression\s*\(|javascript:|vbscript:|behavior\s*:|-moz-binding/i.test(
    css,
  );
}
