import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import { createLocalCertificate } from "./certificate.ts";
import type { DialPorts } from "./dial-ports.ts";
import type { Rule } from "./farm/format.ts";
import { startListener } from "./farm/listener.ts";
import type { Stage } from "./farm/stages.ts";
import { farmNames, type KnownNames } from "./farm/names.ts";
import { type FarmTable, readFarm } from "./farm/table.ts";
import { createTraffic, type Traffic } from "./farm/traffic.ts";
import { createCallLog, createFaults, type Part } from "./part.ts";

/** Mail hosts with the behaviours of real ones, each on a port of its own. */
export interface Farm extends Part {
  /** Where to dial each host, by its name and its aliases. */
  ports: DialPorts;
  /** PEM of the authority behind the hosts' certificates. */
  ca: string;
  traffic: Traffic;
  /** What DNS is to know of its domains and hosts. */
  names: KnownNames;
}

export interface FarmOptions {
  /** The repository's own, if absent. */
  table?: FarmTable;
  /** Of the farm's own pages. */
  port?: number;
  /** Where each host is to listen; by default on 127.0.0.1 at any port. */
  at?: (host: string) => { address: string; port: number };
}

/** Nothing listens on it: the port of tcpmux, of old and of no use. */
const REFUSING_PORT = 1;

const KNOWN = {
  reset: "the next connection is reset before a greeting",
  hang: "the next connection is never greeted",
  busy: "the next connection is greeted 421 and closed",
  block: "the next connection has every recipient refused by policy, 554 5.7.1",
  temporary: "the next connection has every recipient refused for now, 451 4.3.0",
  accept: "the next connection has every recipient accepted",
  slow: "the next connection waits 3 s before its greeting",
};

const OVERRIDES: Record<keyof typeof KNOWN, Partial<Record<Stage, Rule[]>>> = {
  reset: { banner: [{ end: "reset" }] },
  hang: { banner: [{ end: "hang" }] },
  busy: { banner: [{ say: "421 4.3.2 {host} Too busy, try again later", end: "close" }] },
  block: { rcpt: [{ say: "554 5.7.1 Service unavailable; client [{ip}] blocked" }] },
  temporary: { rcpt: [{ say: "451 4.3.0 Temporary lookup failure" }] },
  accept: { rcpt: [{ say: "250 2.1.5 Ok" }] },
  slow: { banner: [{ say: "220 {host} ESMTP", after_ms: 3000 }] },
};

/** What was asked of it: GET /traffic (DELETE forgets it), GET /addresses with what is true of each. */
export async function startFarm({
  table = readFarm(),
  port = 0,
  at = () => ({ address: "127.0.0.1", port: 0 }),
}: FarmOptions = {}): Promise<Farm> {
  const log = createCallLog();
  const faults = createFaults(KNOWN);
  const traffic = createTraffic();
  const certificate = createLocalCertificate(table.hosts.map(({ name }) => name));
  let context: SecureContext | undefined;

  const listening = table.hosts.filter(({ connect }) => connect === undefined);
  const listeners = await Promise.all(
    listening.map((host) =>
      startListener({
        host,
        at: at(host.name),
        secureContext: () => (context ??= createSecureContext(certificate)),
        traffic,
        override: () => orderedOverride(faults),
        note: (summary) => log.add(summary),
      }),
    ),
  );
  const portOf = new Map(listening.map(({ name }, index) => [name, listeners[index]!.port]));
  const ports = Object.fromEntries(
    table.hosts.flatMap(({ name, aliases }) =>
      [name, ...aliases].map((each) => [each, portOf.get(name) ?? REFUSING_PORT]),
    ),
  );
  const pages = await servePages(port, { traffic, table });
  return {
    name: "farm",
    url: pages.url,
    ports,
    ca: certificate.ca,
    traffic,
    names: farmNames(table, (host) => at(host).address),
    faults,
    log,
    async close() {
      await Promise.all([pages, ...listeners].map((each) => each.close()));
    },
  };
}

function orderedOverride(faults: Part["faults"]): Partial<Record<Stage, Rule[]>> {
  const ordered = Object.entries(OVERRIDES).find(([fault]) => faults.take(fault));
  return ordered?.[1] ?? {};
}

async function servePages(
  port: number,
  { traffic, table }: { traffic: Traffic; table: FarmTable },
) {
  const pages: Record<string, () => unknown> = {
    "GET /addresses": () => table.expectations,
    "GET /traffic": () => traffic.operators(),
    "DELETE /traffic": () => traffic.clear(),
  };
  const server = createServer((request, response) => {
    const url = URL.parse(`http://${request.headers.host ?? ""}${request.url ?? "/"}`);
    const isHere = url !== null && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
    const isFromPage = request.headers.origin !== undefined;
    const page = isHere && !isFromPage ? pages[`${request.method} ${url.pathname}`] : undefined;
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(page?.() ?? { pages: Object.keys(pages) }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
