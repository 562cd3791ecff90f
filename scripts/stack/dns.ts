import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  answerQuery,
  emptyReply,
  type JsonReply,
  NXDOMAIN,
  SERVFAIL,
  TYPE_NUMBERS,
} from "./dns/answer.ts";
import { plainName, readZone } from "./dns/zone-file.ts";
import { createZones, type Zones } from "./dns/zones.ts";
import type { KnownNames } from "./farm/names.ts";
import { createCallLog, createFaults, type Part } from "./part.ts";

/** DNS over HTTPS (without the S) over zone files, as two resolvers that know the same. */
export interface DnsPart extends Part {
  /** For the Worker's DNS_RESOLVER_URLS. */
  resolverUrls: [string, string];
  zones: Zones;
}

export interface DnsOptions {
  port?: number;
  /** Where zone files are kept; without it they are in memory. */
  folder?: string;
  /** Names that other parts have, known beside the zones. */
  names?: KnownNames;
}

const NO_NAMES: KnownNames = { records: [], troubles: new Map() };

const ZONE_LIMIT = 256 * 1024;
const ORIGIN = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/;

const KNOWN = {
  servfail: "a query is answered SERVFAIL",
  nxdomain: "a query is answered as if the name did not exist",
  timeout: "a query is never answered",
  unavailable: "a query is answered 503",
  garbage: "a query is answered with what is no JSON",
  second_disagrees: "the second resolver does not know the name",
};

/** Queries at /dns-query and /resolve; zone texts at /zones and /zones/<origin> (GET, PUT, DELETE). */
export async function startDns({
  port = 0,
  folder,
  names = NO_NAMES,
}: DnsOptions = {}): Promise<DnsPart> {
  const log = createCallLog();
  const faults = createFaults(KNOWN);
  const zones = createZones(folder, (line) => log.add(line));

  function resolve(url: URL, response: ServerResponse): void {
    const name = url.searchParams.get("name") ?? "";
    const type = typeOf(url.searchParams.get("type") ?? "A");
    if (name === "" || type === null) return send(response, 400, "a query has name and type");
    log.add(`${url.pathname} ${name} ${url.searchParams.get("type")}`);
    const trouble = names.troubles.get(plainName(name));
    if (faults.take("timeout") || trouble === "timeout") return;
    if (faults.take("unavailable")) return send(response, 503, "unavailable");
    if (faults.take("garbage")) return send(response, 200, "<html>no DNS here</html>");
    const isSecond = url.pathname === "/resolve";
    const isFailing = faults.take("servfail") || trouble === "servfail";
    const reply = isFailing
      ? emptyReply(SERVFAIL, name, type)
      : faults.take("nxdomain") || (isSecond && faults.take("second_disagrees"))
        ? emptyReply(NXDOMAIN, name, type)
        : answerQuery([...zones.records(), ...names.records], name, type);
    sendReply(response, reply);
  }

  async function serveZones(request: IncomingMessage, url: URL, response: ServerResponse) {
    const origin = decodeURIComponent(url.pathname.slice("/zones/".length)).toLowerCase();
    if (request.method === "GET" && origin === "")
      return send(
        response,
        200,
        JSON.stringify({ zones: zones.list(), folder: folder ?? null }, null, 2),
      );
    if (!ORIGIN.test(origin)) return send(response, 404, "no such zone");
    if (request.method === "PUT") {
      const text = await readBody(request);
      if (text === null) return send(response, 413, "the zone is too large");
      try {
        readZone(text);
      } catch (error) {
        return send(response, 422, (error as Error).message);
      }
      zones.put(origin, text);
      log.add(`PUT zone ${origin}`);
      return send(response, 200, text);
    }
    if (request.method === "DELETE")
      return zones.remove(origin) ? send(response, 200, "") : send(response, 404, "no such zone");
    const text = zones.get(origin);
    if (request.method === "GET" && text !== undefined) return send(response, 200, text);
    return send(response, request.method === "GET" ? 404 : 405, "no such zone");
  }

  const server = createServer((request, response) => {
    const url = URL.parse(`http://${request.headers.host ?? ""}${request.url ?? "/"}`);
    if (url === null || !["127.0.0.1", "localhost", "[::1]"].includes(url.hostname))
      return send(response, 421, "unknown host");
    if (request.headers.origin !== undefined && request.headers.origin !== url.origin)
      return send(response, 403, "not for web pages");
    if (url.pathname === "/dns-query" || url.pathname === "/resolve") return resolve(url, response);
    if (url.pathname === "/zones") url.pathname = "/zones/";
    if (!url.pathname.startsWith("/zones/")) return send(response, 404, "see /zones");
    serveZones(request, url, response).catch((error: unknown) =>
      send(response, 500, (error as Error).message),
    );
  });
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", done);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    name: "dns",
    url,
    resolverUrls: [`${url}/dns-query`, `${url}/resolve`],
    zones,
    faults,
    log,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function typeOf(text: string): number | null {
  const known = TYPE_NUMBERS[text.toUpperCase() as keyof typeof TYPE_NUMBERS];
  if (known !== undefined) return known;
  return /^\d{1,5}$/.test(text) ? Number(text) : null;
}

function sendReply(response: ServerResponse, reply: JsonReply): void {
  response.writeHead(200, { "content-type": "application/dns-json", "cache-control": "no-store" });
  response.end(JSON.stringify(reply));
}

function send(response: ServerResponse, status: number, text: string): void {
  const isJson = text.startsWith("{");
  response.writeHead(status, {
    "content-type": isJson ? "application/json" : "text/plain; charset=utf-8",
    "cache-control": "no-store",
  });
  response.end(text);
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > ZONE_LIMIT) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
