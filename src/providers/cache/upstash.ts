import * as z from "zod";
import { readBoundedText } from "#src/platform/bounded-text.ts";
import type { Cache } from "./index.ts";

export interface UpstashSettings {
  url: string;
  token: string;
}

type Command = readonly [string, ...(string | number)[]];

const TIMEOUT_MS = 1_500;
const MAX_ANSWER_BYTES = 1024 * 1024;

const Results = z.array(z.object({ result: z.union([z.string(), z.number(), z.null()]) }));

/**
 * Upstash Redis over its REST API (https://upstash.com/docs/redis/features/restapi): a request is one transaction.
 * No retries: every use can do without the answer.
 */
export function createUpstashCache({ url, token }: UpstashSettings): Cache {
  const endpoint = `${url.replace(/\/+$/, "")}/multi-exec`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

  /** What each command answered; throws where one failed, or nobody answers in time. */
  async function run(...commands: Command[]): Promise<(string | number | null)[]> {
    const response = await fetch(endpoint, {
      method: "POST",
      headers,
      body: JSON.stringify(commands),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await readBoundedText(response, MAX_ANSWER_BYTES);
    if (!response.ok || text === null)
      throw new Error(`Redis answered ${response.status}: ${text?.slice(0, 200) ?? "too much"}`);
    return Results.parse(JSON.parse(text)).map(({ result }) => result);
  }

  return {
    async get(key) {
      const [value] = await run(["GET", key]);
      return value == null ? null : String(value);
    },
    async set(key, value, ttlSeconds) {
      await run(["SET", key, value, "EX", ttlSeconds]);
    },
    async count(keys) {
      const counted = keys.flatMap(({ key, ttlSeconds }): Command[] => [
        ["INCR", key],
        ["EXPIRE", key, ttlSeconds, "NX"],
      ]);
      const results = await run(...counted);
      return keys.map((_, index) => Number(results[index * 2]));
    },
    async delete(key) {
      await run(["DEL", key]);
    },
  };
}
