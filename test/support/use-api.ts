import { afterAll, beforeAll, beforeEach } from "vitest";
import { startApi, type Tenant, type TestApi } from "./api.ts";
import { queryOf } from "./query.ts";

/** What `useApi` gives a file: the service, and a workspace. */
export let api: TestApi;
export let tenant: Tenant;
export const query = queryOf(() => api.sql);

/** The workspace is the file's own, or each test's. */
export function useApi(workspace: "for the file" | "for each test" = "for the file"): void {
  const renew = async () => {
    tenant = await api.tenant();
  };
  beforeAll(async () => {
    api = await startApi();
    await renew();
  });
  afterAll(() => api.close());
  if (workspace === "for each test") beforeEach(renew);
}
