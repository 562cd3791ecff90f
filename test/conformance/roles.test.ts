/** What each role may do, at every operation, by a login and by the keys that its member made. */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { neededRole, OPERATIONS_WITH_ROLE, type Role, ROLES } from "#src/domain/access/roles.ts";
import { everyOperation } from "#src/routes/index.ts";
import type { Tenant } from "../support/api.ts";
import { api, useApi } from "../support/use-api.ts";
import { fill, type Operation, operations } from "./operations.ts";

const as = new Map<Role, Tenant>();

useApi();
beforeAll(async () => {
  for (const role of ROLES) {
    const tenant = await api.tenant();
    await api.sql.query("update workspace_members set role = $2 where workspace_id = $1", [
      tenant.workspaceId,
      role,
    ]);
    as.set(role, tenant);
  }
});

async function ask({ address, method, hasBody }: Operation, credential: string) {
  api.forgetQuotas();
  const response = await api.request(
    fill(address, () => randomUUID()),
    {
      method,
      headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
      ...(hasBody ? { body: "{}" } : {}),
    },
  );
  const text = await response.text();
  return text.includes("ROLE_MISSING") ? (JSON.parse(text) as { role: string }).role : null;
}

const guarded = operations.filter(({ access }) => access === "workspace" || access === "jwt");
/** What would end the workspace of the test, or a membership, is asked by who may not alone. */
const ENDS = new Set(["deleteWorkspace"]);

test("every operation of a workspace has a role, and no other is named", async () => {
  const said = (await everyOperation())
    .map((operation) => operation.said)
    .filter(({ access = "workspace" }) => access === "workspace" || access === "jwt");
  const without = said.filter(({ id, scope }) => neededRole(id, scope) === undefined);
  expect(without.map(({ id }) => id)).toEqual([]);
  const ids = new Set(said.map(({ id }) => id));
  expect(OPERATIONS_WITH_ROLE.filter((id) => !ids.has(id))).toEqual([]);
});

test.each(guarded.map((operation) => [operation.name, operation] as const))(
  "%s: let in from its role on, and below told which it takes",
  async (_, operation) => {
    const { id, access, scope } = operation;
    // The description says no scope where any will do.
    const needed = neededRole(id, (scope ?? (access === "jwt" ? undefined : "any")) as "any")!;
    for (const role of ROLES) {
      const isEnough = ROLES.indexOf(role) >= ROLES.indexOf(needed);
      if (isEnough && ENDS.has(id)) continue;
      const { key, jwt } = as.get(role)!;
      const credentials = access === "jwt" ? [jwt] : [key, jwt];
      for (const credential of credentials) {
        const missing = await ask(operation, credential);
        // A viewer may leave, and take nobody else out.
        const wanted =
          id === "removeMember" && role !== "owner" && role !== "admin" ? "admin" : needed;
        const isRefused = !isEnough || (id === "removeMember" && wanted === "admin");
        expect([role, missing]).toEqual([role, isRefused ? wanted : null]);
      }
    }
  },
);

/** From the design of the console, by hand. */
test.each([
  ["GET /api/v1/campaigns/", "viewer"],
  ["GET /api/v1/conversations", "viewer"],
  ["GET /api/v1/confirmations", "viewer"],
  ["PUT /api/v1/notifications/preferences", "viewer"],
  ["POST /api/v1/campaigns/", "member"],
  ["POST /api/v1/campaigns/{campaign_id}/launch", "member"],
  ["POST /api/v1/datasets", "member"],
  ["POST /api/v1/leads/export", "member"],
  ["POST /api/v1/templates", "member"],
  ["POST /api/v1/conversations/{conversation_id}/reply", "member"],
  ["POST /api/v1/mailer/aliases", "admin"],
  ["POST /api/v1/mailer/domains", "admin"],
  ["POST /api/v1/connected-accounts/connect", "admin"],
  ["POST /api/v1/api-keys", "admin"],
  ["POST /api/v1/payments/purchase-credits", "admin"],
  ["POST /api/v1/webhooks", "admin"],
  ["POST /api/v1/workspace/invitations", "admin"],
  ["PATCH /api/v1/workspace/members/{user_id}", "admin"],
  ["PATCH /api/v1/workspace", "admin"],
  ["DELETE /api/v1/workspace", "owner"],
])("%s takes the role %s", async (name, role) => {
  const operation = operations.find((each) => each.name === name)!;
  const below = ROLES[ROLES.indexOf(role as Role) - 1];
  if (below === undefined) return expect(await ask(operation, as.get("viewer")!.jwt)).toBeNull();
  expect(await ask(operation, as.get(below)!.jwt)).toBe(role);
});
