/**
 * An href the way a browser reads it (WHATWG URL, section 4.4): no spaces or controls at the ends, no
 * tabs or line breaks anywhere.
 */
export function cleanHref(value: string): string {
  // eslint-disable-next-line no-control-regex
  return value.replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, "").replace(/[\t\n\r]/g, "");
}

/** The scheme, lower case; null for a relative reference. */
export function schemeOf(href: string): string | null {
  return /^([a-z][a-z0-9+.-]*):/i.exec(cleanHref(href))?.[1]?.toLowerCase() ?? null;
}
