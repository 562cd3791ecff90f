import type { Answer, Message } from "./model.ts";
import { addMessage } from "./publish.ts";
import { nextAttemptAt } from "./retry.ts";
import { randomId } from "./signature.ts";
import type { State } from "./state.ts";

/**
 * Draws the consequences of one delivery: done, to be retried, or given up. Returns the messages that have to be
 * put on the timeline: the message itself for a retry, or its failure callback.
 */
export function settle(state: State, message: Message, answer: Answer): Message[] {
  const { store, log } = state;
  const { messageId, retried, maxRetries } = message;
  // Forgotten meanwhile.
  if (store.messages.get(messageId) === undefined) return [];
  if (answer.status >= 200 && answer.status < 300) {
    store.messages.delete(messageId);
    return [];
  }
  if (retried < maxRetries) {
    message.dueAt = nextAttemptAt(retried, answer.headers, new Date()).getTime();
    message.retried++;
    store.messages.put(messageId, message);
    return [message];
  }
  store.messages.delete(messageId);
  log.add(`given up: POST ${message.url}`, { messageId });
  return message.failureCallback === null
    ? []
    : [callBack(state, message, message.failureCallback.url, answer)];
}

/** A callback is a message of its own, retried as often as the one it tells of. */
function callBack(state: State, message: Message, url: string, answer: Answer): Message {
  const now = Date.now();
  return addMessage(state, {
    headers: { "content-type": "application/json" },
    maxRetries: message.maxRetries,
    timeoutSeconds: null,
    failureCallback: null,
    flowControl: null,
    messageId: randomId("msg_"),
    order: state.store.nextOrder(),
    url,
    body: Buffer.from(JSON.stringify(callbackBody(message, answer))).toString("base64"),
    createdAt: now,
    dueAt: now,
    retried: 0,
    scheduleId: null,
  });
}

/** https://upstash.com/docs/qstash/features/callbacks */
const callbackBody = (message: Message, answer: Answer) => ({
  status: answer.status,
  header: answer.headers,
  body: answer.body.toString("base64"),
  retried: message.retried,
  maxRetries: message.maxRetries,
  sourceMessageId: message.messageId,
  url: message.url,
  method: "POST",
  sourceHeader: Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, [value]]),
  ),
  sourceBody: message.body,
  createdAt: String(message.createdAt),
  scheduleId: message.scheduleId ?? "",
});
