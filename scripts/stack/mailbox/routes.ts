import { type Answer, type Handler, type HttpRequest, notFound } from "../page-routes.ts";
import { type ParsedMessage, parseMessage } from "./message-parse.ts";
import type { KeptMessage, MessageStore } from "./message-store.ts";

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
