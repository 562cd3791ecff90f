import { afterAll, beforeAll, expect, test } from "vitest";
import { checkStatus } from "#src/domain/workspace/health/check.ts";
import { requireNetwork } from "#src/domain/network/require-network.ts";
import { startApi, type TestApi } from "../../support/api.ts";
import { API_KEY } from "../stack/network-setting.ts";
import { type OpenPart, openPart } from "./setting.ts";

let stack: OpenPart;
let api: TestApi;
beforeAll(async () => {
  stack = await openPart();
  api = await startApi({ UNIPILE_API_URL: stack.part.url, UNIPILE_API_KEY: API_KEY });
});
afterAll(async () => {
  await api.close();
  await stack.close();
});

const component = async (deps = api.deps) => (await checkStatus(deps)).components["network"]!;
const look = () => api.deps.network!.accounts.get("account");

test("without a configuration there is no network: 503, and the status page says so", async () => {
  const without = { ...api.deps, network: null };
  expect(await component(without)).toEqual({
    status: "not_configured",
    latency_ms: 0,
    detail: "UNIPILE_API_URL is not set.",
  });
  expect(() => requireNetwork(without)).toThrow(
    expect.objectContaining({ kind: "unavailable", code: "NETWORK_NOT_CONFIGURED" }),
  );
  expect(requireNetwork(api.deps)).toBe(api.deps.network);
});

test("the status page says what failed last that should not have, for five minutes", async () => {
  expect(await component()).toEqual({ status: "healthy", latency_ms: 0 });
  stack.part.faults.order("key_refused", 1);
  await look();
  expect(await component()).toEqual({
    status: "degraded",
    latency_ms: 0,
    detail: "The network's provider does not accept UNIPILE_API_KEY (missing_credentials)",
  });
  api.advance(301);
  expect((await component()).status).toBe("healthy");
});

test("what is an account's or a person's own is not there", async () => {
  const accountId = await stack.connect();
  stack.part.faults.order("session_lost", 1);
  await api.deps.network!.people.relations(accountId);
  stack.part.faults.order("rate_limited", 1);
  await look();
  expect((await component()).status).toBe("healthy");
});

test("without the cache nothing is known, and no call fails for it", async () => {
  stack.part.faults.order("unavailable", 1);
  api.redis.faults.order("unavailable", 100);
  expect(await look()).toMatchObject({ ok: false, failure: { kind: "down" } });
  expect((await component()).status).toBe("healthy");
  api.redis.faults.clear();
});

test("whoever looks asks the network nothing", async () => {
  stack.part.log.clear();
  expect((await api.request("/api/v1/status")).status).toBeLessThan(504);
  expect(stack.part.log.entries()).toEqual([]);
});
