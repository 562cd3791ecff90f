import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { api, useApi } from "../support/use-api.ts";
import { requestFaultOf } from "../support/json-schema.ts";
import { document, fill, type Operation, operations } from "./operations.ts";
import { HOSTILE, hostileAt, placesOf, put, schemas } from "./hostile-values.ts";
import { oneOfEach } from "./setting.ts";
import { startWholeApi } from "./upstreams.ts";
import { patience } from "../support/patience.ts";

vi.setConfig({ testTimeout: patience(120_000) });

const HOSTILE_QUERY = [
  ...["", "%00", "a%00b", "%ff", "%F0%9F%98%80", "-1", "1e9", "99999999999999999999", "NaN"],
  ...["null", "AAAA", "bm9uc2Vuc2U", encodeURIComponent("'; --"), "a".repeat(5000)],
];

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
  approvePlaygroundBatch: ({ batch_id }) => ({ batch_id }),
  beginPersonalizeRun: ({ dataset_id }) => ({ dataset_id, sender_data: { full_name: "Ada" } }),
  answerCheckpoint: ({ checkpoint_token }) => ({ checkpoint_token, code: "123456" }),
  sendNetworkMessage: () => ({ identifier: "friend-silent-ada", text: "Hello" }),
  createSuppression: () => ({ value: `${randomUUID()}@example.com` }),
};

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
    const served = () => SERVED[operation.id]?.(ids) ?? operation.example;
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
