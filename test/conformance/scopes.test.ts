/** A key made with scopes may do what they open and nothing else, at every operation. */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { createKey } from "#src/domain/access/manage-keys.ts";
import { type Scope, SCOPES } from "#src/domain/access/scopes.ts";
import { everyOperation } from "#src/routes/index.ts";
import { api, useApi } from "../support/use-api.ts";
import { fill, type Operation, operations } from "./operations.ts";

const scopes = Object.keys(SCOPES) as Scope[];

/** Keys by the scope that each has alone, and by the one that each lacks. */
const only = new Map<string | null, string>();
const without = new Map<string, string>();

useApi();
beforeAll(async () => {
  const { workspaceId, userId } = await api.tenant();
  const principal = {
    workspaceId,
    userId,
    plan: "paid",
    role: "owner",
    via: "jwt",
    actor: "jwt:of a test",
    scopes: null,
    confirm: "human",
  } as const;
  const keyWith = async (those: Scope[]) =>
    (
      await createKey(api.deps, principal, {
        name: "scoped",
        scopes: those,
        expiresAt: null,
        confirm: "human",
      })
    ).key;
  for (const scope of scopes) {
    only.set(scope, await keyWith([scope]));
    without.set(scope, await keyWith(scopes.filter((other) => other !== scope)));
  }
  only.set(null, only.get("sheets:read")!);
  only.set("unscoped", (await api.tenant()).key);
  without.set("unscoped", await keyWith(scopes));
});

async function ask({ address, method, hasBody }: Operation, key: string) {
  const response = await api.request(
    fill(address, () => randomUUID()),
    {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(hasBody ? { body: "{}" } : {}),
    },
  );
  const body = await response.text();
  return { status: response.status, headers: response.headers, body };
}

test("every operation of a workspace says which scope it needs, or that any or none will do, and no other says one", async () => {
  const said = (await everyOperation()).map((operation) => operation.said);
  const wrong = said.filter(
    ({ access = "workspace", scope }) => (scope !== undefined) !== (access === "workspace"),
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
  const used = new Set(said.map(({ scope }) => scope));
  expect(scopes.filter((scope) => !used.has(scope))).toEqual([]);
});

const ofWorkspaces = operations
  .filter(({ access }) => access === "workspace")
  .map((operation) => [operation.name, operation] as const);

test.each(ofWorkspaces)("%s: a key with what it needs alone is let in", async (_, operation) => {
  const { status, body } = await ask(operation, only.get(operation.scope)!);
  expect(body).not.toContain("SCOPE_MISSING");
  expect([401, 403, 429]).not.toContain(status);
});

test.each(ofWorkspaces.filter(([, { scope }]) => scope !== null))(
  "%s: a key with every other scope is refused, and told which it lacks",
  async (_, operation) => {
    const { status, headers, body } = await ask(operation, without.get(operation.scope!)!);
    expect(status).toBe(403);
    const challenge = headers.get("www-authenticate");
    if (operation.scope === "unscoped") {
      expect(JSON.parse(body)).toMatchObject({ detail: "SCOPE_MISSING" });
      expect(JSON.parse(body)).not.toHaveProperty("scope");
      return expect(challenge).toBe('Bearer error="insufficient_scope"');
    }
    expect(JSON.parse(body)).toMatchObject({ detail: "SCOPE_MISSING", scope: operation.scope });
    expect(challenge).toBe(`Bearer error="insufficient_scope", scope="${operation.scope}"`);
  },
);

/** What no scope opens, by hand: all that is kept of a person, and previews with bodies of mails. */
test("whatever scopes a key has, it opens no export of a person and no list of confirmations", () => {
  const shut = ofWorkspaces.filter(([, { scope }]) => scope === "unscoped").map(([name]) => name);
  expect(shut.toSorted()).toEqual(["GET /api/v1/confirmations", "POST /api/v1/leads/export"]);
});
