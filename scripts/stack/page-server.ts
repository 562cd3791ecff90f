import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, json, notFound, type Route } from "./page-routes.ts";

const BODY_LIMIT = 1024 * 1024;
/** Arrivals within this time are told to the page as one. */
const TELL_AFTER_MS = 150;

export interface HttpServer {
  port: number;
  /** Tells every open page that there is something new to show. */
  changed(): void;
  close(): Promise<void>;
}

/**
 * Serves the routes on 127.0.0.1, and `/api/events`, a stream that says when to
 * look again. Answers only to loopback names, so that no web page can reach what
 * arrived through a name of its own (DNS rebinding), and acts only for its own page.
 */
export async function startHttpServer(
  port: number,
  routes: Route[],
  note: (summary: string) => void,
): Promise<HttpServer> {
  const listeners = new Set<http.ServerResponse>();
  let telling: ReturnType<typeof setTimeout> | undefined;

  const server = http.createServer((request, response) => {
    const url = URL.parse(`http://${request.headers.host ?? ""}${request.url ?? "/"}`);
    if (url === null || !isLoopback(url.hostname)) {
      return write(response, json({ error: "unknown host" }, 421));
    }
    if (request.method !== "GET" && (request.headers.origin ?? url.origin) !== url.origin) {
      return write(response, json({ error: "foreign origin" }, 403));
    }
    if (request.method === "GET" && url.pathname === "/api/events") return listen(response);
    note(`${request.method ?? ""} ${request.url ?? ""}`);
    answer(routes, request, url).then(
      (found) => (found === null ? request.socket.destroy() : write(response, found)),
      (error: unknown) => write(response, json({ error: String(error) }, 500)),
    );
  });

  function listen(response: http.ServerResponse) {
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    response.write("retry: 1000\n\n");
    listeners.add(response);
    response.once("close", () => listeners.delete(response));
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });

  return {
    port: (server.address() as AddressInfo).port,
    changed() {
      if (listeners.size === 0) return;
      telling ??= setTimeout(() => {
        telling = undefined;
        for (const listener of listeners) listener.write("data: changed\n\n");
      }, TELL_AFTER_MS);
    },
    close() {
      clearTimeout(telling);
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function isLoopback(hostname: string): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
}

async function answer(
  routes: Route[],
  request: http.IncomingMessage,
  url: URL,
): Promise<Answer | null> {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const matching = routes.filter(({ path }) => path.test(url.pathname));
  if (matching.length === 0) return notFound();
  const found = matching.find((route) => route.method === method);
  if (found === undefined) return json({ error: "method not allowed" }, 405);
  const body = await readBody(request);
  if (body === null) return json({ error: "body too large" }, 413);
  const captured = (found.path.exec(url.pathname) ?? []).slice(1);
  const { headers } = request;
  return found.handle({ origin: url.origin, headers, query: url.searchParams, captured, body });
}

async function readBody(request: http.IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > BODY_LIMIT) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function write(response: http.ServerResponse, { status, type, body, headers }: Answer) {
  response.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    ...headers,
  });
  response.end(body);
}
