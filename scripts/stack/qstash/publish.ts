import { createHash } from "node:crypto";
import { isUrl, name, type PublishHeaders } from "./envelope.ts";
import { ApiError, type Envelope, type Message, type Origin } from "./model.ts";
import { randomId } from "./signature.ts";
import type { State } from "./state.ts";

const DEDUPLICATION_WINDOW_MS = 10 * 60_000;

export interface PublishReply {
  messageId: string;
  url: string;
  deduplicated?: true;
}

export interface Publication extends Origin {
  envelope: Envelope;
  /** Base64. */
  body: string;
  dueAt: number;
  /** Publications with the same id within ten minutes are one. */
  deduplicationId: string | null;
}

/** What a publish request asks for, as of now. */
export function publicationOf(
  destination: string,
  { envelope, ...headers }: PublishHeaders,
  body: string,
  origin: Origin,
): Publication {
  const now = Date.now();
  const contentId = () =>
    createHash("sha256")
      .update(JSON.stringify([destination, body, envelope.headers]))
      .digest("hex");
  return {
    ...origin,
    envelope,
    body,
    dueAt: headers.notBefore ?? now + headers.delayMs,
    deduplicationId:
      headers.deduplicationId ?? (headers.contentBasedDeduplication ? contentId() : null),
  };
}

export function publish(
  state: State,
  url: string,
  publication: Publication,
): { reply: PublishReply; messages: Message[] } {
  if (!isUrl(url))
    throw new ApiError(
      400,
      `invalid destination url: "${url}" does not start with http:// or https://`,
    );
  if (publication.queueName !== null) openQueue(state, publication.queueName);
  const known = findDuplicate(state, publication);
  if (known !== null) return { reply: { messageId: known, url, deduplicated: true }, messages: [] };
  const message = createMessage(state, publication, url);
  return { reply: { messageId: message.messageId, url }, messages: [message] };
}

function findDuplicate({ store }: State, { deduplicationId }: Publication): string | null {
  if (deduplicationId === null) return null;
  const known = store.deduplications.get(deduplicationId);
  return known !== undefined && known.expiresAt > Date.now() ? known.messageId : null;
}

function createMessage(state: State, publication: Publication, url: string): Message {
  const { envelope, deduplicationId, ...rest } = publication;
  const message: Message = {
    ...envelope,
    ...rest,
    url,
    messageId: randomId("msg_"),
    order: state.store.nextOrder(),
    createdAt: Date.now(),
    notBefore: publication.dueAt,
    retried: 0,
    holdsQueue: null,
  };
  if (deduplicationId !== null) remember(state, deduplicationId, message);
  return addMessage(state, message);
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
  state.events.add("CREATED", message);
  return message;
}

/** A queue comes to be by the first message sent to it. */
function openQueue({ store }: State, queueName: string): void {
  if (store.queues.get(name(queueName, "queue name")) !== undefined) return;
  const now = Date.now();
  const queue = { name: queueName, parallelism: 1, paused: false, createdAt: now, updatedAt: now };
  store.queues.put(queueName, queue);
}
