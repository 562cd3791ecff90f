import { afterAll, beforeAll, beforeEach } from "vitest";
import { type NetworkPart, startNetwork } from "../../../scripts/stack/network/network.ts";
import { type Reply, startApi, type Tenant, type TestApi } from "../../support/api.ts";

export const API_KEY = "local.dGhlIGtleSBvZiB0aGUgdGVzdHM=";
export const PASSWORD = "correct-horse-battery-staple";

export interface AccountsSetting {
  api: TestApi;
  network: NetworkPart;
  close(): Promise<void>;
}

/** The API with the local stack's network behind the real adapter. */
export async function openAccounts(
  overrides: Record<string, string> = {},
): Promise<AccountsSetting> {
  const network = await startNetwork({ apiKey: API_KEY });
  const api = await startApi({
    UNIPILE_API_URL: network.url,
    UNIPILE_API_KEY: API_KEY,
    ...overrides,
  });
  return {
    api,
    network,
    async close() {
      await api.close();
      await network.close();
    },
  };
}

export let setting: AccountsSetting;
export let tenant: Tenant;

/** One API and one network for the file, a workspace for each test. */
export function useAccounts(): void {
  beforeAll(async () => {
    setting = await openAccounts();
  });
  afterAll(() => setting.close());
  beforeEach(async () => {
    tenant = await setting.api.tenant();
    setting.network.faults.clear();
    setting.api.qstash.log.clear();
  });
}

/** A username of that manner, the test's own. */
export const user = (kind: string) => `${kind}@${tenant.workspaceId.slice(-6)}.example.zz`;

export const ACCOUNTS = "/api/v1/connected-accounts";

export const connect = (tenant: Tenant, username: string, more: object = {}): Promise<Reply> =>
  tenant.call("POST", `${ACCOUNTS}/connect`, { username, password: PASSWORD, ...more });

export const answer = (tenant: Tenant, token: string, code: string): Promise<Reply> =>
  tenant.call("POST", `${ACCOUNTS}/checkpoint`, { checkpoint_token: token, code });

export const reconnect = (tenant: Tenant, id: string, username: string, password = PASSWORD) =>
  tenant.call("POST", `${ACCOUNTS}/${id}/reconnect`, { username, password });

/** A connected account of the tenant's. */
export async function connected(
  tenant: Tenant,
  username = "ok@example.zz",
): Promise<Reply["body"]> {
  const { status, text, body } = await connect(tenant, username);
  if (status !== 200 || body.success !== true) throw new Error(text);
  return body.account;
}

export const read = async (tenant: Tenant, id: string): Promise<Reply["body"]> =>
  (await tenant.call("GET", `${ACCOUNTS}/${id}`)).body;

export const list = async (tenant: Tenant): Promise<Reply["body"][]> =>
  (await tenant.call("GET", ACCOUNTS)).body;

/** The sessions that the provider has. */
export const sessions = ({ network }: AccountsSetting): string[] =>
  network.accounts().map(({ id }) => id);

/** How often the queue was asked to call it, since its log was cleared. */
export const queued = ({ api }: AccountsSetting, callback: string): number =>
  api.qstash.log.entries().filter(({ summary }) => summary.endsWith(`/functions/${callback}`))
    .length;
