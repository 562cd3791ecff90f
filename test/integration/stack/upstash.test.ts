import { setWarpOffsetMs, warpOffsetMs } from "../../../scripts/stack/warp.ts";
import { Redis } from "@upstash/redis";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createUpstashCache } from "#src/providers/cache/upstash.ts";
import type { Cache } from "#src/providers/cache/index.ts";
import { startUpstash, type Upstash } from "../../../scripts/stack/upstash.ts";

let upstash: Upstash;
let cache: Cache;
const pass = (seconds: number) => setWarpOffsetMs(warpOffsetMs() + seconds * 1000);
const connect = (token = "secret") =>
  new Redis({ url: upstash.url, token, enableTelemetry: false, retry: false });

beforeAll(async () => {
  upstash = await startUpstash({ token: "secret" });
  cache = createUpstashCache({ url: upstash.url, token: "secret" });
});
afterAll(() => upstash.close());
beforeEach(() => {
  upstash.flush();
  upstash.faults.clear();
  upstash.log.clear();
});

test.each(['naïve “quotes” 日本語 🚀 \u0000 \n "OK"', "OK", "12", ""])(
  "%j comes back as it went in, until the stack's clock passes its expiry",
  async (value) => {
    await cache.set("k", value, 60);
    expect(await cache.get("k")).toBe(value);
    pass(61);
    expect(await cache.get("k")).toBeNull();
  },
);

test("a counter counts within the time of its first count, and can be dropped", async () => {
  const count = () => cache.count([{ key: "a", ttlSeconds: 60 }]);
  expect([await count(), await count()]).toEqual([[1], [2]]);
  pass(59);
  expect(await count()).toEqual([3]);
  pass(2);
  expect(await count()).toEqual([1]);
  await cache.delete("a");
  const both = [
    { key: "a", ttlSeconds: 60 },
    { key: "b", ttlSeconds: 60 },
  ];
  expect(await cache.count(both)).toEqual([1, 1]);
});

test("a value that is no number is not counted", async () => {
  await cache.set("k", "text", 60);
  await expect(cache.count([{ key: "k", ttlSeconds: 60 }])).rejects.toThrow("not an integer");
});

test("what the service does not send is refused by its name", async () => {
  const redis = connect();
  await expect(redis.mget("k")).rejects.toThrow("unknown command 'mget'");
  await expect(redis.set("k", "v", { nx: true })).rejects.toThrow("wrong number of arguments");
  await expect(redis.set("k", "v", { px: 5 })).rejects.toThrow("SET takes EX here, not px");
  await expect(redis.expire("k", 5, "XX")).rejects.toThrow("EXPIRE takes NX here, not XX");
  const scan = fetch(`${upstash.url}/scan/0`, { headers: { authorization: "Bearer secret" } });
  expect(await (await scan).text()).toContain("does not have GET /scan/0");
  await expect(connect("wrong").get("k")).rejects.toThrow("WRONGPASS");
});

test("the read-only token reads, and is refused what writes, also in a transaction", async () => {
  await cache.set("kept", "as it was", 60);
  const reader = connect(upstash.readOnlyToken);
  expect(await reader.get("kept")).toBe("as it was");
  await expect(reader.set("kept", "changed", { ex: 5 })).rejects.toThrow(
    "NOPERM this user has no permissions to run the 'set' command",
  );
  await expect(reader.multi().incr("count").exec()).rejects.toThrow("NOPERM");
  expect([await cache.get("kept"), await cache.get("count")]).toEqual(["as it was", null]);
});

test("forget loses every key, and slow does what it is asked when nobody waits any more", async () => {
  await cache.set("k", "v", 60);
  upstash.faults.order("forget", 1);
  expect(await cache.get("k")).toBeNull();
  upstash.faults.order("slow", 1);
  const signal = () => AbortSignal.timeout(50);
  const impatient = new Redis({ url: upstash.url, token: "secret", retry: false, signal });
  await expect(impatient.incr("k")).rejects.toThrow(/timeout|aborted/i);
  expect(await cache.get("k")).toBe("1");
});

test("the log names each command and its key, never its value", async () => {
  await cache.set("k", "private", 60);
  expect(upstash.log.entries().map((call) => call.summary)).toEqual(["SET k"]);
});
