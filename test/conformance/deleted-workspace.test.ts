import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { Tenant } from "../support/api.ts";
import { api, useApi } from "../support/use-api.ts";
import { fill, type Operation, operations } from "./operations.ts";
import { table } from "./table.ts";

let gone: Tenant;
useApi();
beforeAll(async () => {
  gone = await api.tenant();
  await gone.callAsUser("DELETE", "/api/v1/workspace");
});

async function ask({ method, address, hasBody }: Operation, credential: string) {
  const headers = { authorization: `Bearer ${credential}`, "content-type": "application/json" };
  const at = fill(address, () => randomUUID());
  const reply = await api.request(at, { method, headers, ...(hasBody && { body: "{}" }) });
  return [reply.status, ((await reply.json()) as { detail: string }).detail];
}

const guarded = operations.filter(({ access }) => access === "workspace" || access === "jwt");

test.each(guarded.map((operation) => [operation.name, operation] as const))(
  "%s of a deleted workspace: 401, WORKSPACE_DELETED for its login and KEY_REVOKED for its keys",
  async (name, operation) => {
    expect(await ask(operation, gone.jwt)).toEqual([401, "WORKSPACE_DELETED"]);
    const revoked =
      table[name]!.errors === "coded" ? "KEY_REVOKED" : expect.stringMatching(/revoked/);
    expect(await ask(operation, gone.key)).toEqual([401, revoked]);
  },
);
