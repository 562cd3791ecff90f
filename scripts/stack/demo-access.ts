import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { DEMO, DEMO_FREE, type Person } from "./identity/people.ts";
import { loginToken } from "./identity/signing.ts";
import { readJson, writePrivately } from "./secrets.ts";

/** Credentials of two workspaces to try things with. */
export interface DemoAccess {
  /** Login token and API key of the paid workspace, which begins with 1,000 credits. */
  jwt: string;
  api_key: string;
  /** Login token of a workspace on the free plan. */
  free_jwt: string;
}

export interface DemoAccessOptions {
  baseUrl: string;
  databaseUrl: string;
  /** Of the identity provider. */
  identityKey: string;
  /** Keeps the API key, which is shown once, over a restart. */
  keyFile?: string | undefined;
}

const CREDITS = 1000;

/** Makes what is missing of the two workspaces; what a person changed in them since stays. */
export async function ensureDemoAccess(options: DemoAccessOptions): Promise<DemoAccess> {
  const jwt = await signLogin(options.identityKey, DEMO);
  const freeJwt = await signLogin(options.identityKey, DEMO_FREE);
  const me = await call<{ workspace: { id: string; plan: string } }>(
    options,
    "GET",
    "/api/v1/auth/me",
    jwt,
  );
  await call(options, "GET", "/api/v1/auth/me", freeJwt);
  if (me.workspace.plan === "free") await makePaid(options.databaseUrl, me.workspace.id);
  return { jwt, api_key: await ensureKey(options, jwt), free_jwt: freeJwt };
}

/** A login token as the identity provider would issue it; good for ten years of the stack's clock. */
export const signLogin = (identityKey: string, person: Person): Promise<string> =>
  loginToken(identityKey, person, "10 years");

async function ensureKey(options: DemoAccessOptions, jwt: string): Promise<string> {
  const kept =
    options.keyFile === undefined ? null : readJson<{ api_key: string }>(options.keyFile);
  if (kept) {
    const response = await request(options, "GET", "/api/v1/auth/me", kept.api_key);
    if (response.ok) return kept.api_key;
  }
  const { key } = await call<{ key: string }>(options, "POST", "/api/v1/api-keys", jwt, {
    name: "local stack",
  });
  if (options.keyFile !== undefined) writePrivately(options.keyFile, { api_key: key });
  return key;
}

/** What a purchase does, without one: the plan, and the credits with their entry in the ledger. */
async function makePaid(databaseUrl: string, workspaceId: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("begin");
    const now = new Date();
    await client.query("update workspaces set plan = 'paid', updated_at = $2 where id = $1", [
      workspaceId,
      now,
    ]);
    await client.query(
      `insert into credit_entries
         (id, workspace_id, kind, available_delta, held_delta, owed_delta, ref_type, ref_id, created_at)
       values ($1, $2, 'grant', $3, 0, 0, 'demo', 'local stack', $4)`,
      [randomUUID(), workspaceId, CREDITS, now],
    );
    await client.query(
      "update credit_balances set available = available + $2, updated_at = $3 where workspace_id = $1",
      [workspaceId, CREDITS, now],
    );
    await client.query("commit");
  } finally {
    await client.end();
  }
}

function request(
  { baseUrl }: DemoAccessOptions,
  method: string,
  path: string,
  credential: string,
  body?: unknown,
): Promise<Response> {
  return fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function call<Result>(...asked: Parameters<typeof request>): Promise<Result> {
  const response = await request(...asked);
  const text = await response.text();
  if (!response.ok)
    throw new Error(`${asked[1]} ${asked[2]} answered ${response.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text) as Result;
}
