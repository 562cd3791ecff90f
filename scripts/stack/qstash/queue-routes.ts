import type { Api, Route } from "./api.ts";
import { name } from "./envelope.ts";
import { parseJson } from "./http.ts";
import { ApiError, notFound, type Queue } from "./model.ts";
import { queueView } from "./views.ts";

type Handle = Route[2];

function requireQueue({ state }: Api, id: string): Queue {
  const queue = state.store.queues.get(name(id, "queue name"));
  if (queue === undefined) throw notFound("queue", id);
  return queue;
}

const messagesOf = ({ state }: Api, queue: string) =>
  state.store.messages.values().filter(({ queueName }) => queueName === queue);

const viewQueue = (api: Api, queue: Queue) => queueView(queue, messagesOf(api, queue.name).length);

function saveQueue({ state, dispatcher }: Api, queueName: string, change: Partial<Queue>): void {
  const now = Date.now();
  const existing = state.store.queues.get(queueName);
  const queue = existing ?? {
    name: queueName,
    parallelism: 1,
    paused: false,
    createdAt: now,
    updatedAt: now,
  };
  state.store.queues.put(queueName, { ...queue, ...change, updatedAt: now });
  dispatcher.wake();
}

const upsertQueue: Handle = (api, { body }) => {
  const { queueName, parallelism = 1, paused = false } = parseJson(body) as Record<string, unknown>;
  if (!Number.isInteger(parallelism) || (parallelism as number) < 1) {
    throw new ApiError(400, "parallelism must be greater than 0");
  }
  saveQueue(api, name(String(queueName), "queue name"), {
    parallelism: parallelism as number,
    paused: paused === true,
  });
  return {};
};

const pauseQueue =
  (paused: boolean): Handle =>
  (api, _, [id]) => {
    saveQueue(api, requireQueue(api, id!).name, { paused });
    return {};
  };

const deleteQueue: Handle = (api, _, [id]) => {
  for (const { messageId } of messagesOf(api, id!)) api.dispatcher.cancel(messageId);
  api.state.store.queues.delete(id!);
  return {};
};

export const queueRoutes: Route[] = [
  ["POST", /^\/v2\/queues\/?$/, upsertQueue],
  [
    "GET",
    /^\/v2\/queues\/?$/,
    (api) => ({ json: api.state.store.queues.values().map((queue) => viewQueue(api, queue)) }),
  ],
  [
    "GET",
    /^\/v2\/queues\/([^/]+)$/,
    (api, _, [id]) => ({ json: viewQueue(api, requireQueue(api, id!)) }),
  ],
  ["DELETE", /^\/v2\/queues\/([^/]+)$/, deleteQueue],
  ["POST", /^\/v2\/queues\/([^/]+)\/pause$/, pauseQueue(true)],
  ["POST", /^\/v2\/queues\/([^/]+)\/resume$/, pauseQueue(false)],
];
