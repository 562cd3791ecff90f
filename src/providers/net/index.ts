import { isLoopback, readAddress, specialAddress } from "#src/platform/special-addresses.ts";
import { type OutboundRules, readHost } from "#src/platform/public-host.ts";
import type { Dns } from "#src/providers/dns/index.ts";

/** A tenant named a host that the service never connects to; `message` is in plain words, fit for the tenant. */
export class HostRefused extends Error {
  override readonly name = "HostRefused";
}

/** DNS knows the name, or does not, and in either case no address of it. */
export class HostNotFound extends Error {
  override readonly name = "HostNotFound";
}

/**
 * The address to connect to in the place of a host that a tenant named. The caller connects to this
 * very address: a name that leads elsewhere when it is looked up again (DNS rebinding) gains nothing.
 * One special-purpose address among several refuses the name. Throws HostRefused; any other error
 * says that DNS was no help, which may pass.
 */
export async function admitHost(dns: Dns, rules: OutboundRules, text: string): Promise<string> {
  const host = readHost(text);
  if (host.kind === "address") return host.address;
  if (host.kind === "refused") {
    if (!rules.loopback || !host.isLoopback) throw new HostRefused(host.why);
    return /localhost\.?$/i.test(text) ? "127.0.0.1" : text.replace(/^\[(.*)\]$/, "$1");
  }
  const found = await dns.addresses(host.name);
  if (found.kind === "error")
    throw new Error(`DNS did not answer for ${host.name}: ${found.reason}`);
  if (found.kind !== "records")
    throw new HostNotFound(`${host.name}: no address in DNS (ENOTFOUND)`);
  for (const address of found.records) {
    const fault = addressFault(address, rules);
    if (fault !== null)
      throw new HostRefused(
        `${host.name} leads to ${address}, which is ${fault}: this service connects to public hosts only.`,
      );
  }
  return found.records[0]!;
}

function addressFault(text: string, { loopback }: OutboundRules): string | null {
  const address = readAddress(text);
  if (address === null) return "no address";
  return loopback && isLoopback(address) ? null : specialAddress(address);
}
