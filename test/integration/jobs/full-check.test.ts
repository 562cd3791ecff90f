import { afterAll, beforeAll, expect, test } from "vitest";
import type { Deps } from "#src/deps.ts";
import { fullCheck } from "#src/domain/jobs/heartbeat.ts";
import { startApi, type TestApi } from "../../support/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test("upkeep that fails is said, and keeps nothing else from being done", async () => {
  await api.sql.query("alter table social_posts rename to social_posts_away");
  await api.sql.query("insert into web_lookups values ('over', '{}', 'epoch', 'epoch')");
  const failed: unknown[] = [];
  const log: Deps["log"] = {
    ...api.deps.log,
    error: (event, fields) => void failed.push([event, fields?.["upkeep"]]),
  };
  await fullCheck({ ...api.deps, log });
  expect(failed).toContainEqual(["upkeep_failed", "posts"]);
  expect((await api.sql.query("select from web_lookups")).rowCount).toBe(0);
});
