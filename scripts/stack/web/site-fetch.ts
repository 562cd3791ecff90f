/** Host name to port of this machine. */
export type SitePorts = Readonly<Record<string, number>>;

/** Which site is meant: a fetch writes the Host header itself. */
export const SITE_HEADER = "x-forwarded-host";

/** Fetches these hosts here, each at its port, with or without TLS; all others as they are. */
export function fetchAtSites(
  fetch: typeof globalThis.fetch,
  ports: SitePorts,
): typeof globalThis.fetch {
  return (input, init) => {
    const url = typeof input === "string" ? URL.parse(input) : null;
    const host = url?.hostname.toLowerCase() ?? "";
    if (url === null || !Object.hasOwn(ports, host)) return fetch(input, init);
    const headers = new Headers(init?.headers);
    headers.set(SITE_HEADER, host);
    return fetch(`http://127.0.0.1:${ports[host]!}${url.pathname}${url.search}`, {
      ...init,
      headers,
    });
  };
}
