/** Addresses of a text, each in the form in which it is compared. */
export interface Addresses {
  /** Host and path, without scheme, `www.` and a last slash. */
  links: string[];
  emails: string[];
  /** `@name`, as networks call their members. */
  handles: string[];
}

/** Names of a file or a library end like these, and no host does. */
const NO_TLD = new Set(
  "js jsx tsx mjs pdf csv doc docx xls xlsx ppt pptx png jpg jpeg gif svg txt json xml html htm css scss cpp yml yaml exe".split(
    " ",
  ),
);
/** Behind a full stop that lacks its space, these begin a sentence; without `one`, `now`, `you` and `how`, where hosts are. */
const BEGINNINGS = new Set(
  (
    "the this that these those they there then we our your and but she has have for with from what when where who why can could " +
    "would should does did let please thanks not all any yes also der die das wir sie und aber les des nous vous los las"
  ).split(" "),
);
/** Written as one word, they are products and no addresses. */
const PRODUCTS = new Set(["asp.net", "ado.net", "vb.net"]);

const AROUND = /^[.,;:!?'"*_~`/-]+|[.,;:!?'"*_~`-]+$/g;
const LONGEST = 2_100;

/**
 * Every address in a text, however it is disguised: without a scheme, in full-width letters, as `hxxp`, `evil[.]com` or
 * "evil dot com". One pass over the text and one over each word.
 */
export function addressesIn(text: string): Addresses {
  const found: Addresses = { links: [], emails: [], handles: [] };
  const rest = takeUrls(undisguised(text), found.links);
  for (const raw of rest.split(/[\s<>()[\]{}"“”„«»|,;:=!*`\\]+/)) {
    const token = raw.slice(0, LONGEST).replace(AROUND, "");
    const at = token.lastIndexOf("@");
    if (at > 0) found.emails.push(token.toLowerCase());
    else if (at === 0 && token.length > 2) found.handles.push(token.toLowerCase());
    else if (token.split("/").some((part) => isHostLike(part, /[/?#]/.test(token))))
      found.links.push(linkKey(token));
  }
  return found;
}

const DOT = "(?:dot|\\.)";
const disguises: [RegExp, string][] = [
  [/\s+/g, " "],
  [/h(?:xx|\*\*|tt)p(s?)\s?:\s?\/\s?\//gi, "http$1://"],
  [new RegExp(` ?[[({<] ?${DOT} ?[\\])}>] ?`, "gi"), "."],
  [/ ?[[({<] ?(?:at|@) ?[\])}>] ?/gi, "@"],
  [/ dot (?=[a-z]{2,})/gi, "."],
  [
    / (?:punkt|point|punto|ponto|period|full stop|tečka|kropka|nokta|точка) (?=(?:com|net|org|info|biz|app|dev|io|co|me|xyz|top|shop|club|site|online|store|live|link|click|page|example|de|fr|es|it|nl|pl|ru|uk|eu)\b)/gi,
    ".",
  ],
  [/(?<=[a-z0-9])[。｡․](?=[a-z0-9])/gi, "."],
  [/(?<=[a-z0-9]) \. ?(?=(?:com|net|org|info|biz|app|dev|io)\b)/gi, "."],
  [/(?<=[a-z0-9-]) \. (?=[a-z]{2,})/g, "."],
];

function undisguised(text: string): string {
  let plain = text.normalize("NFKC").replace(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, "");
  for (const [pattern, by] of disguises) plain = plain.replace(pattern, by);
  return plain;
}

/** Takes what has a scheme and two slashes, and leaves the rest. */
function takeUrls(text: string, links: string[]): string {
  const pieces = text.split(/([\s<>"“”„«»]+)/);
  return pieces
    .map((piece) => {
      const slashes = piece.indexOf("://");
      if (slashes === -1) return piece;
      const scheme = /[a-z][a-z0-9+-]{0,20}$/i.exec(
        piece.slice(Math.max(0, slashes - 21), slashes),
      );
      const from = slashes - (scheme?.[0].length ?? 0);
      links.push(linkKey(piece.slice(slashes + 3)));
      return piece.slice(0, from);
    })
    .join("");
}

/** Two spellings of one address have one key; the path keeps its capitals, which count. */
function linkKey(address: string): string {
  const bare = address.slice(0, LONGEST).replace(/[.,;:!?'"*_~`)\]}]+$/, "");
  const [, host = "", path = ""] = /^([^/?#]*)([^]*)$/.exec(bare)!;
  return host.toLowerCase().replace(/^www\./, "") + path.replace(/\/+$/, "");
}

/** The host of a key that `addressesIn` made. */
export const hostOf = (key: string): string => /^[^/?#]*/.exec(key)![0];

/** Of a part between slashes; a sentence that lacks its space has no path. */
function isHostLike(part: string, hasPath: boolean): boolean {
  const host = hostOf(part);
  const labels = host.split(".").filter((label) => label !== "");
  const [last, before] = [labels.at(-1), labels.at(-2)];
  if (last === undefined || before === undefined || PRODUCTS.has(host.toLowerCase())) return false;
  if (labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label))) return true;
  if (/^xn--/i.test(last)) return true;
  if (!/^\p{L}[\p{L}\p{M}]+$/u.test(last) || NO_TLD.has(last.toLowerCase())) return false;
  return hasPath || !(/^\p{Lu}\p{Ll}+$/u.test(last) && BEGINNINGS.has(last.toLowerCase()));
}
