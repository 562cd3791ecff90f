import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleOf, resolve, type Schema, type Schemas } from "#src/http/docs/schema-table.ts";
import type { TestApi } from "../support/api.ts";
import { document, fill, type Operation, operations } from "./operations.ts";
import { oneOfEach } from "./setting.ts";
import { startWholeApi } from "./upstreams.ts";

const { schemas } = (document as unknown as { components: { schemas: Schemas } }).components;

/** Values that passed some validator somewhere and then broke what lay behind it. */
const HOSTILE: unknown[] = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "é".repeat(700),
  "'; drop table users; --",
  "{{ 7 | times: 7 }}{% raw %}",
  "%_\\",
  "9999-12-31T23:59:59-12:00",
  "0000-01-01T00:00:00Z",
  "275760-09-13T00:00:00Z",
  "24:00:00",
  "Etc/Unknown",
  "__proto__",
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  [],
  [null],
  {},
  { constructor: { prototype: null } },
  { "a\u0000b": "c\u0000d" },
];
const HOSTILE_QUERY = [
  ...["", "%00", "a%00b", "%ff", "%F0%9F%98%80", "-1", "1e9", "99999999999999999999", "NaN"],
  ...["null", "AAAA", "bm9uc2Vuc2U", encodeURIComponent("'; --"), "a".repeat(5000)],
];

/** Every place in a body where another value could stand; of a list, its first item. */
function placesOf(schema: Schema, at: string[] = []): string[][] {
  if (at.length > 5) return [];
  const whole = resolve(schema, schemas);
  const here = Object.entries(whole.properties ?? {});
  if (whole.items !== undefined) here.push(["0", whole.items]);
  return [
    ...here.flatMap(([name, each]) => [[...at, name], ...placesOf(each, [...at, name])]),
    ...[...(whole.anyOf ?? []), ...(whole.oneOf ?? [])].flatMap((option) => placesOf(option, at)),
  ];
}

function put(value: unknown, [name, ...rest]: string[], hostile: unknown): unknown {
  if (name === undefined) return hostile;
  if (name === "0") {
    const [first, ...others] = Array.isArray(value) ? value : [];
    return [put(first, rest, hostile), ...others];
  }
  const object = typeof value === "object" && value !== null ? value : {};
  return { ...object, [name]: put((object as Record<string, unknown>)[name], rest, hostile) };
}

/** Where the schema alone does not lead past validation: a body that is served, with the ids of the setting. */
const SERVED: Record<string, (ids: Record<string, string>) => object> = {
  createCampaign: ({ dataset_id, alias_id, sender_profile_id }) => ({
    name: "C",
    dataset_id,
    alias_ids: [alias_id],
    steps: [
      { step: 1, variants: [{ type: "INLINE", subject: "S", body: "B", sender_profile_id }] },
    ],
  }),
  addCampaignLeads: ({ lead_id }) => ({ lead_ids: [lead_id] }),
  createLead: () => ({ email: `${randomUUID()}@example.com` }),
  importLeads: () => ({ rows: [{ email: "a@example.com", company: "A" }] }),
  createMailAlias: () => ({
    email: `${randomUUID()}@example.com`,
    display_name: "A",
    transport: { kind: "smtp", host: "127.0.0.1", port: 25, security: "none" },
  }),
  createMailDomain: () => ({ domain: `${randomUUID()}.com` }),
  sendEmail: ({ alias_id }) => ({
    alias_id,
    to_email: "a@example.com",
    subject: "S",
    body: "B",
    send_at: "2030-01-01T00:00:00Z",
  }),
  createSuppression: () => ({ value: `${randomUUID()}@example.com` }),
};

let api: TestApi;
beforeAll(async () => {
  api = await startWholeApi();
});
afterAll(() => api.close());

const described = ({ path, method }: Operation) =>
  document.paths[path]![method.toLowerCase()] as unknown as {
    parameters?: { name: string; in: string }[];
    requestBody?: { content: Record<string, { schema: Schema }> };
  };

/** So that none of them hides an answer. */
const forgetQuotas = () => api.redis.faults.order("forget", 1);

/** A workspace with a resource behind each id. */
async function setting() {
  const tenant = await api.tenant();
  const ids = await oneOfEach(api, tenant);
  return { tenant, ids, at: (path: string) => fill(path, (name) => ids[name]!) };
}

const withJson = operations.filter(({ hasBody }) => hasBody);
test.each(withJson.map((operation) => [operation.name, operation] as const))(
  "%s answers any body below 500",
  async (_name, operation) => {
    const schema = described(operation).requestBody?.content["application/json"]?.schema;
    if (schema === undefined) return;
    const { tenant, ids, at } = await setting();
    const served = () => SERVED[operation.id]?.(ids) ?? exampleOf(schema, schemas);
    const call = operation.access === "jwt" ? tenant.callAsUser : tenant.call;
    const bodies = [
      served,
      ...HOSTILE.map((hostile) => () => hostile),
      ...placesOf(schema).flatMap((place) =>
        HOSTILE.map((hostile) => () => put(served(), place, hostile)),
      ),
    ];
    const failed: string[] = [];
    const statuses = new Set<number>();
    for (const bodyOf of bodies) {
      forgetQuotas();
      const text = JSON.stringify(bodyOf());
      const reply = await call(operation.method, at(operation.path), text);
      statuses.add(reply.status);
      if (reply.status >= 500) failed.push(`${reply.status} ${text.slice(-400)}`);
    }
    expect(failed).toEqual([]);
    // Otherwise no value ever reached what lies behind validation.
    expect([...statuses].some((status) => status < 300)).toBe(true);
  },
  120_000,
);

const withQuery = operations.filter((operation) =>
  described(operation).parameters?.some((parameter) => parameter.in === "query"),
);
test.each(withQuery.map((operation) => [operation.name, operation] as const))(
  "%s answers any query below 500",
  async (_name, operation) => {
    const { tenant, at } = await setting();
    const names = described(operation).parameters!.filter((parameter) => parameter.in === "query");
    const failed: string[] = [];
    for (const { name } of names) {
      for (const hostile of HOSTILE_QUERY) {
        const target = `${at(operation.path)}?${name}=${hostile}`;
        const reply = await tenant.call(operation.method, target);
        if (reply.status >= 500) failed.push(`${reply.status} ${target.slice(0, 300)}`);
      }
    }
    expect(failed).toEqual([]);
  },
  60_000,
);
