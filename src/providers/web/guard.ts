import { readHost } from "#src/platform/public-host.ts";

/**
 * Why a URL may not be visited, in words; null when it may, as far as its text tells. Stricter than
 * for a tenant's own mail host: a company's website has a name, a scheme's own port and no login,
 * and is never this machine, whatever the deployment allows for relays.
 */
export function urlFault(url: URL, ownHosts: ReadonlySet<string>): string | null {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return `${url.protocol} is no website.`;
  if (url.username !== "" || url.password !== "") return "A website's address has no user name.";
  // The scheme's own port is "" to the URL parser.
  if (url.port !== "" && url.port !== "80" && url.port !== "443")
    return `Port ${url.port} is no website's.`;
  const host = readHost(url.hostname);
  if (host.kind === "refused") return host.why;
  if (host.kind === "address") return `${host.address} is an address, and no website's name.`;
  if (ownHosts.has(host.name)) return `${host.name} is this service itself.`;
  return null;
}
