import type { Deps } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import { hostFault, readHost } from "#src/platform/public-host.ts";
import type { Dns, DnsAnswer } from "#src/providers/dns/index.ts";
import type { AccountReport } from "#src/providers/mail/index.ts";

/** 422 for a host or a port that no mail is handed over to; what a name leads to is judged when it is dialled. */
export function requireMailHost(
  { settings }: Deps,
  { host, port }: { host: string; port: number },
) {
  const fault = hostFault(host, { loopback: settings.allowLoopback });
  if (fault !== null)
    throw unprocessable("VALIDATION_ERROR", `transport.host must be a public mail host: ${fault}`);
  const { ports } = settings.smtp;
  if (readHost(host).kind !== "refused" && !ports.includes(port))
    throw unprocessable(
      "VALIDATION_ERROR",
      `transport.port must be one that mail is handed over at: ${ports.join(", ")}.`,
    );
}

/** Names and addresses that DNS is not asked for. */
const NOT_IN_DNS = /^(localhost|[\d.]+|\[?[\da-f:]*:[\da-f:.]*\]?)$/i;

/**
 * A report of a host that was not reached, with what DNS says of its name: a name that does not exist
 * is for the account's owner, a server that is down is not.
 */
export async function explainHost(
  dns: Dns,
  host: string,
  report: AccountReport,
): Promise<AccountReport> {
  const isOpen = !report.ok && report.stage === "connect" && report.fault !== "account";
  if (!isOpen || NOT_IN_DNS.test(host)) return report;
  const [v4, v6, alias] = await Promise.all([
    dns.lookup(host, "A"),
    dns.lookup(host, "AAAA"),
    dns.lookup(host, "CNAME"),
  ]);
  if ([v4, v6].some(({ kind }) => kind === "records"))
    return {
      ...report,
      message: `${report.message} DNS knows the name, so it is the port, a firewall or the server itself.`,
    };
  if (!isAbsent(v4) || !isAbsent(v6)) return report;
  return { ...report, message: absence(host, v4, alias), fault: "account" };
}

const isAbsent = ({ kind }: DnsAnswer) => kind === "no_name" || kind === "no_data";

function absence(host: string, address: DnsAnswer, alias: DnsAnswer): string {
  if (alias.kind === "records")
    return `${host} leads to ${alias.records[0]}, which has no address in DNS: check the spelling, or ask the provider.`;
  return address.kind === "no_name"
    ? `There is no host named ${host} in DNS: check its spelling.`
    : `${host} is in DNS and has no address there, so that no mail server can be at it: check its spelling.`;
}
