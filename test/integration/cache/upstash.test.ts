import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUpstashCache } from "#src/providers/cache/upstash.ts";
import { startUpstash, type Upstash } from "../../../scripts/stack/upstash.ts";

let redis: Upstash;
beforeAll(async () => {
  redis = await startUpstash({ token: "secret" });
});
afterAll(() => redis.close());

const open = () => createUpstashCache({ url: `${redis.url}/`, token: "secret" });

/** A server that says just this, whatever it is asked. */
async function answering(status: number, body: string) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cache = createUpstashCache({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: "secret",
  });
  return { cache, close: () => server.close() };
}

test("a value is kept as it was given, whatever it looks like, and one that is not there is null", async () => {
  const cache = open();
  for (const value of ["", "17", "null", '{"a":"\u00fc \u{1f600}"}', 'a "quoted" line\nand one']) {
    await cache.set("kept", value, 60);
    expect(await cache.get("kept")).toBe(value);
  }
  await cache.delete("kept");
  expect(await cache.get("kept")).toBeNull();
});

test("counters go on from where they are, each by itself", async () => {
  const cache = open();
  const keys = [
    { key: "first", ttlSeconds: 60 },
    { key: "second", ttlSeconds: 60 },
  ];
  await cache.count([keys[0]!]);
  expect(await cache.count(keys)).toEqual([2, 1]);
});

test("a refusal, an outage, and an answer that is none are errors", async () => {
  const stranger = createUpstashCache({ url: redis.url, token: "wrong" });
  await expect(stranger.get("a")).rejects.toThrow(/401/);
  redis.faults.order("unavailable", 1);
  await expect(open().get("a")).rejects.toThrow(/503/);
  for (const body of [
    "",
    "<html>",
    "{}",
    '[{"error":"ERR no"}]',
    '[{"result":{}}]',
    "[".repeat(9),
  ]) {
    const { cache, close } = await answering(200, body);
    await expect(cache.get("a")).rejects.toBeInstanceOf(Error);
    close();
  }
  const { cache, close } = await answering(200, JSON.stringify([{ result: "x".repeat(2 ** 21) }]));
  await expect(cache.get("a")).rejects.toThrow(/too much/);
  close();
});

test("who does not answer is given up after a second and a half", async () => {
  redis.faults.order("hang", 1);
  await expect(open().get("a")).rejects.toMatchObject({ name: "TimeoutError" });
});
