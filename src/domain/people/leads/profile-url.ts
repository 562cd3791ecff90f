const MAX_PROFILE_URL = 2000;

export interface ProfileUrl {
  /** As stored and shown: with a scheme, without query and fragment. */
  url: string;
  /** As compared: one person's page under http, https, www or a last slash is the same. */
  key: string;
}

/** Reads a profile's address, with or without its scheme; null when it is no http(s) URL of a public host. */
export function readProfileUrl(text: string): ProfileUrl | null {
  const trimmed = text.trim();
  const url = parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null || url.href.length > MAX_PROFILE_URL) return null;
  const path = url.pathname.replace(/\/+$/, "");
  if (path === "" || !url.hostname.includes(".")) return null;
  const host = url.hostname.replace(/^www\./, "");
  return { url: `${url.protocol}//${url.host}${path}`, key: `${host}${path}`.toLowerCase() };
}

/** A web address as given, with a scheme put before it if it has none; null when it is none. */
export function readWebsite(text: string): string | null {
  const trimmed = text.trim();
  const url = parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  return url === null || !url.hostname.includes(".") || url.href.length > 2000
    ? null
    : url.href.replace(/\/$/, "");
}

function parse(text: string): URL | null {
  if (/\s/.test(text)) return null;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "") return null;
  return url;
}
