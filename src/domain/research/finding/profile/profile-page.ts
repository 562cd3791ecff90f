/** Where public profiles are: people have their page under `/in/` there. */
export const PROFILE_SITE = "linkedin.com";

export interface ProfilePage {
  /** As it is answered: always with `www`. */
  url: string;
  /** Decoded and in lower case; the same page has one. */
  slug: string;
  /** Of the subdomain, ISO 3166-1 alpha-2 in upper case. A hint: `www` says nothing. */
  country: string | null;
}

const MAX_SLUG = 200;

/** Null for what is no person's page: companies, posts, directories, other sites and names that only look like this one. */
export function readProfilePage(address: string): ProfilePage | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const host = url.hostname.toLowerCase();
  if (host !== PROFILE_SITE && !host.endsWith(`.${PROFILE_SITE}`)) return null;
  const slug = decoded(/^\/in\/([^/]+)(\/|$)/i.exec(url.pathname)?.[1] ?? "");
  if (slug === "" || slug.length > MAX_SLUG || /[\s/?#\\]/.test(slug)) return null;
  return {
    url: `https://www.${PROFILE_SITE}/in/${encodeURIComponent(slug)}`,
    slug,
    country: countryOf(host),
  };
}

function countryOf(host: string): string | null {
  const label = host.slice(0, -PROFILE_SITE.length - 1);
  if (!/^[a-z]{2}$/.test(label)) return null;
  return label === "uk" ? "GB" : label.toUpperCase();
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).normalize("NFC").toLowerCase();
  } catch {
    return "";
  }
}
