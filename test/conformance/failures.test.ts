import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Tenant } from "../support/api.ts";
import { api, useApi } from "../support/use-api.ts";
import { fill, type Operation, operations } from "./operations.ts";

/** Contract section 0: what takes more than 1 MiB of JSON. */
const LIMIT_MIB: Record<string, number> = { sendEmail: 10, sendEmails: 10 };

/** One for each kind of failure, so that no quota turns a row into a 429. */
let tenants: Tenant[];
let free: Tenant;

useApi();
beforeAll(async () => {
  tenants = await Promise.all(Array.from({ length: 6 }, () => api.tenant()));
  free = await api.tenant({ plan: "free" });
});

const guarded = operations.filter(({ access }) => !["public", "wallet"].includes(access));
const withBody = guarded.filter(({ hasBody }) => hasBody);
const withJson = guarded.filter(({ isJsonBody }) => isJsonBody);
const withId = guarded.filter(({ parameters }) => parameters.length > 0);
const anyPath = ({ address }: Operation) => fill(address, () => randomUUID());

/** Rows of every table that a refused request could have written to. */
async function rowCounts(): Promise<Record<string, number>> {
  const { rows } = await api.sql.query(
    "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows) {
    const { rows: counted } = await api.sql.query(`select count(*)::int as count from "${name}"`);
    counts[name] = counted[0].count;
  }
  return counts;
}

/** The login token where a key would be refused for another reason. */
const credentialOf = (tenant: Tenant, { access }: Operation) =>
  access === "jwt" ? tenant.jwt : tenant.key;

async function ask(
  operation: Operation,
  credential: string | null,
  body?: { text: string; type?: string },
  at = anyPath(operation),
) {
  const headers: Record<string, string> = {};
  if (credential !== null) headers["authorization"] = `Bearer ${credential}`;
  if (body !== undefined) headers["content-type"] = body.type ?? "application/json";
  const response = await api.request(at, {
    method: operation.method,
    headers,
    ...(body === undefined ? {} : { body: body.text }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

/** `{detail: text}` or `{detail: CODE, message}`: nothing else is an error of ours, validation aside. */
function expectEnvelope(body: Record<string, unknown>): void {
  expect(typeof body["detail"]).toBe("string");
  if ("message" in body) expect(body["detail"]).toMatch(/^[A-Z][A-Z_]+$/);
  else expect(Object.keys(body)).toEqual(["detail"]);
}

describe("nothing is written by a refused request", () => {
  let before: Record<string, number>;
  beforeAll(async () => {
    // Its revocation is told.
    await revokedKey();
    before = await rowCounts();
  });

  test.each(guarded.map((operation) => [operation.name, operation] as const))(
    "%s without a credential, with a wrong and with a revoked one: 401",
    async (_name, operation) => {
      for (const credential of [
        null,
        "nonsense",
        `svc_live_${"x".repeat(43)}`,
        await revokedKey(),
      ]) {
        const reply = await ask(
          operation,
          credential,
          operation.hasBody ? { text: "{}" } : undefined,
        );
        expect(reply.status).toBe(401);
        expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer/);
        expectEnvelope(reply.body);
      }
    },
  );

  test.each(
    guarded
      .filter(({ access }) => access === "jwt")
      .map((operation) => [operation.name, operation] as const),
  )("%s with a key: 403 JWT_REQUIRED", async (_name, operation) => {
    const reply = await ask(
      operation,
      tenants[0]!.key,
      operation.hasBody ? { text: "{}" } : undefined,
    );
    expect([reply.status, reply.body["detail"]]).toEqual([403, "JWT_REQUIRED"]);
  });

  test.each(
    guarded
      .filter(({ paidOnly }) => paidOnly)
      .map((operation) => [operation.name, operation] as const),
  )("%s on the free plan: 403 FREE_TIER_FORBIDDEN", async (_name, operation) => {
    const reply = await ask(operation, free.jwt, { text: "{}" });
    expect([reply.status, reply.body["detail"]]).toEqual([403, "FREE_TIER_FORBIDDEN"]);
  });

  test.each(withBody.map((operation) => [operation.name, operation] as const))(
    "%s with another content type: 415, legacy text",
    async (_name, operation) => {
      const reply = await ask(operation, credentialOf(tenants[1]!, operation), {
        text: "a=b",
        type: "application/x-www-form-urlencoded",
      });
      expect([reply.status, Object.keys(reply.body)]).toEqual([415, ["detail"]]);
    },
  );

  test.each(withJson.map((operation) => [operation.name, operation] as const))(
    "%s with a body over 1 MiB, or its own limit: 413; malformed: 400; of the wrong type: 422",
    async (_name, operation) => {
      const credential = credentialOf(tenants[2]!, operation);
      // Operations may share a quota.
      api.forgetQuotas();
      const large = await ask(operation, credential, {
        text: JSON.stringify({ name: "x".repeat((LIMIT_MIB[operation.id] ?? 1) * 1_100_000) }),
      });
      expect([large.status, Object.keys(large.body)]).toEqual([413, ["detail"]]);
      const malformed = await ask(operation, credential, { text: '{"name": ' });
      expect(malformed.status).toBe(400);
      expectEnvelope(malformed.body);
      const nowhere = fill(operation.path, () => "not-a-uuid");
      const both = await ask(operation, credential, { text: "{" }, nowhere);
      expect(both.status).toBe(400);
      const wrong = await ask(operation, credential, { text: '["not", "an object"]' });
      expect([wrong.status, Object.keys(wrong.body).toSorted()]).toEqual([
        422,
        ["details", "error", "message", "path"],
      ]);
      const [first] = wrong.body["details"] as { loc: string[]; msg: string; type: string }[];
      expect([first!.loc[0], typeof first!.msg, typeof first!.type]).toEqual([
        "body",
        "string",
        "string",
      ]);
    },
  );

  test.each(withId.map((operation) => [operation.name, operation] as const))(
    "%s with an id that is none: 422 naming the path",
    async (_name, operation) => {
      const at = fill(operation.address, (name) =>
        operation.parameters.includes(name) ? "not-a-uuid" : randomUUID(),
      );
      const reply = await ask(
        operation,
        credentialOf(tenants[3]!, operation),
        operation.isJsonBody ? { text: "{}" } : undefined,
        at,
      );
      if (operation.hasBody && !operation.isJsonBody)
        return expect([415, 422]).toContain(reply.status);
      expect(reply.status).toBe(422);
      const [first] = reply.body["details"] as { loc: string[] }[];
      expect(first!.loc[0]).toBe("path");
    },
  );

  test.each(
    withId
      .filter(({ hasBody }) => !hasBody)
      .map((operation) => [operation.name, operation] as const),
  )("%s with an unknown id: 404", async (_name, operation) => {
    const reply = await ask(operation, credentialOf(tenants[4]!, operation));
    expect(reply.status).toBe(404);
    expectEnvelope(reply.body);
  });

  test.each([...new Set(operations.map(({ path }) => path))].map((path) => [path]))(
    "%s by another method: 405 with Allow; its twin: 307 with the query",
    async (path) => {
      const at = fill(path, () => randomUUID());
      const here = operations
        .filter((operation) => operation.path === path)
        .map(({ method }) => method);
      const other = ["PUT", "PATCH"].find((method) => !here.includes(method))!;
      const wrong = await api.request(at, { method: other });
      expect(wrong.status).toBe(405);
      expect(
        wrong.headers
          .get("allow")!
          .split(", ")
          .filter((method) => !["HEAD", "OPTIONS"].includes(method))
          .toSorted(),
      ).toEqual(here.toSorted());
      const twin = at.endsWith("/") ? at.slice(0, -1) : `${at}/`;
      const redirected = await api.request(`${twin}?limit=3`, {
        redirect: "manual",
        method: here[0]!,
      });
      expect([redirected.status, redirected.headers.get("location")]).toEqual([
        307,
        `${at}?limit=3`,
      ]);
    },
  );

  test("and after all of that every table has the rows it had", async () => {
    expect(await rowCounts()).toEqual(before);
  });
});

let revoked: string | undefined;
async function revokedKey(): Promise<string> {
  if (revoked !== undefined) return revoked;
  await api.sql.query("update api_keys set revoked_at = now() where workspace_id = $1", [
    tenants[5]!.workspaceId,
  ]);
  return (revoked = tenants[5]!.key);
}
