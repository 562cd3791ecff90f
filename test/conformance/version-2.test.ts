/** Version 2 of the API: the operations of version 1, with problem details (RFC 9457) for every error. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Tenant } from "../support/api.ts";
import { api, useApi } from "../support/use-api.ts";
import { fill, type Operation, operations } from "./operations.ts";

let tenants: Tenant[];

useApi();
beforeAll(async () => {
  tenants = await Promise.all(Array.from({ length: 4 }, () => api.tenant()));
});

const inV2 = (at: string) => at.replace(/^\/api\/v1/, "/api/v2");

async function ask(
  method: string,
  at: string,
  headers: Record<string, string> = {},
  body?: string,
) {
  const response = await api.request(at, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

/** The problem that an answer is, seen to be one. */
function problemOf({ status, headers, text }: Awaited<ReturnType<typeof ask>>) {
  expect(headers.get("content-type")).toBe("application/problem+json");
  const problem = JSON.parse(text);
  expect(problem).toMatchObject({
    type: "about:blank",
    title: expect.any(String),
    status,
    detail: expect.any(String),
    code: expect.stringMatching(/^[A-Z][A-Z0-9_]+$/),
    request_id: headers.get("x-request-id"),
  });
  return problem;
}

const guarded = operations.filter(
  ({ access, path }) => path.startsWith("/api/v1/") && ["workspace", "jwt"].includes(access),
);
const rows = (of: Operation[]) => of.map((operation) => [operation.name, operation] as const);
const json = { "content-type": "application/json" };
const credentialOf = (tenant: Tenant, { access }: Operation) => ({
  authorization: `Bearer ${access === "jwt" ? tenant.jwt : tenant.key}`,
});
const pathOf = ({ address }: Operation) => inV2(fill(address, () => randomUUID()));

test.each(rows(guarded))("%s without a credential: a problem", async (_, operation) => {
  const reply = await ask(operation.method, pathOf(operation));
  expect(problemOf(reply)).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
});

test.each(rows(guarded.filter(({ isJsonBody }) => isJsonBody)))(
  "%s with a body that is no JSON, of another type, or too large: problems",
  async (_, operation) => {
    const credential = credentialOf(tenants[0]!, operation);
    const send = (body: string, headers = json) =>
      ask(operation.method, pathOf(operation), { ...credential, ...headers }, body);
    expect(problemOf(await send("{"))).toMatchObject({ status: 400, code: "BAD_REQUEST" });
    const other = await send("a=b", { "content-type": "text/plain" });
    expect(problemOf(other)).toMatchObject({ status: 415, code: "UNSUPPORTED_MEDIA_TYPE" });
  },
);

test.each(rows(guarded.filter(({ isJsonBody }) => isJsonBody)))(
  "%s with a body that does not fit: a problem that says where, or one of the record",
  async (_, operation) => {
    const headers = { ...credentialOf(tenants[1]!, operation), ...json };
    const problem = problemOf(await ask(operation.method, pathOf(operation), headers, "[]"));
    expect(problem).toMatchObject({ status: 422, code: "VALIDATION_ERROR" });
    expect(problem.errors).toContainEqual({ pointer: "#", message: expect.any(String) });
  },
);

test.each(rows(guarded.filter(({ parameters }) => parameters.length > 0)))(
  "%s of an id that is none: a problem",
  async (_, operation) => {
    const at = inV2(fill(operation.address, () => "no-id"));
    const headers = { ...credentialOf(tenants[2]!, operation), ...json };
    const reply = await ask(operation.method, at, headers, operation.hasBody ? "{}" : undefined);
    expect(reply.status).toBeGreaterThanOrEqual(400);
    problemOf(reply);
  },
);

describe("what belongs to no operation", () => {
  test.each([
    ["GET", "/api/v2/nothing", 404, "NOT_FOUND"],
    ["GET", "/api/v2/campaigns/a/b/c/d", 404, "NOT_FOUND"],
    ["PUT", "/api/v2/templates", 405, "METHOD_NOT_ALLOWED"],
    ["GET", "/api/%762/nothing", 404, "NOT_FOUND"],
  ])("%s %s: a problem", async (method, at, status, code) => {
    expect(problemOf(await ask(method, at))).toMatchObject({ status, code });
  });

  test("the path with or without its last slash is that of version 2", async () => {
    const { status, headers } = await ask("GET", "/api/v2/campaigns?limit=3");
    expect([status, headers.get("location")]).toEqual([307, "/api/v2/campaigns/?limit=3"]);
  });

  test.each(["/api/v3/templates", "/api/v22/templates", "/api/v2x/templates", "/api/V2/templates"])(
    "%s is no version",
    async (at) => {
      const { status, text } = await ask("GET", at);
      expect([status, Object.keys(JSON.parse(text))]).toEqual([404, ["detail"]]);
    },
  );
});

describe("what an error of version 1 says besides its code, its problem says", () => {
  test("which scope is lacking", async () => {
    const { body } = await tenants[3]!.callAsUser("POST", "/api/v1/api-keys", {
      name: "reads",
      scopes: ["leads:read"],
    });
    const credential = { authorization: `Bearer ${body.key}` };
    expect(problemOf(await ask("GET", "/api/v2/templates", credential))).toMatchObject({
      status: 403,
      code: "SCOPE_MISSING",
      scope: "campaigns:read",
    });
  });

  test("where in a body, as a JSON Pointer, or which parameter", async () => {
    const headers = { authorization: `Bearer ${tenants[3]!.key}`, ...json };
    const rows = JSON.stringify({ rows: [{ email: "a@b.zz" }, 5] });
    const inBody = await ask("POST", `/api/v2/datasets/${randomUUID()}/import`, headers, rows);
    expect(problemOf(inBody)).toMatchObject({ status: 422 });
    const inQuery = await ask("GET", "/api/v2/datasets?limit=x", headers);
    expect(problemOf(inQuery).errors).toEqual([
      { in: "query", parameter: "limit", message: expect.any(String) },
    ]);
    const name = JSON.stringify({ name: 5, "a/b~c": 1 });
    const problem = problemOf(await ask("POST", "/api/v2/templates", headers, name));
    expect(problem.errors).toContainEqual({ pointer: "#/name", message: expect.any(String) });
  });

  test("when to come again", async () => {
    const free = await api.tenant({ plan: "free" });
    const credential = { authorization: `Bearer ${free.key}` };
    for (let request = 0; request < 60; request++) await ask("GET", "/api/v2/auth/me", credential);
    const refused = await ask("GET", "/api/v2/auth/me", credential);
    expect(problemOf(refused)).toMatchObject({ status: 429, code: "RATE_LIMITED" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // One quota for both versions.
    expect((await ask("GET", "/api/v1/auth/me", credential)).status).toBe(429);
  });
});
