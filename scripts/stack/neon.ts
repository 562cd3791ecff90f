import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseError } from "pg";
import { createSessionPool } from "./neon-pool.ts";
import {
  GatewayError,
  parseConnectionString,
  parseSqlRequest,
  readBody,
  type SqlRequest,
  toWireError,
} from "./neon-protocol.ts";
import { runRequest } from "./neon-run.ts";
import { openSession, type SessionTarget } from "./neon-session.ts";
import { createCallLog, createFaults, type Part } from "./part.ts";

export interface NeonGateway extends Part {
  /** For `neonConfig.fetchEndpoint`. */
  httpEndpoint: string;
  /** A request to `httpEndpoint` from this process. */
  fetchHere(init: RequestInit): Promise<Response>;
}

export interface NeonGatewayOptions {
  /** A free one if left out. */
  port?: number;
  postgres: { host: string; port: number };
}

const FAULTS = {
  refuse: "drops the connection before anything is done",
  server_error: "answers 500 before anything is done",
  reply_lost: "applies a query, then drops the connection instead of answering",
  repeated: "applies a query twice, and answers what the second said",
};

/** Leaves room, of Postgres's 100, for direct connections. */
const MAX_SESSIONS = 60;
const IDLE_SESSION_MS = 30_000;
const MAX_LOGINS_KEPT = 1000;
/** Speaks what this service uses of Neon's serverless driver over an ordinary Postgres: queries over HTTP at `/sql`. */
export async function startNeonGateway(options: NeonGatewayOptions): Promise<NeonGateway> {
  const faults = createFaults(FAULTS);
  const log = createCallLog();
  const pool = createSessionPool(MAX_SESSIONS, IDLE_SESSION_MS);
  const logins = new Map<string, SessionTarget>();

  function loginFor(text: string | undefined): SessionTarget {
    const known = logins.get(text ?? "");
    if (known !== undefined) return known;
    const target = parseConnectionString(text, options.postgres);
    if (logins.size >= MAX_LOGINS_KEPT) logins.clear();
    logins.set(text ?? "", target);
    return target;
  }

  interface Reply {
    status: number;
    body: string;
    isLost: boolean;
  }

  async function reply(
    headers: IncomingMessage["headers"],
    read: () => ReturnType<typeof readBody>,
    gone: AbortSignal,
  ): Promise<Reply> {
    const startedAt = performance.now();
    let status = 200;
    let body: string;
    let sql: SqlRequest | null = null;
    try {
      if (faults.take("server_error")) throw new GatewayError(500, "ordered fault");
      const connectionString = headers["neon-connection-string"] as string | undefined;
      const login = loginFor(connectionString);
      sql = parseSqlRequest(headers, await read());
      const open = (onClose: () => void) => openSession(login, onClose);
      const run = async (request: SqlRequest) =>
        runRequest(await pool.lease(connectionString ?? "", open, gone), request, gone);
      body = await run(sql);
      if (faults.take("repeated")) body = await run(sql);
    } catch (error) {
      status = statusOf(error);
      body = JSON.stringify(toWireError(error as Error));
    }
    log.add(`${status} ${headline(sql)}`, {
      ms: Math.round((performance.now() - startedAt) * 100) / 100,
      statements: sql?.statements.length ?? 0,
    });
    return {
      status,
      body,
      isLost: !gone.aborted && status === 200 && faults.take("reply_lost"),
    };
  }

  async function answerSql(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on("close", () => {
      if (!response.writableFinished) gone.abort(new Error("the client has gone"));
    });
    const { status, body, isLost } = await reply(
      request.headers,
      () => readBody(request),
      gone.signal,
    );
    if (gone.signal.aborted) return;
    if (isLost) return void request.socket.destroy();
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  }

  /** The same for a client in this process: without sockets between. */
  async function fetchHere(init: RequestInit): Promise<Response> {
    if (faults.take("refuse")) throw new TypeError("fetch failed");
    const headers = Object.fromEntries(
      Object.entries(init.headers as Record<string, string>).map(([name, value]) => [
        name.toLowerCase(),
        value,
      ]),
    );
    const gone = init.signal ?? new AbortController().signal;
    const { status, body, isLost } = await reply(headers, async () => init.body as never, gone);
    gone.throwIfAborted();
    if (isLost) throw new TypeError("fetch failed");
    return {
      ok: status === 200,
      status,
      json: async () => JSON.parse(body) as unknown,
      text: async () => body,
    } as Response;
  }

  const server = createServer((request, response) => {
    if (faults.take("refuse")) return void request.socket.destroy();
    if (request.url !== "/sql" || request.method !== "POST") {
      response.writeHead(400, { "content-type": "application/json" });
      return void response.end(
        JSON.stringify({
          message: `the local stack does not have ${request.method} ${request.url}`,
        }),
      );
    }
    void answerSql(request, response);
  });
  // Clients keep connections for long; one that the server closes under a request shows as a failed request.
  server.keepAliveTimeout = 600_000;
  server.requestTimeout = 0;

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    name: "neon",
    url: `http://${address}`,
    httpEndpoint: `http://${address}/sql`,
    fetchHere,
    faults,
    log,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      pool.close();
      await closed;
    },
  };
}

/** Neon answers 400 to whatever Postgres refuses, logins included, and 500 to troubles of its own. */
function statusOf(error: unknown): number {
  if (error instanceof GatewayError) return error.status;
  return error instanceof DatabaseError ? 400 : 500;
}

function headline(sql: SqlRequest | null): string {
  const text = sql?.statements[0]?.text.slice(0, 160) ?? "";
  return sql?.isBatch !== true ? text : `batch of ${sql.statements.length}: ${text}`;
}
