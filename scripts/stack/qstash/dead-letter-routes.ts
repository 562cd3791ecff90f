import { createFilter, page } from "./filters.ts";
import { type DeadLetter, type Message, notFound } from "./model.ts";
import { addMessage, type PublishReply } from "./publish.ts";
import type { Api, Route } from "./api.ts";
import { randomId } from "./signature.ts";
import type { State } from "./state.ts";
import { deadLetterView } from "./views.ts";

/** The pay-as-you-go plan's. */
const RETENTION_MS = 7 * 86_400_000;

/** Newest first. */
function deadLetters({ store }: State): DeadLetter[] {
  for (const letter of store.deadLetters.values()) {
    if (letter.diedAt + RETENTION_MS <= Date.now()) store.deadLetters.delete(letter.dlqId);
  }
  return store.deadLetters.values().toReversed();
}

function requireDeadLetter(state: State, id: string): DeadLetter {
  const letter = deadLetters(state).find(({ dlqId }) => dlqId === id);
  if (letter === undefined) throw notFound("DLQ message", id);
  return letter;
}

function selected(state: State, query: URLSearchParams) {
  const fits = createFilter(query);
  const letters = deadLetters(state).filter(({ message, diedAt, dlqId, answer }) =>
    fits({ message, at: diedAt, dlqId, responseStatus: answer.status }),
  );
  return page(letters, query);
}

/** Publishes the message anew and takes it out of the DLQ. */
function revive({ state, dispatcher }: Api, letter: DeadLetter): PublishReply {
  const now = Date.now();
  const message: Message = {
    ...letter.message,
    messageId: randomId("msg_"),
    order: state.store.nextOrder(),
    createdAt: now,
    notBefore: now,
    dueAt: now,
    retried: 0,
  };
  state.store.deadLetters.delete(letter.dlqId);
  dispatcher.add([addMessage(state, message)]);
  return { messageId: message.messageId, url: message.url };
}

export const deadLetterRoutes: Route[] = [
  [
    "GET",
    /^\/v2\/dlq$/,
    ({ state }, { query }) => {
      const { found, cursor } = selected(state, query);
      return { json: { ...cursor, messages: found.map(deadLetterView) } };
    },
  ],
  [
    "GET",
    /^\/v2\/dlq\/([^/]+)$/,
    ({ state }, _, [id]) => ({ json: deadLetterView(requireDeadLetter(state, id!)) }),
  ],
  [
    "DELETE",
    /^\/v2\/dlq$/,
    ({ state }, { query }) => {
      const { found, cursor } = selected(state, query);
      for (const { dlqId } of found) state.store.deadLetters.delete(dlqId);
      return { json: { ...cursor, deleted: found.length } };
    },
  ],
  [
    "DELETE",
    /^\/v2\/dlq\/([^/]+)$/,
    ({ state }, _, [id]) => {
      state.store.deadLetters.delete(requireDeadLetter(state, id!).dlqId);
      return {};
    },
  ],
  [
    "POST",
    /^\/v2\/dlq\/retry$/,
    (api, { query }) => {
      const { found, cursor } = selected(api.state, query);
      return {
        status: 201,
        json: { ...cursor, responses: found.map((letter) => revive(api, letter)) },
      };
    },
  ],
  [
    "POST",
    /^\/v2\/dlq\/retry\/([^/]+)$/,
    (api, _, [id]) => ({ status: 201, json: revive(api, requireDeadLetter(api.state, id!)) }),
  ],
];
