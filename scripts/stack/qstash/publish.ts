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

interface Target {
  url: string;
  topicName: string | null;
  endpointName: string | null;
}

/** Creates a message, or one for each endpoint of a URL group. */
export function publish(
  state: State,
  destination: string,
  publication: Publication,
): { reply: PublishReply | PublishReply[]; messages: Message[] } {
  const messages: Message[] = [];
  const publishTo = (target: Target): PublishReply => {
    const known = findDuplicate(state, publication, target);
    if (known !== null) return { messageId: known, url: target.url, deduplicated: true };
    const message = createMessage(state, publication, target);
    messages.push(message);
    return { messageId: message.messageId, url: target.url };
  };
  if (publication.queueName !== null) openQueue(state, publication.queueName);
  if (isUrl(destination)) {
    return {
      reply: publishTo({ url: destination, topicName: null, endpointName: null }),
      messages,
    };
  }
  return { reply: groupTargets(state, destination).map(publishTo), messages };
}

function groupTargets(state: State, destination: string): Target[] {
  const group = state.store.urlGroups.get(destination);
  if (group === undefined) {
    throw new ApiError(
      400,
      `invalid destination url: "${destination}" is no URL group, and a url starts with http:// or https://`,
    );
  }
  return group.endpoints.map((endpoint) => ({
    url: endpoint.url,
    topicName: group.name,
    endpointName: endpoint.name,
  }));
}

const deduplicationKey = (id: string, { topicName, url }: Target) =>
  topicName === null ? id : `${id} ${url}`;

function findDuplicate({ store }: State, { deduplicationId }: Publication, target: Target) {
  if (deduplicationId === null) return null;
  const known = store.deduplications.get(deduplicationKey(deduplicationId, target));
  return known !== undefined && known.expiresAt > Date.now() ? known.messageId : null;
}

function createMessage(state: State, publication: Publication, target: Target): Message {
  const { envelope, deduplicationId, ...rest } = publication;
  const message: Message = {
    ...envelope,
    ...rest,
    ...target,
    messageId: randomId("msg_"),
    order: state.store.nextOrder(),
    createdAt: Date.now(),
    notBefore: publication.dueAt,
    retried: 0,
    holdsQueue: null,
  };
  if (deduplicationId !== null) remember(state, deduplicationKey(deduplicationId, target), message);
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
