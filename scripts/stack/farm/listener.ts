import * as net from "node:net";
import * as tls from "node:tls";
import { runSession } from "./dialogue.ts";
import type { Rule } from "./format.ts";
import type { Stage } from "./stages.ts";
import type { NamedHost } from "./table.ts";
import type { Traffic } from "./traffic.ts";
import { createWire } from "./wire.ts";

export interface ListenerOptions {
  host: NamedHost;
  /** Where to listen; port 0 lets the system choose. */
  at: { address: string; port: number };
  secureContext(): tls.SecureContext;
  traffic: Traffic;
  /** Asked at each connection, for a fault that was ordered. */
  override(): Partial<Record<Stage, Rule[]>>;
  /** Told at a connection's end what was asked in it, and the replies. */
  note(summary: string): void;
}

export interface Listener {
  port: number;
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;
const MOST_PAIRS = 50_000;

/** One mail host on a port of its own. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const open = new Set<net.Socket>();
  const openedAt: number[] = [];
  const firstSeen = new Map<string, number>();

  function firstSeenMsAgo(pair: string): number {
    const now = Date.now();
    const since = firstSeen.get(pair) ?? now;
    firstSeen.set(pair, since);
    if (firstSeen.size > MOST_PAIRS) firstSeen.delete(firstSeen.keys().next().value!);
    return now - since;
  }

  function countOpening(): void {
    const now = Date.now();
    openedAt.push(now);
    while (openedAt[0]! <= now - MINUTE_MS) openedAt.shift();
  }

  const server = net.createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    countOpening();
    options.traffic.opened(options.host.name);
    socket.once("close", () => {
      open.delete(socket);
      options.traffic.closed(options.host.name);
    });
    const counts = { open: open.size, openedInAMinute: openedAt.length };
    serve(socket, options, { counts: () => counts, firstSeenMsAgo });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.at.port, options.at.address, resolve);
  });
  return {
    port: (server.address() as net.AddressInfo).port,
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface HostMemory {
  counts(): { open: number; openedInAMinute: number };
  firstSeenMsAgo(pair: string): number;
}

function serve(plain: net.Socket, options: ListenerOptions, memory: HostMemory): void {
  const { host, traffic } = options;
  const ended = new AbortController();
  const heard: string[] = [];
  const ip = plain.remoteAddress ?? "127.0.0.1";
  const wire = createWire(plain, ended.signal);
  // A client that breaks off is its own business; the close that follows cleans up.
  plain.on("error", () => {});
  plain.once("close", () => {
    ended.abort(new Error("the connection ended"));
    options.note([host.name, ...heard].join(" "));
  });
  runSession({
    host,
    wire,
    ip,
    counts: memory.counts,
    firstSeenMsAgo: (from, to) => memory.firstSeenMsAgo(`${ip} ${from} ${to}`),
    startTls() {
      const secured = secure(plain, options.secureContext());
      wire.move(secured);
      return handshake(secured);
    },
    override: options.override(),
    heardRecipient(to, reply) {
      heard.push(`<${to}> ${reply.slice(0, 3)}`);
      traffic.recipient(host.name, reply.startsWith("2"));
    },
  }).catch(() => plain.destroy());
}

function secure(plain: net.Socket, secureContext: tls.SecureContext): tls.TLSSocket {
  const secured = new tls.TLSSocket(plain, { isServer: true, secureContext });
  secured.on("error", () => plain.destroy());
  return secured;
}

function handshake(secured: tls.TLSSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    secured.once("secure", resolve);
    secured.once("close", () => reject(new Error("the handshake failed")));
  });
}
