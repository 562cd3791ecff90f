import type { PageLink } from "./read-page.ts";

/** What is read of a site besides its front page, three pages at most, by the words of a link's path or text, in the tongues of most sites. */
const KINDS: readonly RegExp[] = [
  /^(about|about-us|aboutus|company|who-we-are|our-story|story|team|ueber-uns|uber-uns|über-uns|unternehmen|a-propos|qui-sommes-nous|entreprise|sobre|sobre-nosotros|quienes-somos|nosotros|chi-siamo|azienda|over-ons|om-oss|om-os|o-nas|empresa|quem-somos)$/,
  /^(news|blog|press|newsroom|stories|insights|aktuelles|neuigkeiten|presse|actualites|actualités|noticias|notizie|nieuws|nyheter|aktualnosci|aktualności)$/,
  /^(careers|career|jobs|join-us|work-with-us|karriere|stellenangebote|carrieres|carrières|recrutement|empleo|trabaja-con-nosotros|lavora-con-noi|vacatures|jobb|praca|kariera|carreiras)$/,
];
/** Longer addresses are articles, and dear to hold against the rules of a robots.txt. */
const MAX_PATH = 100;

/** At most one page of each kind, of the very site; without the query, which may hold tracking ids. */
export function choosePages(front: string, links: readonly PageLink[]): string[] {
  const site = new URL(front);
  const candidates = links.flatMap(({ href, text }) => {
    const url = URL.parse(href, front);
    if (url === null || !isSameSite(url, site)) return [];
    url.search = "";
    url.hash = "";
    const isFront = url.pathname === site.pathname;
    return isFront || url.pathname.length > MAX_PATH
      ? []
      : [{ url: url.href, words: namesOf(url, text) }];
  });
  const chosen = KINDS.flatMap(
    (kind) => candidates.find(({ words }) => words.some((word) => kind.test(word)))?.url ?? [],
  );
  return [...new Set(chosen)];
}

/** The last part of the path without its ending, and the text, both as slugs. */
function namesOf(url: URL, text: string): string[] {
  const last = url.pathname.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return [decoded(last).replace(/\.(html?|php|aspx?)$/, ""), text.replace(/\s+/g, "-")].map(
    (name) => name.toLowerCase().slice(0, 60),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const isSameSite = (one: URL, other: URL): boolean => bare(one) === bare(other);

const bare = ({ protocol, hostname, port }: URL) =>
  `${protocol.replace("https", "http")}//${hostname.replace(/^www\./, "")}:${port}`;
