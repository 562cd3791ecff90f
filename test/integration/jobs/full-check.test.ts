import { expect, test } from "vitest";
import type { Deps } from "#src/deps.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { api, query, useApi } from "../../support/use-api.ts";

useApi();

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
