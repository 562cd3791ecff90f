import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Headers } from "./envelope.ts";
import { ApiError } from "./model.ts";

export interface ApiRequest {
  method: string;
  /** Path and query exactly as sent: a destination within it holds "//" and may hold "?". */
  url: string;
  headers: Headers;
  body: Buffer;
}

export interface ApiReply {
  status?: number;
  /** Sent as JSON; an empty answer without it. */
  json?: unknown;
}

/** Serves `handle` with JSON in and out; an ApiError becomes `{"error": ...}`. */
export function createApiServer(
  handle: (request: ApiRequest) => ApiReply,
  onFailure: (error: unknown) => void,
): Server {
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    let reply: ApiReply;
    try {
      reply = handle(await readRequest(request));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      reply = { status: error.status, json: { error: error.message } };
    }
    const body = reply.json === undefined ? "" : JSON.stringify(reply.json);
    response.writeHead(reply.status ?? 200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      onFailure(error);
      response.destroy();
    });
  });
  server.keepAliveTimeout = 120_000;
  return server;
}

async function readRequest(request: IncomingMessage): Promise<ApiRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    method: request.method ?? "GET",
    url: request.url ?? "/",
    headers: lowerCase(Object.entries(request.headers)),
    body: Buffer.concat(chunks),
  };
}

export function lowerCase(entries: [string, unknown][]): Headers {
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new ApiError(400, "the body is not JSON");
  }
}
