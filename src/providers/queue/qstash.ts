import { Client } from "@upstash/qstash";
import type { Queue } from "./index.ts";

export interface QstashSettings {
  url: string;
  token: string;
  /** Where QStash reaches this service, without a trailing slash. */
  callbackBaseUrl: string;
}

const TICK_TIMEOUT = 120;

/** Upstash QStash. `devMode: false` because the SDK otherwise trusts well-known keys when QSTASH_DEV is set. */
export function createQstashQueue(settings: QstashSettings): Queue {
  const client = new Client({ baseUrl: settings.url, token: settings.token, devMode: false });
  const urlOf = (callback: string) => `${settings.callbackBaseUrl}/functions/${callback}`;
  return {
    async publish(message) {
      const { messageId } = await client.publishJSON({
        url: urlOf(message.callback),
        body: message.payload,
        timeout: TICK_TIMEOUT,
        ...(message.notBefore === undefined
          ? {}
          : { notBefore: Math.ceil(message.notBefore.getTime() / 1000) }),
        ...(message.deduplicationId === undefined
          ? {}
          : { deduplicationId: message.deduplicationId }),
        ...(message.retries === undefined ? {} : { retries: message.retries }),
        ...(message.failureCallback === undefined
          ? {}
          : { failureCallback: urlOf(message.failureCallback) }),
      });
      return { messageId };
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
