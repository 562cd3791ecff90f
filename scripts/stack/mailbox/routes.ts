import { type ParsedMessage, parseMessage } from "./message-parse.ts";
import type { KeptMessage, MessageStore } from "./message-store.ts";

export interface HttpRequest {
  /** Scheme and host by which the client reached us. */
  origin: string;
  query: URLSearchParams;
  /** The parts of the path that the route's pattern captured. */
  captured: string[];
  body: string;
}

export interface Answer {
  status: number;
  type: string;
  body: string | Buffer;
  headers?: Record<string, string>;
}

export type Handler = (request: HttpRequest) => Answer | Promise<Answer>;

export interface Route {
  method: string;
  path: RegExp;
  handle: Handler;
}

export function route(method: string, path: string, handle: Handler): Route {
  return { method, path: new RegExp(`^${path}$`), handle };
}

export function json(value: unknown, status = 200): Answer {
  return { status, type: "application/json; charset=utf-8", body: JSON.stringify(value) };
}

export const notFound = (): Answer => json({ error: "not found" }, 404);

/** Pattern of one message's path; captures its id. */
export const ONE_MESSAGE = "/api/messages/([^/]+)";

export type MessageHandler = (
  message: ParsedMessage,
  request: HttpRequest,
  kept: KeptMessage,
) => Answer | Promise<Answer>;

/** Looks the message of the path up; 404 when it is not there. */
export function forMessage(store: MessageStore, handle: MessageHandler): Handler {
  return async (request) => {
    const kept = store.find(request.captured[0] ?? "");
    return kept === undefined ? notFound() : handle(await parseMessage(kept), request, kept);
  };
}
