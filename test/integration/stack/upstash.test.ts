import { setWarpOffsetMs, warpOffsetMs } from "../../../scripts/stack/warp.ts";
import { Redis } from "@upstash/redis";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startUpstash, type Upstash } from "../../../scripts/stack/upstash.ts";

let upstash: Upstash;
let redis: Redis;
const pass = (ms: number) => setWarpOffsetMs(warpOffsetMs() + ms);
const connect = (options: { enableAutoPipelining?: boolean; token?: string } = {}) =>
  new Redis({
    url: upstash.url,
    token: "secret",
    enableTelemetry: false,
    enableAutoPipelining: false,
    retry: false,
    ...options,
  });
const raw = (path: string, init: RequestInit = {}) =>
  fetch(upstash.url + path, {
    ...init,
    headers: { authorization: "Bearer secret", ...init.headers },
  });

beforeAll(async () => {
  upstash = await startUpstash({ token: "secret" });
  redis = connect();
});
afterAll(() => upstash.close());
beforeEach(() => {
  upstash.flush();
  upstash.faults.clear();
  upstash.log.clear();
});

describe("values", () => {
  test("a JSON object comes back as it went in", async () => {
    await redis.set("lead", { name: "Zoë", tags: ["a", "b"], score: 1.5 });
    expect(await redis.get("lead")).toEqual({ name: "Zoë", tags: ["a", "b"], score: 1.5 });
  });

  test("text keeps every character, whether answered in base64 or not", async () => {
    const text = 'naïve “quotes” 日本語 🚀 \u0000 \n "OK"';
    await redis.set("text", text);
    expect(await redis.get("text")).toBe(text);
    const plain = new Redis({ url: upstash.url, token: "secret", responseEncoding: false });
    expect(await plain.get("text")).toBe(text);
    expect(await redis.strlen("text")).toBe(Buffer.byteLength(text));
  });

  test("the stored string OK is told from the status OK", async () => {
    expect(await redis.set("k", "OK")).toBe("OK");
    expect(await redis.get("k")).toBe("OK");
    expect(await redis.mget("k", "absent")).toEqual(["OK", null]);
  });

  test("bytes that are not UTF-8 survive", async () => {
    const bytes = Buffer.from([0, 255, 128, 200]);
    await raw("/set/bin", { method: "POST", body: bytes });
    const reply = await raw("/get/bin", { headers: { "upstash-encoding": "base64" } });
    expect(await reply.json()).toEqual({ result: bytes.toString("base64") });
  });
});

describe("strings and expiry", () => {
  test("SET NX takes a free key only, XX a taken one only", async () => {
    expect(await redis.set("k", 1, { nx: true })).toBe("OK");
    expect(await redis.set("k", 2, { nx: true })).toBeNull();
    expect(await redis.set("other", 2, { xx: true })).toBeNull();
    expect(await redis.set("k", 3, { xx: true, get: true })).toBe(1);
    expect(await redis.get("k")).toBe(3);
  });

  test("a key goes when the stack's clock passes its expiry", async () => {
    await redis.set("k", "v", { ex: 60 });
    pass(59_000);
    expect(await redis.get("k")).toBe("v");
    expect(await redis.ttl("k")).toBe(1);
    pass(1000);
    expect(await redis.get("k")).toBeNull();
    expect(await redis.ttl("k")).toBe(-2);
    expect(await redis.dbsize()).toBe(0);
  });

  test("every way to give an expiry gives the same one", async () => {
    const inAMinute = Date.now() + 60_000;
    await redis.set("px", "v", { px: 60_000 });
    await redis.set("pxat", "v", { pxat: inAMinute as 1700000000000 });
    await redis.set("exat", "v", { exat: Math.floor(inAMinute / 1000) as 1700000000 });
    await redis.setex("setex", 60, "v");
    await redis.psetex("psetex", 60_000, "v");
    await redis.set("expire", "v");
    await redis.expire("expire", 60);
    for (const key of ["px", "pxat", "exat", "setex", "psetex", "expire"]) {
      expect([key, Math.ceil((await redis.pttl(key)) / 5000)]).toEqual([key, 12]);
    }
  });

  test("SET drops an expiry unless KEEPTTL is given; INCR and APPEND keep it", async () => {
    await redis.set("k", 1, { ex: 60 });
    await redis.incr("k");
    await redis.append("k", "0");
    expect(await redis.ttl("k")).toBe(60);
    await redis.set("k", 5, { keepTtl: true });
    expect(await redis.ttl("k")).toBe(60);
    await redis.set("k", 5);
    expect(await redis.ttl("k")).toBe(-1);
  });

  test.each([
    ["NX", [1, 0]],
    ["XX", [0, 1]],
    ["GT", [0, 0]],
    ["LT", [1, 1]],
  ] as const)("EXPIRE %s looks at the expiry there is", async (option, [without, withLonger]) => {
    await redis.set("without", 1);
    await redis.set("longer", 1, { ex: 100 });
    expect(await redis.expire("without", 50, option)).toBe(without);
    expect(await redis.expire("longer", 50, option)).toBe(withLonger);
  });

  test("PERSIST keeps a key for good", async () => {
    await redis.set("k", 1, { ex: 1 });
    expect(await redis.persist("k")).toBe(1);
    pass(5000);
    expect(await redis.exists("k")).toBe(1);
  });

  test("GETDEL and GETEX read and change in one step", async () => {
    await redis.set("k", "v");
    expect(await redis.getex("k", { ex: 30 })).toBe("v");
    expect(await redis.ttl("k")).toBe(30);
    expect(await redis.getdel("k")).toBe("v");
    expect(await redis.get("k")).toBeNull();
  });

  test("counters count, and refuse what is no integer", async () => {
    expect(await redis.incrby("n", 41)).toBe(41);
    expect(await redis.incr("n")).toBe(42);
    expect(await redis.decrby("n", 50)).toBe(-8);
    expect(await redis.incrbyfloat("f", 0.5)).toBe(0.5);
    await redis.set("text", "abc");
    await expect(redis.incr("text")).rejects.toThrow("ERR value is not an integer or out of range");
    await redis.set("big", "9223372036854775807");
    await expect(redis.incr("big")).rejects.toThrow("increment or decrement would overflow");
  });

  test("MSET, MGET, DEL and EXISTS take many keys", async () => {
    await redis.mset({ a: 1, b: 2 });
    expect(await redis.mget("a", "nope", "b")).toEqual([1, null, 2]);
    expect(await redis.exists("a", "a", "nope")).toBe(2);
    expect(await redis.del("a", "nope")).toBe(1);
  });

  test("RENAME carries value and expiry along", async () => {
    await redis.set("from", "v", { ex: 60 });
    await redis.rename("from", "to");
    expect(await redis.ttl("to")).toBe(60);
    await expect(redis.rename("from", "to")).rejects.toThrow("ERR no such key");
  });
});

describe("the keys that there are", () => {
  test("SCAN finds every key that stays, though others go in between", async () => {
    const kept = Array.from({ length: 40 }, (_, i) => `keep:${i}`);
    await redis.mset(
      Object.fromEntries(
        kept.flatMap((key) => [
          [key, 1],
          [`drop:${key}`, 1],
        ]),
      ),
    );
    const found: string[] = [];
    let cursor = "0";
    for (let round = 0; round < 50; round++) {
      const [next, keys] = await redis.scan(cursor, { match: "keep:*", count: 7 });
      found.push(...keys);
      await redis.del(...kept.slice(round * 5, round * 5 + 5).map((key) => `drop:${key}`), "x");
      cursor = next;
      if (cursor === "0") break;
    }
    expect(found.toSorted()).toEqual(kept.toSorted());
  });

  test("KEYS understands globs", async () => {
    await redis.mset({ a1: 1, a2: 1, b1: 1, "a*": 1 });
    expect((await redis.keys("a[12]")).toSorted()).toEqual(["a1", "a2"]);
    expect(await redis.keys("a\\*")).toEqual(["a*"]);
    expect((await redis.keys("?1")).toSorted()).toEqual(["a1", "b1"]);
    expect((await redis.keys("a[^1]")).toSorted()).toEqual(["a*", "a2"]);
  });
});

describe("many commands in one request", () => {
  test("a pipeline answers each command, errors in their places", async () => {
    const results = await redis
      .pipeline()
      .set("k", "text")
      .incr("k")
      .get("k")
      .exec({ keepErrors: true });
    expect(results[1]).toMatchObject({ error: expect.stringContaining("not an integer") });
    expect(results[2]).toMatchObject({ result: "text" });
  });

  test("a transaction runs all its commands at one instant", async () => {
    const results = await redis.multi().incrby("n", 2).pexpire("n", 1000).pttl("n").exec();
    expect(results).toEqual([2, 1, 1000]);
  });

  test("a transaction with a command that does not exist changes nothing", async () => {
    const commands = [
      ["SET", "k", "v"],
      ["NOSUCH", "k"],
    ];
    const reply = await raw("/multi-exec", { method: "POST", body: JSON.stringify(commands) });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toEqual({ error: expect.stringMatching(/^EXECABORT/) });
    expect(await redis.get("k")).toBeNull();
  });

  test("automatic pipelining gathers concurrent commands into one request", async () => {
    const auto = connect({ enableAutoPipelining: true });
    const results = await Promise.all([auto.incr("a"), auto.incr("a"), auto.incr("b")]);
    expect(results).toEqual([1, 2, 1]);
  });
});

describe("wire", () => {
  const json = async (path: string, init?: RequestInit) => {
    const reply = await raw(path, init);
    return [reply.status, await reply.json()];
  };

  test("commands may be given in the path, with the value as body and options as query", async () => {
    expect(await json("/set/k/a%2Fb")).toEqual([200, { result: "OK" }]);
    expect(await json("/get/k")).toEqual([200, { result: "a/b" }]);
    expect(await json("/set/k?EX=100&NX", { method: "POST", body: "x" })).toEqual([
      200,
      { result: null },
    ]);
    expect(await json("/set/k2?EX=100", { method: "POST", body: "x" })).toEqual([
      200,
      { result: "OK" },
    ]);
    expect(await json("/ttl/k2")).toEqual([200, { result: 100 }]);
  });

  test("a wrong token is refused, one in the query accepted", async () => {
    await expect(connect({ token: "wrong" }).get("k")).rejects.toThrow("WRONGPASS");
    const reply = await fetch(`${upstash.url}/get/k?_token=secret`);
    expect([reply.status, await reply.json()]).toEqual([200, { result: null }]);
    expect((await fetch(`${upstash.url}/get/k`)).status).toBe(401);
  });

  test("errors are Redis's own", async () => {
    expect(await json("/lpush/list/1")).toEqual([400, { error: "ERR unknown command 'lpush'" }]);
    expect(await json("/get")).toEqual([
      400,
      { error: "ERR wrong number of arguments for 'get' command" },
    ]);
    expect(await json("/set/k/v/EX/0")).toEqual([
      400,
      { error: "ERR invalid expire time in 'set' command" },
    ]);
    expect(await json("/", { method: "POST", body: "{" })).toMatchObject([400, {}]);
    expect((await raw("/get/k", { method: "DELETE" })).status).toBe(405);
  });

  test("scripts are refused by name", async () => {
    await expect(redis.eval("return 1", [], [])).rejects.toThrow("runs no Lua scripts");
    await expect(redis.scriptLoad("return 1")).rejects.toThrow("runs no Lua scripts");
  });

  test("no script is known by its digest, and a client that asks for one goes on to its text", async () => {
    const digest = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db";
    await expect(redis.evalsha(digest, [], [])).rejects.toThrow("NOSCRIPT");
    await expect(redis.evalshaRo(digest, [], [])).rejects.toThrow("NOSCRIPT");
    await expect(redis.createScript("return 1").exec([], [])).rejects.toThrow(
      "EVAL is not available here",
    );
    expect(await redis.scriptExists(digest, digest)).toEqual([0, 0]);
    expect(await redis.scriptFlush()).toBe("OK");
  });

  test("in a transaction an unknown script fails by itself, as a command that fails when it runs", async () => {
    const reply = await raw("/multi-exec", {
      method: "POST",
      body: JSON.stringify([
        ["SET", "k", "1"],
        ["EVALSHA", "e0e1", "0"],
        ["GET", "k"],
      ]),
    });
    expect([reply.status, await reply.json()]).toEqual([
      200,
      [{ result: "OK" }, { error: expect.stringContaining("NOSCRIPT") }, { result: "1" }],
    ]);
  });

  test("RESP2 on request", async () => {
    await redis.mset({ a: "é", b: "b" });
    const headers = { "upstash-response-format": "resp2" };
    expect(await (await raw("/mget/a/b", { headers })).text()).toBe("*2\r\n$2\r\né\r\n$1\r\nb\r\n");
    expect(
      (await raw("/ping", { headers: { ...headers, "upstash-encoding": "base64" } })).status,
    ).toBe(400);
  });

  test("in base64 the status OK stays as it is, and every other string does not", async () => {
    const headers = { "upstash-encoding": "base64" };
    expect(await json("/set/k/OK", { headers })).toEqual([200, { result: "OK" }]);
    expect(await json("/get/k", { headers })).toEqual([200, { result: btoa("OK") }]);
    expect(await json("/ping", { headers })).toEqual([200, { result: btoa("PONG") }]);
  });

  test("every answer carries a sync token", async () => {
    expect((await raw("/ping")).headers.get("upstash-sync-token")).toMatch(/\d+/);
  });

  test("PING, ECHO and TIME", async () => {
    expect(await redis.ping()).toBe("PONG");
    expect(await redis.echo("hi")).toBe("hi");
    const [seconds] = await redis.time();
    expect(Math.abs(Number(seconds) * 1000 - Date.now())).toBeLessThan(5000);
  });
});

describe("faults", () => {
  test("unavailable answers 503 once", async () => {
    upstash.faults.order("unavailable", 1);
    await expect(redis.get("k")).rejects.toThrow("service unavailable");
    expect(await redis.get("k")).toBeNull();
  });

  test("hang answers nothing until the client gives up", async () => {
    upstash.faults.order("hang", 1);
    const signal = AbortSignal.timeout(50);
    await expect(raw("/ping", { signal })).rejects.toThrow(/timeout/i);
    expect(await redis.ping()).toBe("PONG");
  });

  test("forget loses every key", async () => {
    await redis.set("k", "v");
    upstash.faults.order("forget", 1);
    expect(await redis.get("k")).toBeNull();
  });

  test("slow does what it is asked, and answers when nobody waits any more", async () => {
    upstash.faults.order("slow", 1);
    const signal = AbortSignal.timeout(50);
    await expect(raw("/incr/k", { signal })).rejects.toThrow(/timeout/i);
    expect(await redis.get("k")).toBe(1);
  });

  test("lie says 1 of whatever was counted, and garbage nothing that was asked", async () => {
    await redis.set("k", 41);
    const count = () => redis.multi().incr("k").expire("k", 9).exec();
    upstash.faults.order("lie", 1);
    expect(await count()).toEqual([1, 1]);
    upstash.faults.order("garbage", 1);
    expect(await count()).toEqual([expect.any(String), null]);
    expect(await redis.get("k")).toBe(43);
  });

  test("the log names each command and its key, never its value", async () => {
    await redis.set("k", "private");
    expect(upstash.log.entries().map((call) => call.summary)).toEqual(["SET k"]);
  });
});

test("the read-only token reads, and is refused what writes, also in a transaction", async () => {
  await redis.set("kept", "as it was");
  const reader = connect({ token: upstash.readOnlyToken });
  expect(await reader.get("kept")).toBe("as it was");
  await expect(reader.set("kept", "changed")).rejects.toThrow(
    "NOPERM this user has no permissions to run the 'set' command",
  );
  await expect(reader.multi().incr("count").exec()).rejects.toThrow("NOPERM");
  expect(await redis.mget("kept", "count")).toEqual(["as it was", null]);
});
