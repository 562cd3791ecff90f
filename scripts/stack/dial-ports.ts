import type { Dial } from "#src/providers/mail/index.ts";

/** Host name to port of this machine. */
export type DialPorts = Readonly<Record<string, number>>;

/**
 * Dials these hosts here, each at its port, whatever address and port were asked; all others as they are. A mail
 * host's port is 25 everywhere, and this machine has that one once, if at all.
 */
export function dialAtPorts(dial: Dial, ports: DialPorts): Dial {
  return (target, signal) => {
    const host = target.host.toLowerCase();
    if (!Object.hasOwn(ports, host)) return dial(target, signal);
    return dial({ ...target, address: "127.0.0.1", port: ports[host]! }, signal);
  };
}
