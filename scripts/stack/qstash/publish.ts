import {
  asUrl,
  type Headers,
  OF_A_MESSAGE,
  parseEnvelope,
  readerOf,
  wholeNumber,
} from "./envelope.ts";
import type { Message } from "./model.ts";
import { randomId } from "./signature.ts";
import type { State } from "./state.ts";

const DEDUPLICATION_WINDOW_MS = 10 * 60_000;

export interface PublishReply {
  messageId: string;
  url: string;
  deduplicated?: true;
}

/** Publications with the same deduplication id within ten minutes are one. */
export function publish(
  state: State,
  destination: string,
  headers: Headers,
  body: string,
): { reply: PublishReply; messages: Message[] } {
  const text = readerOf(headers, OF_A_MESSAGE);
  const envelope = parseEnvelope(headers, text);
  const notBefore = wholeNumber(text("not-before"), "not-before");
  const url = asUrl(destination, "destination url");
  const deduplicationId = text("deduplication-id");
  const known = findDuplicate(state, deduplicationId);
  if (known !== null) return { reply: { messageId: known, url, deduplicated: true }, messages: [] };
  const now = Date.now();
  const message = addMessage(state, {
    ...envelope,
    url,
    body,
    messageId: randomId("msg_"),
    order: state.store.nextOrder(),
    createdAt: now,
    dueAt: notBefore === null ? now : notBefore * 1000,
    retried: 0,
    scheduleId: null,
  });
  if (deduplicationId !== null) remember(state, deduplicationId, message);
  return { reply: { messageId: message.messageId, url }, messages: [message] };
}

function findDuplicate({ store }: State, id: string | null): string | null {
  const known = id === null ? undefined : store.deduplications.get(id);
  return known !== undefined && known.expiresAt > Date.now() ? known.messageId : null;
}

function remember({ store }: State, id: string, { messageId }: Message): void {
  const now = Date.now();
  if (store.deduplications.size > 1000) {
    for (const [known, { expiresAt }] of store.deduplications.entries()) {
      if (expiresAt > now) break;
      store.deduplications.delete(known);
    }
  }
  store.deduplications.delete(id);
  store.deduplications.put(id, { messageId, expiresAt: now + DEDUPLICATION_WINDOW_MS });
}

/** Stores a message that is complete. */
export function addMessage(state: State, message: Message): Message {
  state.store.messages.put(message.messageId, message);
  state.gates.admit(message);
  return message;
}
