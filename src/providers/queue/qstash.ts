import { Client } from "@upstash/qstash";
import type { Queue, QueueMessage } from "./index.ts";

export interface QstashSettings {
  url: string;
  token: string;
  /** Where QStash reaches this service, without a trailing slash. */
  callbackBaseUrl: string;
}

/** Seconds that a callback may take: a tick of the longest period, its grace, and an answer that comes two minutes after the last message. */
const TICK_TIMEOUT = 300;

/** Messages of one batch request. */
const BATCH = 100;

/** Upstash QStash. `devMode: false` because the SDK otherwise trusts well-known keys when QSTASH_DEV is set. */
export function createQstashQueue(settings: QstashSettings): Queue {
  const client = new Client({ baseUrl: settings.url, token: settings.token, devMode: false });
  const urlOf = (callback: string) => `${settings.callbackBaseUrl}/functions/${callback}`;
  const requestOf = (message: QueueMessage) => ({
    url: urlOf(message.callback),
    body: message.payload,
    timeout: TICK_TIMEOUT,
    ...(message.notBefore === undefined
      ? {}
      : { notBefore: Math.ceil(message.notBefore.getTime() / 1000) }),
    ...(message.deduplicationId === undefined ? {} : { deduplicationId: message.deduplicationId }),
    ...(message.flow === undefined ? {} : { flowControl: message.flow }),
    ...(message.retries === undefined ? {} : { retries: message.retries }),
    ...(message.failureCallback === undefined
      ? {}
      : { failureCallback: urlOf(message.failureCallback) }),
  });
  return {
    async publish(message) {
      const { messageId } = await client.publishJSON(requestOf(message));
      return { messageId };
    },
    async publishAll(messages) {
      for (let from = 0; from < messages.length; from += BATCH)
        await client.batchJSON(messages.slice(from, from + BATCH).map(requestOf));
    },
    async schedule({ id, cron, callback, payload }) {
      await client.schedules.create({
        scheduleId: id,
        destination: urlOf(callback),
        cron,
        body: JSON.stringify(payload),
        headers: { "Content-Type": "application/json" },
        // The next run is the retry.
        retries: 0,
        timeout: TICK_TIMEOUT,
      });
    },
  };
}
