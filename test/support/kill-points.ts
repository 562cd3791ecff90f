import * as http from "node:http";
import * as net from "node:net";
import { inFull } from "./full.ts";

/**
 * Stands between the Worker and what it talks to, and counts every call: an HTTP
 * request, or one turn of an SMTP conversation. Each call is two points: before it
 * takes effect, and after it has but before the Worker hears of it. At the point
 * that is armed the Worker is killed.
 */
export interface KillPoints {
  /** The address by which the Worker reaches an HTTP upstream. */
  http(name: string, upstream: string): Promise<string>;
  /** The port by which it reaches a TCP upstream on this machine. */
  tcp(name: string, port: number): Promise<number>;
  /** Counts from now on, and kills at the `target`-th point of those meant; 0 only counts. */
  arm(target: number, isMeant?: (name: string) => boolean): void;
  /** The points passed since, by name; the last is the one that killed, if one did. */
  passed(): string[];
  /** Whether the armed point was reached. */
  struck(): boolean;
  close(): Promise<void>;
}

/** Of so many points all in the full run; else a few over the whole, by an odd stride: before and after by turns. */
export function targetsAmong(count: number, few: number): number[] {
  const stride = inFull(1, Math.ceil(count / few) | 1);
  return Array.from({ length: Math.ceil(count / stride) }, (_, index) => 1 + index * stride);
}

/**
 * What goes side by side comes in another order each time: a point of `parts`, on either side of its effect, that a
 * count has missed is aimed at by its name, three times at most. What is missing even then, as "part, side".
 */
export async function aimAtMissed(
  parts: string[],
  killedAt: readonly string[],
  strike: (target: number, isMeant: (name: string) => boolean) => Promise<void>,
): Promise<string[]> {
  const missed: string[] = [];
  for (const part of parts)
    for (const side of ["before", "after"]) {
      const isMeant = (name: string): boolean => name.startsWith(part) && name.endsWith(side);
      for (let tries = 0; tries < 3 && !killedAt.some(isMeant); tries++) await strike(1, isMeant);
      if (!killedAt.some(isMeant)) missed.push(`${part}, ${side}`);
    }
  return missed;
}

export function createKillPoints(kill: () => Promise<void>): KillPoints {
  const closers: (() => void)[] = [];
  let counting = false;
  let target = 0;
  let isMeant: (name: string) => boolean = () => true;
  let names: string[] = [];
  let hasStruck = false;

  /** True when the Worker is dead now, and must hear nothing more. */
  async function pass(name: string): Promise<boolean> {
    if (hasStruck) return true;
    if (!counting || !isMeant(name)) return false;
    names.push(name);
    if (names.length !== target) return false;
    hasStruck = true;
    await kill();
    return true;
  }

  return {
    async http(name, upstream) {
      const { hostname, port, pathname } = new URL(upstream);
      const base = pathname === "/" ? "" : pathname;
      const server = http.createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const call = `${name} ${request.method} ${base}${request.url}`;
        if (await pass(`${call}, before`)) return void request.socket.destroy();
        const onward = http.request(
          {
            hostname,
            port,
            path: base + request.url,
            method: request.method,
            headers: request.headers,
          },
          async (answer) => {
            const body: Buffer[] = [];
            for await (const chunk of answer) body.push(chunk as Buffer);
            if (await pass(`${call}, after`)) return void request.socket.destroy();
            response.writeHead(answer.statusCode!, answer.headers);
            response.end(Buffer.concat(body));
          },
        );
        onward.on("error", () => request.socket.destroy());
        onward.end(Buffer.concat(chunks));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      closers.push(() => {
        server.closeAllConnections();
        server.close();
      });
      return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
    },

    async tcp(name, port) {
      const sockets = new Set<net.Socket>();
      const server = net.createServer((client) => {
        const upstream = net.connect(port, "127.0.0.1");
        for (const socket of [client, upstream]) {
          sockets.add(socket);
          socket.on("error", () => {});
          socket.on("close", () => sockets.delete(socket));
        }
        const end = () => {
          client.destroy();
          upstream.destroy();
        };
        relay(client, upstream, `${name} says, before`, end);
        relay(upstream, client, `${name} is answered, after`, end);
      });
      const relay = (from: net.Socket, to: net.Socket, point: string, end: () => void) => {
        let turn = Promise.resolve();
        from.on("data", (chunk) => {
          turn = turn.then(async () => {
            if (await pass(point)) end();
            else to.write(chunk);
          });
        });
        from.on("end", () => void turn.then(() => to.end()));
      };
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      closers.push(() => {
        for (const socket of sockets) socket.destroy();
        server.close();
      });
      return (server.address() as net.AddressInfo).port;
    },

    arm(at, of = () => true) {
      counting = true;
      target = at;
      isMeant = of;
      names = [];
      hasStruck = false;
    },
    passed: () => [...names],
    struck: () => hasStruck,
    async close() {
      for (const close of closers) close();
    },
  };
}
