import type { QueueMessage } from "#src/providers/queue/index.ts";
import type { TestApi } from "./api.ts";

/** The service's parts with a queue that only notes what it is asked for. */
export function withNotedQueue({ deps }: Pick<TestApi, "deps">) {
  const noted: QueueMessage[] = [];
  const queue = {
    ...deps.queue,
    publishAll: async (messages: QueueMessage[]) => void noted.push(...messages),
  };
  return { noted, deps: { ...deps, queue } };
}
