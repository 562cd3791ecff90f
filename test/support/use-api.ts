import { afterAll, beforeAll, beforeEach } from "vitest";
import { startApi, type Tenant, type TestApi } from "./api.ts";

export let api: TestApi;
export let tenant: Tenant;

/** One API for the file, and a workspace for each test. */
export function useApi(
  env: Record<string, string> = {},
  of: Parameters<TestApi["tenant"]>[0] = {},
): void {
  beforeAll(async () => {
    api = await startApi(env);
  });
  beforeEach(async () => {
    tenant = await api.tenant(of);
  });
  afterAll(() => api.close());
}
