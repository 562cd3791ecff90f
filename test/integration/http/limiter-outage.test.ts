import { beforeEach, expect, test } from "vitest";
import { createApp } from "#src/app.ts";
import type { Deps } from "#src/deps.ts";
import { createRecentCounts } from "#src/platform/recent-counts.ts";
import type { Tenant } from "../../support/api.ts";
import { api, useApi } from "../../support/use-api.ts";

let free: Tenant;
useApi();
beforeEach(async () => {
  api.redis.faults.clear();
  free = await api.tenant({ plan: "free" });
  // To the beginning of a minute: no test is to run across the end of one.
  api.advance(60 - ((api.deps.clock.now().getTime() / 1000) % 60));
});

const path = "/api/v1/auth/me";
/** How many of so many requests at once were answered with that status. */
async function atOnce(
  times: number,
  ask: () => Promise<{ status: number }> = () => free.call("GET", path),
  status = 200,
): Promise<number> {
  const replies = await Promise.all(Array.from({ length: times }, ask));
  return replies.filter((reply) => reply.status === status).length;
}
/** Asks an isolate that differs in these. */
function isolateOf(different: Partial<Deps>) {
  const deps = { ...api.deps, ...different };
  const app = createApp({ now: () => new Date(), makeDeps: () => deps });
  const headers = { authorization: `Bearer ${free.key}` };
  return async () => app.fetch(new Request(`http://localhost${path}`, { headers }));
}
const ordered = (fault: string) => api.redis.faults.order(fault, 1_000);

test.each(["unavailable", "hang", "slow", "forget", "lie", "garbage"])(
  "with a store of counters that shows %s a free workspace is answered 60 times a minute",
  async (fault) => {
    ordered(fault);
    expect(await atOnce(70)).toBe(60);
    const { status, headers } = await free.call("GET", path);
    expect(status).toBe(429);
    expect(headers.get("ratelimit")).toMatch(/^"workspace";r=0;t=\d+$/);
    expect(headers.get("ratelimit-policy")).toBe('"workspace";q=60;w=60');
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    api.advance(60);
    expect(await atOnce(2)).toBe(2);
  },
);

test("700 at once are 60, when the store answers none of them", async () => {
  ordered("hang");
  expect(await atOnce(700)).toBe(60);
});

test.each(["hang", "forget"])(
  "a store that is well again in the middle of a minute (%s) goes on where the isolate is",
  async (fault) => {
    ordered(fault);
    expect(await atOnce(30)).toBe(30);
    api.redis.faults.clear();
    expect(await atOnce(20)).toBe(20);
    ordered(fault);
    expect(await atOnce(20)).toBe(10);
  },
);

test("what the isolate refuses by itself, the store is not asked about", async () => {
  let asked = 0;
  const count: Deps["cache"]["count"] = (keys) => (asked++, api.deps.cache.count(keys));
  const ask = isolateOf({ cache: { ...api.deps.cache, count } });
  expect(await atOnce(70, ask)).toBe(60);
  expect(asked).toBe(60);
});

test("without counters too many refused credentials of an address are 429", async () => {
  ordered("unavailable");
  const headers = { authorization: "Bearer nonsense", "cf-connecting-ip": "192.0.2.7" };
  expect(await atOnce(35, () => api.request(path, { headers }), 401)).toBe(30);
});

test.each(["hang", "slow", "garbage"])("without counters (%s) no key is made", async (fault) => {
  const tenant = await api.tenant();
  ordered(fault);
  const reply = await tenant.callAsUser("POST", "/api/v1/api-keys", { name: "x" });
  expect([reply.status, reply.body.detail]).toEqual([503, "RATE_LIMITER_UNAVAILABLE"]);
});

test("what the store counted for others counts, and what it missed does not open it", async () => {
  const elsewhere = isolateOf({ quotaCounts: createRecentCounts(100) });
  expect(await atOnce(25)).toBe(25);
  expect(await atOnce(25, elsewhere)).toBe(25);
  api.redis.faults.order("unavailable", 5);
  expect(await atOnce(5)).toBe(5);
  // The store counted 50 of the 55; each isolate knows of its own beside them.
  expect(await atOnce(20, elsewhere)).toBe(10);
  expect(await atOnce(20)).toBe(0);
});
