import { randomUUID } from "node:crypto";
import type { Tenant } from "./api.ts";

export const POSTS = "/api/v1/socialnet/posts/";

export type FormFields = Record<string, string | Blob>;

export function formOf(fields: FormFields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

export interface TestAccount {
  id: string;
  provider_account_id: string;
}

/** What connects somebody whom the network asks nothing. */
export const CONNECT = "/api/v1/connected-accounts/connect";
export const newLogin = () => ({
  provider: "socialnet",
  username: `ok+${randomUUID()}@acme.com`,
  password: "of the tests",
});

/** An account of somebody new; a workspace's first is its default. */
export async function connectTenant({ call }: Pick<Tenant, "call">): Promise<TestAccount> {
  const { status, text, body } = await call("POST", CONNECT, newLogin());
  if (status !== 200) throw new Error(text);
  return body.account;
}
