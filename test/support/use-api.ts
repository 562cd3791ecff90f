import { afterAll, beforeAll, beforeEach } from "vitest";
import { startApi, type Tenant, type TestApi } from "./api.ts";
import { queryOf } from "./query.ts";

/** What `useApi` gives a file: the service, and a workspace. */
export let api: TestApi;
export let tenant: Tenant;
export const query = queryOf(() => api.sql);

interface ApiOptions {
  /** Changes of the environment that the service reads. */
  env?: Record<string, string>;
  /** What the workspace has. */
  of?: Parameters<TestApi["tenant"]>[0];
  /** A workspace for each test instead of one for the file. */
  eachTest?: boolean;
  /** What starts it, in the place of `startApi`. */
  start?: typeof startApi;
}

export function useApi({
  env = {},
  of = {},
  eachTest = false,
  start = startApi,
}: ApiOptions = {}): void {
  const renew = async () => {
    tenant = await api.tenant(of);
  };
  beforeAll(async () => {
    api = await start(env);
    await renew();
  });
  afterAll(() => api.close());
  if (eachTest) beforeEach(renew);
}
