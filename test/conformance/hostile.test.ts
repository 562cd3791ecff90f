import { expect, test, vi } from "vitest";
import { api, useApi } from "../support/use-api.ts";
import { requestFaultOf } from "../support/json-schema.ts";
import { document, fill, type Operation, operations } from "./operations.ts";
import { HOSTILE, hostileAt, placesOf, put, schemas } from "./hostile-values.ts";
import { servedBody, SERVED } from "./served.ts";
import { oneOfEach, seedOf } from "./setting.ts";
import { startWholeApi } from "./upstreams.ts";
import { patience } from "../support/patience.ts";

vi.setConfig({ testTimeout: patience(120_000) });

const HOSTILE_QUERY = [
  ...["", "%00", "a%00b", "%ff", "%F0%9F%98%80", "-1", "1e9", "99999999999999999999", "NaN"],
  ...["null", "AAAA", "bm9uc2Vuc2U", encodeURIComponent("'; --"), "a".repeat(5000)],
];

useApi({ start: startWholeApi });

const queryOf = ({ path, method }: Operation) =>
  document.paths[path]![method.toLowerCase()]!.parameters.filter((each) => each.in === "query");

/** A workspace, with a resource behind each id where one is needed. */
async function setting(isBare = false) {
  const tenant = await api.tenant();
  const ids = isBare ? {} : await oneOfEach(api, tenant);
  return { tenant, ids, at: (path: string) => fill(path, (name) => ids[name]!) };
}

const withJson = operations.filter(
  ({ hasBody, isSigned, access }) => hasBody && !isSigned && access !== "wallet",
);
test.each(withJson.map((operation) => [operation.name, operation] as const))(
  "%s answers any body below 500, and takes none that its schema does not",
  async (_name, operation) => {
    const schema = operation.bodySchema;
    if (schema === undefined) return;
    const isBare = operation.parameters.length === 0 && !(operation.id in SERVED);
    const { tenant, ids, at } = await setting(isBare);
    if (operation.id === "beginPlacementTest") ids["seed_alias_id"] = await seedOf(tenant);
    const served = () => servedBody(operation, ids);
    const call = operation.access === "jwt" ? tenant.callAsUser : tenant.call;
    const bodies = [
      served,
      ...HOSTILE.map((hostile) => () => hostile),
      ...placesOf(schema).flatMap((place, index) =>
        hostileAt(index + operation.name.length).map(
          (hostile) => () => put(served(), place, hostile),
        ),
      ),
    ];
    const failed: string[] = [];
    const statuses = new Set<number>();
    for (const bodyOf of bodies) {
      // So that none of them hides an answer.
      api.forgetQuotas();
      const text = JSON.stringify(bodyOf());
      const reply = await call(operation.method, at(operation.path), text);
      statuses.add(reply.status);
      if (reply.status >= 500) failed.push(`${reply.status} ${text.slice(-400)}`);
      if (reply.status >= 300) continue;
      const fault = requestFaultOf(JSON.parse(text), schema, schemas);
      if (fault !== null) failed.push(`taken, and not described: ${fault} of ${text.slice(-400)}`);
    }
    expect(failed).toEqual([]);
    // A bearer has no session to change: test/integration/workspace/members has it.
    if (operation.id === "chooseWorkspace") return expect(statuses).toContain(409);
    // Otherwise no value ever reached what lies behind validation.
    expect([...statuses].some((status) => status < 300)).toBe(true);
  },
);

/** What only reads is read in one workspace. */
let read: ReturnType<typeof setting> | undefined;

const withQuery = operations.filter((operation) => queryOf(operation).length > 0);
test.each(withQuery.map((operation) => [operation.name, operation] as const))(
  "%s answers any query below 500",
  async (_name, operation) => {
    const { tenant, at } = await (operation.method === "GET" ? (read ??= setting()) : setting());
    const failed: string[] = [];
    for (const { name } of queryOf(operation)) {
      for (const hostile of HOSTILE_QUERY) {
        const target = `${at(operation.path)}?${name}=${hostile}`;
        // So that none of them hides an answer.
        api.forgetQuotas();
        const reply = await tenant.call(operation.method, target);
        if (reply.status >= 500) failed.push(`${reply.status} ${target.slice(0, 300)}`);
      }
    }
    expect(failed).toEqual([]);
  },
);
