import { expect, test } from "vitest";
import { formOf, POSTS } from "../../support/posts.ts";
import { tenant, useApi } from "../../support/use-api.ts";
import { ACCOUNTS, connect } from "./accounts-setting.ts";

useApi({ eachTest: true });

test("without a network every operation that needs it is 503 in its own envelope", async () => {
  for (const reply of [
    await tenant.call("POST", "/api/v1/socialnet/message", { identifier: "x", text: "Hi" }),
    await tenant.call("GET", "/api/v1/socialnet/chats"),
    await tenant.call("POST", "/api/v1/socialnet/webhook", {}),
    await tenant.call("POST", POSTS, formOf({ text: "a" })),
    await connect(tenant, "ok@example.zz"),
  ])
    expect([reply.status, reply.body]).toEqual([
      503,
      { detail: "NETWORK_NOT_CONFIGURED", message: expect.any(String) },
    ]);
});

test("what was made before can be read", async () => {
  const nothing = { items: [], accounts: [], next_after: null, total_count: 0 };
  expect((await tenant.call("GET", POSTS)).body).toEqual(nothing);
  expect((await tenant.call("GET", ACCOUNTS)).body).toEqual([]);
});
