import { Redis } from "@upstash/redis/cloudflare";
import type { Cache } from "./index.ts";

export interface UpstashSettings {
  url: string;
  token: string;
}

/** Upstash Redis over its REST API. No retries: every use can do without the answer. */
export function createUpstashCache(settings: UpstashSettings): Cache {
  const redis = new Redis({
    url: settings.url,
    token: settings.token,
    automaticDeserialization: false,
    enableTelemetry: false,
    retry: false,
    signal: () => AbortSignal.timeout(1_500),
  });
  return {
    async get(key) {
      const value: unknown = await redis.get(key);
      if (value !== null && typeof value !== "string") throw new Error(`${NO_ANSWER} GET`);
      return value;
    },
    async set(key, value, ttlSeconds) {
      await redis.set(key, value, { ex: ttlSeconds });
    },
    async count(keys) {
      const pipeline = redis.multi();
      for (const { key, ttlSeconds } of keys) {
        pipeline.incr(key);
        pipeline.expire(key, ttlSeconds, "NX");
      }
      const results = await pipeline.exec<number[]>();
      return keys.map((_, index) => countIn(results[index * 2]));
    },
    async delete(key) {
      await redis.del(key);
    },
  };
}

const NO_ANSWER = "the cache answered with what is no answer to";

function countIn(result: unknown): number {
  if (typeof result === "number" && Number.isSafeInteger(result) && result > 0) return result;
  throw new Error(`${NO_ANSWER} INCR`);
}
