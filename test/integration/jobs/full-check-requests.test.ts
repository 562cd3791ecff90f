/** Cloudflare's free plan gives a run 50 subrequests: of the full check each run does what it can end. */
import { neonConfig } from "@neondatabase/serverless";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Deps } from "#src/deps.ts";
import { recordAlive } from "#src/domain/engine/idle.ts";
import { runMaintenance } from "#src/domain/jobs/maintenance.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi();

let fetchIt: typeof neonConfig.fetchFunction;
beforeEach(() => void (fetchIt = neonConfig.fetchFunction));
afterEach(() => void (neonConfig.fetchFunction = fetchIt));

/** The service, and what it asks of others: statements, the cache and the queue. */
function counting() {
  let asked = 0;
  neonConfig.fetchFunction = (...order: unknown[]) => {
    asked += 1;
    return fetchIt(...order);
  };
  const counted = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, key) {
        asked += 1;
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  const background: Promise<unknown>[] = [];
  const deps: Deps = {
    ...api.deps,
    cache: counted(api.deps.cache),
    queue: counted(api.deps.queue),
    background: (work) => void background.push(work),
  };
  return async (calls: number): Promise<number> => {
    asked = 0;
    const { tick, ...others } = api.deps.settings;
    const settings = { ...others, tick: { ...tick, limits: { ...tick.limits, calls } } };
    await recordAlive(api.deps);
    await runMaintenance({ ...deps, settings });
    await Promise.all(background);
    return asked;
  };
}

const anotherQuarter = () => api.deps.cache.delete("engine:full_check");

const isEnded = async () => {
  const [{ pages, erased }] = await query`
    select (select count(*)::int from web_lookups) as pages,
      (select count(*)::int from workspaces where id = ${tenant.workspaceId} and erasure_began_at is not null) as erased`;
  return [pages, erased];
};

test("a run with few subrequests does a half, the next one the other; one with many does all", async () => {
  const run = counting();
  await run(1_000);
  for (const calls of [50, 1_000]) {
    await query`insert into web_lookups values (${`over ${calls}`}, '{}', 'epoch', 'epoch')`;
    await anotherQuarter();
    const [first, second, third] = [await run(calls), await run(calls), await run(calls)];
    if (calls === 50) {
      expect(Math.max(first, second)).toBeLessThan(45);
      expect(second).toBeGreaterThan(15);
    } else expect(second).toBe(third);
    expect(third).toBeLessThan(6);
    expect(await isEnded()).toEqual([0, 0]);
  }
});

test("what is for the second half is done there: a workspace that was deleted is erased", async () => {
  const run = counting();
  await anotherQuarter();
  await run(50);
  await query`update workspaces set deleted_at = ${new Date(api.deps.clock.now().getTime() - 31 * 86_400_000)} where id = ${tenant.workspaceId}`;
  expect(await isEnded()).toEqual([0, 0]);
  await run(50);
  expect(await isEnded()).toEqual([0, 1]);
});
