import type { IncomingMessage, ServerResponse } from "node:http";
import type { Api, ApiAnswer, ApiRequest } from "./api.ts";
import { newId, type State } from "./books.ts";
import { API_VERSION } from "./objects/event.ts";
import { heldBack } from "../held-back.ts";

const BODY_LIMIT = 1024 * 1024;
/** How long a slow answer is held if the caller waits that long, in real time. */
const GARBAGE = "<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>";

/** The API over HTTP, with the faults that lie between a request and its answer. */
export function serveApi(state: State, api: Api) {
  const { faults, log } = state;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (faults.take("down")) {
      log.add("connection closed by an ordered fault");
      request.socket.destroy();
      return;
    }
    const body = await readBody(request);
    if (body === null) {
      response.writeHead(413).end();
      return;
    }
    const asked = askedOf(request, body);
    const { answer, end } = api.answer(asked);
    log.add(`${asked.method} ${request.url} -> ${answer.status}`, { request: asked.id });
    try {
      if (faults.take("slow")) await heldBack(response);
      if (faults.take("lost_answer")) {
        log.add("answer lost by an ordered fault", { request: asked.id });
        request.socket.destroy();
      } else if (faults.take("garbage")) {
        response.writeHead(200, { "content-type": "text/html" }).end(GARBAGE);
      } else write(response, asked, answer);
    } finally {
      end();
    }
  };
}

function askedOf(request: IncomingMessage, body: string): ApiRequest {
  const [path = "", ...query] = (request.url ?? "").split("?");
  const { method = "GET", headers } = request;
  return { id: newId("req_", 14), method, path, query: query.join("?"), headers, body };
}

function write(response: ServerResponse, asked: ApiRequest, answer: ApiAnswer): void {
  if (response.destroyed) return;
  const key = asked.headers["idempotency-key"];
  response.writeHead(answer.status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(answer.body),
    "cache-control": "no-cache, no-store",
    "request-id": asked.id,
    "stripe-version": API_VERSION,
    ...(typeof key === "string" ? { "idempotency-key": key } : {}),
    ...answer.headers,
  });
  response.end(answer.body);
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
