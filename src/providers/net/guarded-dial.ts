import type { Dns } from "#src/providers/dns/index.ts";
import type { Dial } from "#src/providers/mail/index.ts";
import type { OutboundRules } from "#src/platform/public-host.ts";
import { admitHost, HostRefused } from "./index.ts";

interface DialRules extends OutboundRules {
  /** At the hosts that tenants name. */
  ports: readonly number[];
  /** The operator's own: its port is the operator's word. */
  ownRelay?: { host: string; port: number } | undefined;
}

/**
 * A `Dial` that connects to public hosts only, at `ports` or to `ownRelay`, and to the addresses that
 * were judged. A host is looked up once: make one per tick or request. Loopback, where it is allowed,
 * may have any port.
 */
export function createGuardedDial(dial: Dial, dns: Dns, rules: DialRules): Dial {
  const admitted = new Map<string, Promise<string>>();
  return async (target, signal) => {
    const { host, port } = target;
    const known = admitted.get(host) ?? admitHost(dns, rules, host);
    admitted.set(host, known);
    const address = await known;
    const isHere = rules.loopback && /^(127\.|::1$)/.test(address);
    const isOwn = host === rules.ownRelay?.host && port === rules.ownRelay.port;
    if (!isHere && !isOwn && !rules.ports.includes(port))
      throw new HostRefused(
        `Port ${port} is none that this service connects to; it takes ${rules.ports.join(", ")}.`,
      );
    signal?.throwIfAborted();
    return dial({ ...target, address }, signal);
  };
}
