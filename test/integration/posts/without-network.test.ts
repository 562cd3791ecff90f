import { afterAll, beforeAll, expect, test } from "vitest";
import { startApi, type TestApi } from "../../support/api.ts";
import { formOf, POSTS } from "../../support/posts.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test("without a network nothing is made, 503, and what was made can be read", async () => {
  const tenant = await api.tenant();
  const { status, body } = await tenant.call("POST", POSTS, formOf({ text: "a" }));
  expect([status, body.detail]).toEqual([503, "NETWORK_NOT_CONFIGURED"]);
  expect((await tenant.call("GET", POSTS)).body).toEqual({
    items: [],
    accounts: [],
    next_after: null,
    total_count: 0,
  });
});
