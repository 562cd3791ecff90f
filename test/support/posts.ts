import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Network } from "#src/providers/network/index.ts";
import type { Tenant, TestApi } from "./api.ts";

export const POSTS = "/api/v1/socialnet/posts/";

export type FormFields = Record<string, string | Blob>;

export function formOf(fields: FormFields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
export interface TestAccount {
  id: string;
  providerAccountId: string;
}

/** Where accounts are made: a network, and the database of whoever has them. */
export interface AccountPlace {
  network: Network;
  sql: Pool;
}

/** A session of somebody of the network as an account of the workspace. */
export async function connectAccount(
  { network: { accounts }, sql }: AccountPlace,
  { workspaceId, userId }: Pick<Tenant, "workspaceId" | "userId">,
  { isDefault = true }: { isDefault?: boolean } = {},
): Promise<TestAccount> {
  const username = `ok+${randomUUID()}@acme.com`;
  const connected = await accounts.connect({ username, password: "of the tests" });
  if (!connected.ok) throw new Error(connected.failure.detail);
  const providerAccountId = connected.value.accountId;
  const got = await accounts.get(providerAccountId);
  if (!got.ok || got.value === null) throw new Error("There is no such account.");
  const id = randomUUID();
  await sql.query(
    `insert into connected_accounts (id, workspace_id, user_id, created_at, updated_at, provider, provider_account_id,
       person_id, display_name, profile_url, is_premium, status, status_since, checkpoint_pending, is_default,
       daily_connection_limit, daily_message_limit, warmup_days, failures)
     values ($1, $2, $3, $4, $4, 'socialnet', $5, $6, $7, $8, false, 'connected', $4, false, $9, 20, 50, 14, 0)`,
    [
      id,
      workspaceId,
      userId,
      new Date(),
      providerAccountId,
      got.value.personId,
      got.value.displayName ?? "Somebody",
      got.value.profileUrl ?? "",
      isDefault,
    ],
  );
  return { id, providerAccountId };
}

/** The same where the app runs in this process. */
export const connectTenant = (
  api: TestApi,
  tenant: Tenant,
  options?: { isDefault?: boolean },
): Promise<TestAccount> =>
  connectAccount({ network: api.deps.network!, sql: api.sql }, tenant, options);
