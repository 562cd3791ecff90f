import type { BatchingQueue } from "./index.ts";

/** What is used of the binding of a queue (https://developers.cloudflare.com/queues/configuration/javascript-apis/#queue). */
export interface QueueBinding {
  send(message: unknown, options: { contentType: "json" }): Promise<unknown>;
}

/**
 * Cloudflare Queues. As JSON, which outlives a change of the runtime's own format; one by one, because a `sendBatch` holds
 * 256 kB and a single message 128.
 */
export const createCloudflareQueue = (binding: QueueBinding): BatchingQueue => ({
  async send(messages) {
    await Promise.all(messages.map((message) => binding.send(message, { contentType: "json" })));
  },
});
