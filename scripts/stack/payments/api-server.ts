import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Api, ApiAnswer, ApiRequest } from "./api.ts";
import { newId, type State } from "./books.ts";
import { API_VERSION } from "./objects.ts";
import { heldBack } from "../held-back.ts";

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
    const asked = askedOf(request, await text(request));
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
  response.writeHead(answer.status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(answer.body),
    "cache-control": "no-cache, no-store",
    "request-id": asked.id,
    "stripe-version": API_VERSION,
    ...answer.headers,
  });
  response.end(answer.body);
}
