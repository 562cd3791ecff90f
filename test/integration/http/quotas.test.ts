import { expect, test } from "vitest";
import { api, tenant, useApi } from "../../support/use-api.ts";

useApi();

/** To so many seconds before the next minute begins. */
function toBeforeTheTurn(seconds: number): void {
  const left = 60 - ((api.deps.clock.now().getTime() / 1000) % 60);
  api.advance(left - seconds + (left < seconds ? 60 : 0));
}

async function statusesOf(times: number, ask: () => Promise<{ status: number }>) {
  const replies = await Promise.all(Array.from({ length: times }, ask));
  return replies.map(({ status }) => status);
}

const allTaken = (times: number) => Array.from({ length: times }, () => 200);

test("windows are fixed: around the turn of the minute twice the limit passes, and no more", async () => {
  const free = await api.tenant({ plan: "free" });
  const ask = () => free.call("GET", "/api/v1/auth/me");
  toBeforeTheTurn(20);
  expect(await statusesOf(60, ask)).toEqual(allTaken(60));
  expect((await ask()).status).toBe(429);
  api.advance(21);
  expect(await statusesOf(60, ask)).toEqual(allTaken(60));
  expect((await ask()).status).toBe(429);
});

test("thirty people are erased in a minute, and the next one is 429", async () => {
  toBeforeTheTurn(50);
  let count = 0;
  const erase = () =>
    tenant.call("POST", "/api/v1/leads/erase", { email: `nobody${++count}@example.zz` });
  expect(await statusesOf(30, erase)).toEqual(allTaken(30));
  const over = await erase();
  expect([over.status, over.body.detail]).toEqual([429, "RATE_LIMITED"]);
});
