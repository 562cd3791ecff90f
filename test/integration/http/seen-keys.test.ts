import { beforeEach, expect, test } from "vitest";
import { createApp } from "#src/app.ts";
import type { Deps } from "#src/deps.ts";
import { api, tenant, useApi } from "../../support/use-api.ts";
import { statements } from "../../support/statements.ts";

useApi({ of: { plan: "free" }, eachTest: true });
beforeEach(() => {
  // To the beginning of a minute: no test is to run across the end of one.
  api.advance(60 - ((api.deps.clock.now().getTime() / 1000) % 60));
});

/** The API, noting how often the database was asked when the limiter is. */
function watched() {
  const asked: number[] = [];
  let since = () => 0;
  const deps: Deps = {
    ...api.deps,
    cache: {
      ...api.deps.cache,
      count(keys) {
        asked.push(since());
        return api.deps.cache.count(keys);
      },
    },
  };
  const app = createApp({ now: () => new Date(), makeDeps: () => deps });
  return {
    asked,
    inAll: () => since(),
    async read() {
      since = await statements(api);
      asked.length = 0;
      return app.fetch(
        new Request("http://localhost/api/v1/templates", {
          headers: { authorization: `Bearer ${tenant.key}` },
        }),
      );
    },
  };
}

const leftOf = (reply: Response) =>
  Number(/"workspace";r=(\d+)/.exec(reply.headers.get("ratelimit") ?? "")?.[1]);

test("a key that was let in a moment ago is counted while the database is asked", async () => {
  const { read, asked, inAll } = watched();
  const first = await read();
  expect([first.status, asked]).toEqual([200, [1]]);
  const second = await read();
  expect([second.status, asked]).toEqual([200, [0]]);
  expect(inAll(), "one trip for both statements").toBe(1);
  expect(leftOf(first) - leftOf(second)).toBe(1);
});

test("after a minute without a request it is asked for first again", async () => {
  const { read, asked } = watched();
  await read();
  api.advance(61);
  await read();
  expect(asked).toEqual([1]);
});

test("a revoked key is refused at once, and counts for its workspace once more at most", async () => {
  const { read } = watched();
  await read();
  const before = leftOf(await read());
  await api.sql.query("update api_keys set revoked_at = now() where workspace_id = $1", [
    tenant.workspaceId,
  ]);
  for (let times = 0; times < 3; times++) expect((await read()).status).toBe(401);
  const other = await tenant.callAsUser("GET", "/api/v1/auth/me");
  const after = Number(/"workspace";r=(\d+)/.exec(other.headers.get("ratelimit")!)?.[1]);
  expect(before - after).toBe(2);
});

test("a plan that changed holds from the next request on, and the count goes on", async () => {
  const { read } = watched();
  await read();
  const before = leftOf(await read());
  await api.sql.query("update workspaces set plan = 'paid' where id = $1", [tenant.workspaceId]);
  const reply = await read();
  expect(reply.headers.get("ratelimit-policy")).toBe('"workspace";q=600;w=60');
  expect(leftOf(reply)).toBe(600 - (60 - before) - 1);
});
