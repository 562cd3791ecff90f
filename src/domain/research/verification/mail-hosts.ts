import type { Deps } from "#src/deps.ts";
import { admitHost, HostNotFound, HostRefused } from "#src/providers/net/index.ts";
import { MAX_HOSTS } from "#src/providers/probe/index.ts";
import { operatorOf } from "./operator.ts";
import type { Reason } from "./outcome.ts";

export type MailHosts =
  /** By name, in the order in which to try them. */
  | { kind: "hosts"; hosts: string[] }
  | { kind: "none"; reason: Extract<Reason, "null_mx" | "no_mail_host" | "dns_failed"> };

interface Exchanger {
  preference: number;
  host: string;
}

/** Where a domain takes mail (RFC 5321 section 5.1, RFC 7505). What DNS does not say is never "nowhere". */
export async function findMailHosts(
  { dns, ids }: Pick<Deps, "dns" | "ids">,
  domain: string,
): Promise<MailHosts> {
  const found = await dns.lookup(domain, "MX");
  if (found.kind === "error") return { kind: "none", reason: "dns_failed" };
  if (found.kind === "no_name") return { kind: "none", reason: "no_mail_host" };
  if (found.kind === "no_data") return implicitHost(dns, domain);
  const exchangers = found.records.map(readExchanger);
  const named = exchangers.filter(({ host }) => host !== "");
  if (named.length === 0) return { kind: "none", reason: "null_mx" };
  return { kind: "hosts", hosts: ordered(named, () => ids.secret(4)) };
}

/** Without MX the domain's own address is its mail host. */
async function implicitHost(dns: Deps["dns"], domain: string): Promise<MailHosts> {
  const found = await dns.addresses(domain);
  if (found.kind === "records") return { kind: "hosts", hosts: [domain] };
  return { kind: "none", reason: found.kind === "error" ? "dns_failed" : "no_mail_host" };
}

/** Hosts that are looked up at most before one has an address. */
const MOST_LOOKED_UP = 12;

/**
 * What of `findMailHosts` to ask: hosts of the one operator in whose turn they are dialled, since any domain can name
 * another's behind its own, or its own behind another's. Where that, or the number that is tried, leaves some out,
 * those are passed over that DNS is sure lead nowhere: "no mail host" would be refused for good while the last one lives.
 */
export async function hostsToAsk({ dns }: Pick<Deps, "dns">, found: MailHosts): Promise<MailHosts> {
  if (found.kind === "none") return found;
  const { hosts } = found;
  const ofSameAs = (one: string) => (each: string) => operatorOf(each).key === operatorOf(one).key;
  if (hosts.length <= MAX_HOSTS && hosts.every(ofSameAs(hosts[0]!))) return found;
  let isSure = hosts.length <= MOST_LOOKED_UP;
  for (const [at, host] of hosts.slice(0, MOST_LOOKED_UP).entries()) {
    const stand = await standOf(dns, host);
    if (stand === "silent") isSure = false;
    if (stand === "there") return { kind: "hosts", hosts: hosts.slice(at).filter(ofSameAs(host)) };
  }
  return { kind: "none", reason: isSure ? "no_mail_host" : "dns_failed" };
}

/** As the probe will find it. */
const standOf = (dns: Deps["dns"], host: string): Promise<"there" | "nowhere" | "silent"> =>
  admitHost(dns, { loopback: false }, host).then(
    () => "there",
    (error: unknown) => {
      if (error instanceof HostNotFound) return "nowhere";
      return error instanceof HostRefused ? "there" : "silent";
    },
  );

/** `<preference> <host>`; the host of a null MX is the root, of which nothing is left. */
function readExchanger(record: string): Exchanger {
  const [preference = "", host = ""] = record.trim().split(" ");
  return { preference: Number(preference), host: host.replace(/\.$/, "") };
}

/** Those of one preference in an order of chance, so that no host of theirs has all of it. */
export function ordered(exchangers: readonly Exchanger[], lot: () => string): string[] {
  const drawn = exchangers.map((each) => ({ ...each, lot: lot() }));
  drawn.sort((a, b) => a.preference - b.preference || (a.lot < b.lot ? -1 : 1));
  return [...new Set(drawn.map(({ host }) => host))];
}
