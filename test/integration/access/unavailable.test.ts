/** What keeps a good credential from being checked, or its workspace from answering, is no guess of the caller's. */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { startIdentity } from "../../../scripts/stack/identity/identity.ts";
import { signClaims } from "../../../scripts/stack/identity/signing.ts";
import { startApi, type TestApi } from "../../support/api.ts";
import { FROM_OURS } from "../../support/console-session.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi();

/** More often than an address may be refused in a minute. */
async function askOften(of: TestApi, credential: string): Promise<Response[]> {
  const headers = { authorization: `Bearer ${credential}`, "cf-connecting-ip": "203.0.113.9" };
  const answers: Response[] = [];
  for (let asked = 0; asked < 31; asked++)
    answers.push(await of.request("/api/v2/auth/me", { headers }));
  return answers;
}

const statuses = (answers: Response[]) => [...new Set(answers.map(({ status }) => status))];

test("a key of a workspace that is being moved is told to come again, however often it asks", async () => {
  await query`update workspaces set frozen_at = now(), cell = 'big' where id = ${tenant.workspaceId}`;
  const answers = await askOften(api, tenant.key);
  expect(statuses(answers)).toEqual([503]);
  expect(answers.at(-1)!.headers.get("retry-after")).toBe("15");
});

test("a login token whose issuer does not tell its keys is not called invalid, and is good once it does", async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  const identity = await startIdentity({ key, clients: [] });
  const behind = await startApi({
    JWT_ISSUER: identity.issuer,
    JWT_JWKS_URL: identity.jwksUrl,
    JWT_SECRET: undefined as never,
  });
  const claims = { iss: identity.issuer, sub: randomUUID() };
  const jwt = await signClaims(key, claims, { lifetime: "72h" });
  try {
    identity.faults.order("server_error", 31);
    const answers = await askOften(behind, jwt);
    expect(statuses(answers)).toEqual([503]);
    const [first] = answers;
    expect(await first!.json()).toMatchObject({ code: "LOGIN_UNAVAILABLE" });
    expect(first!.headers.get("retry-after")).toBe("5");
    expect(first!.headers.get("www-authenticate")).toBeNull();

    identity.faults.order("server_error", 1);
    const signIn = await behind.request("/api/v2/auth/session", {
      method: "POST",
      headers: { ...FROM_OURS, "content-type": "application/json" },
      body: JSON.stringify({ credential: jwt }),
    });
    expect([signIn.status, await signIn.json()]).toMatchObject([
      503,
      { code: "LOGIN_UNAVAILABLE" },
    ]);

    identity.faults.clear();
    const ask = async (token: string) =>
      (
        await behind.request("/api/v2/auth/me", {
          headers: { authorization: `Bearer ${token}` },
        })
      ).status;
    expect(await ask(jwt)).toBe(200);
    // A key that the issuer does not have is the token's fault.
    const options = { lifetime: "72h", keyId: "another" };
    expect(await ask(await signClaims(key, claims, options))).toBe(401);
  } finally {
    await behind.close();
    await identity.close();
  }
});
