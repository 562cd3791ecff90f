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
    get: (key) => redis.get<string>(key),
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
      return keys.map((_, index) => Number(results[index * 2]));
    },
    async delete(key) {
      await redis.del(key);
    },
  };
}
