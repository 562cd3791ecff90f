import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { createCallLog, createFaults, type Part } from "./part.ts";
import { createKeyspace, execute, RedisError, type Reply } from "./redis/commands.ts";

export interface Upstash extends Part {
  token: string;
  /** The database's second token, which may read and not write. */
  readOnlyToken: string;
  /** Drops every key. */
  flush(): void;
  /** A request to `url` from this process. */
  fetchHere(url: string, init: RequestInit): Promise<Response>;
}

const FAULTS = {
  unavailable: "the next request is answered 503",
  hang: "the next request is never answered; the client has to give up",
  slow: "the next request is carried out, and answered after 3 s; the client has given up by then",
  forget: "drops all keys just before the next request is served",
  lie: "each number in the answer to the next request is 1",
  garbage: "the next request is carried out, and answered 200 with what is no reply to it",
};

const SLOW_MS = 3_000;

interface Asked {
  method: string;
  path: string;
  /** By their names in small letters. */
  headers: IncomingMessage["headers"];
  body: string;
}

/** A request that cannot be served, with its HTTP status. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Serves from memory what this service uses of Upstash's Redis REST API
 * (https://upstash.com/docs/redis/features/restapi): commands by /pipeline, in which the SDK gathers all of a moment, and by /multi-exec.
 */
export async function startUpstash(options: { port?: number; token: string }): Promise<Upstash> {
  const keys = createKeyspace();
  const faults = createFaults(FAULTS);
  const log = createCallLog();
  const { token } = options;
  const readOnlyToken = `${token}-read-only`;

  const answer = ({ method, path, headers, body }: Asked): string => {
    const given = headers["authorization"];
    if (given !== `Bearer ${token}` && given !== `Bearer ${readOnlyToken}`)
      throw new Refusal(401, "WRONGPASS invalid or missing auth token");
    const readOnly = given !== `Bearer ${token}`;
    const base64 = headers["upstash-encoding"] === "base64";
    /** One that fails has its error in its place. */
    const run = (words: unknown[]) => {
      const [name = "", ...args] = words.map(String);
      log.add(`${name.toUpperCase()} ${args[0] ?? ""}`);
      try {
        return { result: shown(execute(keys, name, args, readOnly), base64) };
      } catch (error) {
        if (error instanceof RedisError) return { error: error.message };
        throw error;
      }
    };
    if (method !== "POST" || !/^\/(pipeline|multi-exec)$/.test(path))
      throw new Refusal(404, `ERR the local stack does not have ${method} ${path}`);
    return JSON.stringify((JSON.parse(body) as unknown[][]).map(run));
  };

  const reply = async (asked: Asked): Promise<{ status: number; text: string }> => {
    if (faults.take("hang")) await new Promise(() => {});
    if (faults.take("forget")) keys.clear();
    let [status, said] = [200, ""];
    try {
      if (faults.take("unavailable")) throw new Refusal(503, "ERR service unavailable");
      said = answer(asked);
    } catch (error) {
      status = error instanceof Refusal ? error.status : 400;
      said = JSON.stringify({ error: (error as Error).message });
    }
    if (faults.take("lie")) said = said.replaceAll(/"result":\d+/g, '"result":1');
    if (faults.take("garbage")) said = '[{"result":"soon"},{"result":null}]';
    if (faults.take("slow")) await delay(SLOW_MS);
    return { status, text: said };
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = "", url: path = "", headers } = request;
    const { status, text: said } = await reply({
      method,
      path,
      headers,
      body: await text(request),
    });
    response.writeHead(status, { "content-type": "application/json" }).end(said);
  };

  /** The same for a client in this process: without sockets between. */
  const fetchHere: Upstash["fetchHere"] = async (target, init) => {
    const { method = "GET", body, signal } = init;
    if (!server.listening) throw new TypeError("fetch failed");
    signal?.throwIfAborted();
    const gone = Promise.withResolvers<never>();
    signal?.addEventListener("abort", () => gone.reject(signal.reason), { once: true });
    const headers = Object.fromEntries(new Headers(init.headers));
    const asked = { method, path: new URL(target).pathname, headers, body: String(body) };
    const { status, text: said } = await Promise.race([reply(asked), gone.promise]);
    return new Response(said, { status, headers: { "content-type": "application/json" } });
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      log.add(`failed: ${String(error)}`);
      response.destroy();
    });
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    name: "upstash",
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    readOnlyToken,
    faults,
    log,
    flush: () => keys.clear(),
    fetchHere,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/** Strings in base64 where the client asks for it, so that the status OK is told from a stored "OK". */
function shown(reply: Reply, base64: boolean): string | number | null {
  if (typeof reply === "string") return base64 ? Buffer.from(reply).toString("base64") : reply;
  return reply !== null && typeof reply === "object" ? reply.status : reply;
}
