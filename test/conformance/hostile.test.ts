import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApi, type TestApi } from "../support/api.ts";
import { activeCampaign } from "../support/campaigns.ts";
import { document, fill, type Operation, operations } from "./operations.ts";

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  minLength?: number;
  minItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

const schemas = (document as unknown as { components: { schemas: Record<string, Schema> } })
  .components.schemas;

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

const resolve = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : resolve(schemas[schema.$ref.split("/").at(-1)!]!);

/** A small value that the schema allows. */
function example(given: Schema): unknown {
  const schema = resolve(given);
  const [option] = schema.anyOf ?? schema.oneOf ?? [];
  if (option !== undefined) return example(option);
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  switch ([schema.type].flat()[0]) {
    case "object":
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, example(schema.properties?.[name] ?? {})]),
      );
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => example(schema.items ?? {}));
    case "integer":
    case "number":
      return Math.max(1, schema.minimum ?? 1);
    case "boolean":
      return true;
    default:
      if (schema.format === "uuid") return randomUUID();
      if (schema.format === "email") return "a@example.com";
      if (schema.format === "date-time") return "2030-01-01T00:00:00Z";
      return "a".repeat(Math.max(1, schema.minLength ?? 1));
  }
}

/** Every place in a body where another value could stand; of a list, its first item. */
function placesOf(schema: Schema, at: string[] = []): string[][] {
  if (at.length > 5) return [];
  const whole = resolve(schema);
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
  api = await startApi();
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
  const { id: campaignId } = await activeCampaign(api, tenant);
  const { rows } = await api.sql.query(
    "select id, lead_id, dataset_id from campaign_leads where campaign_id = $1 limit 1",
    [campaignId],
  );
  const { rows: aliases } = await api.sql.query(
    "select id from mail_aliases where workspace_id = $1 limit 1",
    [tenant.workspaceId],
  );
  const made = async (path: string, body: object) =>
    (await tenant.call("POST", path, body)).body.id as string;
  const ids: Record<string, string> = {
    campaign_id: campaignId,
    campaign_lead_id: rows[0].id,
    lead_id: rows[0].lead_id,
    dataset_id: rows[0].dataset_id,
    alias_id: aliases[0].id,
    template_id: await made("/api/v1/templates", { name: "T", channel: "email", body: "B" }),
    sender_profile_id: await made("/api/v1/sender-profiles/", { name: "P", full_name: "P" }),
    domain_id: await made("/api/v1/mailer/domains", { domain: "hostile.example" }),
  };
  return { tenant, ids, at: (path: string) => fill(path, (name) => ids[name] ?? randomUUID()) };
}

const withJson = operations.filter(({ hasBody }) => hasBody);
test.each(withJson.map((operation) => [operation.name, operation] as const))(
  "%s answers any body below 500",
  async (_name, operation) => {
    const schema = described(operation).requestBody?.content["application/json"]?.schema;
    if (schema === undefined) return;
    const { tenant, ids, at } = await setting();
    const served = () => SERVED[operation.id]?.(ids) ?? example(schema);
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
