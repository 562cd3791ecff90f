import { expect, test } from "vitest";
import { startApi } from "../../support/api.ts";

test("without a network every operation of it is 503 in its own envelope", async () => {
  const api = await startApi();
  const tenant = await api.tenant();
  for (const reply of [
    await tenant.call("POST", "/api/v1/socialnet/message", { identifier: "x", text: "Hi" }),
    await tenant.call("GET", "/api/v1/socialnet/chats"),
    await tenant.call("POST", "/api/v1/socialnet/webhook", {}),
  ])
    expect([reply.status, reply.body]).toEqual([
      503,
      { detail: "NETWORK_NOT_CONFIGURED", message: expect.any(String) },
    ]);
  await api.close();
});
