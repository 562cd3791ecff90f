import { isLoopback, readAddress, specialAddress } from "./special-addresses.ts";

/** The rules for hosts that tenants name. */
export interface OutboundRules {
  /** This machine too: for the local stack and tests. */
  loopback: boolean;
}

/**
 * Endings that no public name has: RFC 6761 and its registry of special-use names, RFC 6762 and 9476,
 * ICANN's `internal`, and what routers, clusters and offices use in their stead. Metadata services
 * have names under `internal`.
 */
const PRIVATE_ENDINGS =
  /(^|\.)(local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|arpa|onion|alt|test|invalid|example|svc|consul)$/;
/** With underscores anywhere (RFC 2181 section 11): proxies name mail hosts `_dc-mx.5f1a2b3c4d5e.acme.com`. */
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** A name in lower case that the public DNS does not know, now or ever. */
export const isPrivateName = (name: string): boolean =>
  PRIVATE_ENDINGS.test(name) || /(^|\.)localhost$/.test(name);

/** A host as a user wrote it, understood as a browser would. */
export type Host =
  /** `why` says in words why the service never connects to it. */
  | { kind: "refused"; why: string; isLoopback: boolean }
  | { kind: "address"; address: string }
  | { kind: "name"; name: string };

/**
 * Whether a host that a tenant names may be a public one: addresses in any spelling (octal,
 * hexadecimal, short, IPv6 with IPv4 inside, zones) and names. What a name leads to is another matter:
 * see `admitHost`.
 */
export function readHost(text: string): Host {
  const host = canonical(text);
  if (host === null) return refused(`${shown(text)} is no host name.`);
  const address = readAddress(host);
  if (address !== null) return readLiteral(host, address);
  if (/(^|\.)localhost$/.test(host))
    return refused(`${shown(text)} is the machine itself (RFC 6761).`, true);
  if (!host.includes("."))
    return refused(`${shown(text)} has no dot: only a private network knows such names.`);
  if (isPrivateName(host))
    return refused(`${shown(text)} is a name that only a private network knows.`);
  const labels = host.split(".");
  const isName = host.length <= 253 && labels.every((label) => LABEL.test(label));
  return isName ? { kind: "name", name: host } : refused(`${shown(text)} is no host name.`);
}

/** Why a host may not be named, in words; null when it may, as far as the text tells. */
export function hostFault(text: string, { loopback }: OutboundRules): string | null {
  const host = readHost(text);
  return host.kind !== "refused" || (loopback && host.isLoopback) ? null : host.why;
}

function readLiteral(host: string, address: number[]): Host {
  const special = specialAddress(address);
  if (special === null) return { kind: "address", address: host };
  return refused(`${host} is ${special}.`, isLoopback(address));
}

const refused = (why: string, loopback = false): Host => ({
  kind: "refused",
  why,
  isLoopback: loopback,
});

/** The URL parser is the one reader of all spellings that both runtimes carry. */
function canonical(text: string): string | null {
  if (text.length > 255 || !/^[\p{L}\p{N}.:[\]_-]+$/u.test(text)) return null;
  const bare = text.replace(/\.$/, "");
  const isIpv6 = bare.includes(":") && !bare.startsWith("[");
  const url = URL.parse(`http://${isIpv6 ? `[${bare}]` : bare}/`);
  if (url === null || url.port !== "" || (!isIpv6 && /[^\]]:\d*$/.test(bare))) return null;
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

const shown = (text: string) => text.slice(0, 100);
