import { Client } from "@upstash/qstash";
import { expect, test } from "vitest";
import type { Deps } from "#src/deps.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { api, query, useApi } from "../../support/use-api.ts";

useApi();

test("another period is one of the queue's schedule soon, also while the engine is alive; the same is asked for once", async () => {
  const { deps, qstash } = api;
  const client = new Client({ baseUrl: qstash.url, token: "qstash-token", devMode: false });
  const cronAfter = async (periodSeconds: number) => {
    const { settings } = deps;
    await fullCheck({
      ...deps,
      settings: { ...settings, tick: { ...settings.tick, periodSeconds } },
    });
    return (await client.schedules.list()).map(({ cron }) => cron);
  };
  expect(await cronAfter(60)).toEqual(["* * * * *"]);
  expect(await cronAfter(120)).toEqual(["*/2 * * * *"]);
  await client.schedules.delete("campaign-tick");
  expect(await cronAfter(120)).toEqual([]);
  expect(await cronAfter(60)).toEqual(["* * * * *"]);
});

test("upkeep that fails is said, and keeps nothing else from being done", async () => {
  await query`alter table social_posts rename to social_posts_away`;
  await query`insert into web_lookups values ('over', '{}', 'epoch', 'epoch')`;
  const failed: unknown[] = [];
  const log: Deps["log"] = {
    ...api.deps.log,
    error: (event, fields) => void failed.push([event, fields?.["upkeep"]]),
  };
  await fullCheck({ ...api.deps, log });
  expect(failed).toContainEqual(["upkeep_failed", "posts"]);
  expect((await api.sql.query("select from web_lookups")).rowCount).toBe(0);
});
