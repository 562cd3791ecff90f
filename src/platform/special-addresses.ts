/** IP addresses that are no public host's, by the registries of RFC 6890. */

interface Range {
  prefix: readonly number[];
  bits: number;
  what: string;
}

const range = (cidr: string, what: string): Range => {
  const [address = "", bits] = cidr.split("/");
  return { prefix: readAddress(address)!, bits: Number(bits), what };
};

/** https://www.iana.org/assignments/iana-ipv4-special-registry, with multicast and class E. */
const IPV4 = [
  range("0.0.0.0/8", "this network (RFC 791)"),
  range("10.0.0.0/8", "a private network (RFC 1918)"),
  range("100.64.0.0/10", "a carrier's shared address space (RFC 6598)"),
  range("127.0.0.0/8", "loopback (RFC 1122)"),
  range("169.254.0.0/16", "link-local, where clouds keep their metadata (RFC 3927)"),
  range("172.16.0.0/12", "a private network (RFC 1918)"),
  range("192.0.0.0/24", "reserved for protocols (RFC 6890)"),
  range("192.0.2.0/24", "for documentation (RFC 5737)"),
  range("192.88.99.0/24", "a deprecated relay (RFC 7526)"),
  range("192.168.0.0/16", "a private network (RFC 1918)"),
  range("198.18.0.0/15", "for benchmarks (RFC 2544)"),
  range("198.51.100.0/24", "for documentation (RFC 5737)"),
  range("203.0.113.0/24", "for documentation (RFC 5737)"),
  range("224.0.0.0/4", "multicast (RFC 5771)"),
  range("240.0.0.0/4", "reserved (RFC 1112)"),
];

/** https://www.iana.org/assignments/iana-ipv6-special-registry; outside of 2000::/3 nothing is global unicast. */
const IPV6 = [
  range("::1/128", "loopback (RFC 4291)"),
  range("::ffff:0:0/96", "an IPv4 address in IPv6 (RFC 4291)"),
  range("64:ff9b::/96", "an IPv4 address in IPv6 (RFC 6052)"),
  range("64:ff9b:1::/48", "an IPv4 address in IPv6 (RFC 8215)"),
  range("fc00::/7", "a private network (RFC 4193)"),
  range("fe80::/10", "link-local (RFC 4291)"),
  range("2001::/23", "reserved for protocols (RFC 2928)"),
  range("2001:db8::/32", "for documentation (RFC 3849)"),
  range("2002::/16", "an IPv4 address in IPv6 (RFC 3056)"),
  range("3fff::/20", "for documentation (RFC 9637)"),
];
const GLOBAL_UNICAST = range("2000::/3", "");

/** The bytes of an address as the URL parser and DNS write it; null for anything else. */
export function readAddress(text: string): number[] | null {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) {
    const bytes = text.split(".").map(Number);
    return bytes.every((byte) => byte < 256) ? bytes : null;
  }
  if (!text.includes(":") || !URL.canParse(`http://[${text}]/`)) return null;
  const [head = "", tail] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const after = groups(tail ?? "");
  const before = groups(head);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}

/** The kind of a special address; null for a public host's. */
export function specialAddress(address: readonly number[]): string | null {
  const known = address.length === 4 ? IPV4 : IPV6;
  const special = known.find((each) => isWithin(address, each));
  if (special !== undefined) return special.what;
  return address.length === 4 || isWithin(address, GLOBAL_UNICAST) ? null : "reserved (RFC 4291)";
}

export const isLoopback = (address: readonly number[]): boolean =>
  specialAddress(address)?.startsWith("loopback") === true;

function isWithin(address: readonly number[], { prefix, bits }: Range): boolean {
  return prefix.every((byte, at) => {
    const kept = Math.max(0, Math.min(8, bits - 8 * at));
    const mask = (0xff << (8 - kept)) & 0xff;
    return (byte & mask) === (address[at]! & mask);
  });
}
