/** Entity tags of records in version 2: `If-Match`, `If-None-Match` and `?fields=`. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Reply } from "../../support/api.ts";
import { meetAtRow } from "../../support/locks.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi();

interface Kind {
  name: string;
  table: string;
  make(): Promise<string>;
  change: object;
  otherChange: object;
  /** What the service itself writes of it. */
  ofTheService?(id: string): Promise<unknown>;
}

let dataset: string;
const made = async (path: string, body: object) => {
  const { status, body: answer } = await tenant.call("POST", path, body);
  expect([path, status]).toEqual([path, 201]);
  return (answer.id ?? answer.campaign_id) as string;
};
let running = 0;
const address = () => `a${running++}@corp.zz`;

const ALIAS = (email: string) => ({
  email,
  display_name: "Me",
  transport: {
    kind: "smtp",
    host: "mx.corp.zz",
    port: 587,
    security: "starttls",
    username: "u",
    password: "p",
  },
});

const kinds: Kind[] = [
  {
    name: "campaigns",
    table: "campaigns",
    make: async () =>
      `/campaigns/${await made("/api/v2/campaigns/", {
        name: "C",
        dataset_id: dataset,
        alias_ids: [await made("/api/v2/mailer/aliases", ALIAS(address()))],
        steps: [{ step: 1, variants: [{ type: "INLINE", subject: "Hi", body: "Hello" }] }],
      })}`,
    change: { name: "D" },
    otherChange: { name: "E" },
    ofTheService: (id) =>
      query`update campaigns set total_leads = total_leads + 1, updated_at = now() where id = ${id}`,
  },
  {
    name: "templates",
    table: "templates",
    make: async () =>
      `/templates/${await made("/api/v2/templates", { name: "T", subject: "Hi", body: "Hello" })}`,
    change: { name: "U" },
    otherChange: { archived: true },
  },
  {
    name: "sender profiles",
    table: "sender_profiles",
    make: async () =>
      `/sender-profiles/${await made("/api/v2/sender-profiles/", { name: "P", full_name: "Max", company: "Overture", value_proposition: "Sending" })}`,
    change: { name: "Q" },
    otherChange: { name: "R" },
  },
  {
    name: "datasets",
    table: "datasets",
    make: async () => `/datasets/${await made("/api/v2/datasets", { name: "N" })}`,
    change: { name: "O" },
    otherChange: { name: "P" },
    ofTheService: (id) =>
      query`update datasets set row_count = row_count + 1, updated_at = now() where id = ${id}`,
  },
  {
    name: "leads",
    table: "leads",
    make: async () =>
      `/datasets/${dataset}/leads/${await made(`/api/v2/datasets/${dataset}/leads`, { email: address() })}`,
    change: { first_name: "Ada" },
    otherChange: { first_name: "Mara" },
    ofTheService: (id) =>
      query`update leads set verification = '{"status": "valid"}' where id = ${id}`,
  },
  {
    name: "mail aliases",
    table: "mail_aliases",
    make: async () => `/mailer/aliases/${await made("/api/v2/mailer/aliases", ALIAS(address()))}`,
    change: { display_name: "You" },
    otherChange: { daily_limit: 7 },
    ofTheService: (id) =>
      query`update mail_aliases set last_error = 'slow', last_error_kind = 'line', updated_at = now() where id = ${id}`,
  },
  {
    name: "mail domains",
    table: "mail_domains",
    make: async () =>
      `/mailer/domains/${await made("/api/v2/mailer/domains", { domain: `d${running++}.zz` })}`,
    change: { daily_limit: 5 },
    otherChange: { daily_limit: 6 },
    ofTheService: (id) =>
      query`update mail_domains set checked_at = now(), updated_at = now() where id = ${id}`,
  },
];

beforeAll(async () => {
  dataset = await made("/api/v2/datasets", { name: "Leads" });
});

const get = (path: string, headers = {}) =>
  tenant.call("GET", `/api/v2${path}`, undefined, headers);
const tagOf = async (path: string) => (await get(path)).headers.get("etag")!;
const patch = (path: string, body: object, ifMatch?: string, more = {}) =>
  tenant.call("PATCH", `/api/v2${path}`, body, {
    ...(ifMatch !== undefined && { "if-match": ifMatch }),
    ...more,
  });
const remove = (path: string, ifMatch: string) =>
  tenant.call("DELETE", `/api/v2${path}`, undefined, { "if-match": ifMatch });
const idOf = (path: string) => path.split("/").at(-1)!;
const refused = {
  status: 412,
  body: { code: "PRECONDITION_FAILED", title: "Precondition Failed" },
};

describe.each(kinds.map((kind) => [kind.name, kind] as const))(
  "of %s",
  (_, { table, make, change, otherChange }) => {
    test("a change is taken from who knows the record as it is, and from nobody else", async () => {
      const path = await make();
      const first = await tagOf(path);
      expect(first).toMatch(/^"\d+\.[0-9a-f]{22}"$/);
      const changed = await patch(path, change, first);
      expect(changed.status).toBe(200);
      const second = changed.headers.get("etag")!;
      expect(await tagOf(path)).toBe(second);
      expect(await patch(path, otherChange, first)).toMatchObject(refused);
      expect(await remove(path, first)).toMatchObject(refused);
      expect(await tagOf(path)).toBe(second);
      expect((await patch(path, otherChange, second)).status).toBe(200);
      expect(await remove(path, second)).toMatchObject(refused);
      expect((await remove(path, await tagOf(path))).status).toBe(200);
      expect((await remove(path, second)).status).toBe(404);
    });

    test("of eight changes at once that know the same, one is taken", async () => {
      const path = await make();
      const tag = await tagOf(path);
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, at) => patch(path, at % 2 === 0 ? change : otherChange, tag)),
      );
      const codes = replies.map(({ status }) => status).toSorted();
      expect(codes).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
    });

    test("changes and deletions that meet at the record: the first is taken", async () => {
      const meet = async (...verbs: ("patch" | "remove")[]) => {
        const path = await make();
        const tag = await tagOf(path);
        const call = { patch: () => patch(path, change, tag), remove: () => remove(path, tag) };
        const lock = `select 1 from ${table} where id = $1 for update`;
        const calls = verbs.map((verb) => call[verb]);
        const replies = (await meetAtRow(api.sql, lock, [idOf(path)], calls)) as Reply[];
        return replies.map(({ status }) => status);
      };
      expect(await meet("patch", "patch")).toEqual([200, 412]);
      expect(await meet("patch", "remove")).toEqual([200, 412]);
      // Either may be aborted by Postgres, where both lock in another order, and come second.
      const either = await meet("remove", "patch");
      expect(either.filter((status) => status === 200)).toHaveLength(1);
    });

    test("a change that wrote nothing is refused all the same where it knows another state", async () => {
      const path = await make();
      const tag = await tagOf(path);
      await patch(path, change);
      expect(await patch(path, {}, tag)).toMatchObject(refused);
    });

    test("version 1 says no tag and asks for none", async () => {
      const path = await make();
      const read = await tenant.call("GET", `/api/v1${path}`);
      expect([read.status, read.headers.has("etag")]).toEqual([200, false]);
      expect(read.body).not.toHaveProperty("revision");
      const changed = await tenant.call("PATCH", `/api/v1${path}`, change, {
        "if-match": '"99.00"',
      });
      expect(changed.status).toBe(200);
    });
  },
);

const counted = kinds.filter(({ ofTheService }) => ofTheService !== undefined);
test.each(counted.map((kind) => [kind.name, kind] as const))(
  "of %s: what the service writes is told, and refuses no change",
  async (_, { make, change, ofTheService }) => {
    const path = await make();
    const tag = await tagOf(path);
    await ofTheService!(idOf(path));
    const now = await get(path, { "if-none-match": tag });
    expect(now.status).toBe(200);
    expect(now.headers.get("etag")).not.toBe(tag);
    expect((await patch(path, change, tag)).status).toBe(200);
  },
);

const template = () => kinds[1]!.make();

test("what is known already is 304, without a body", async () => {
  const path = await template();
  const tag = await tagOf(path);
  for (const field of [tag, `W/${tag}`, `"1.00", ${tag}`, "*"]) {
    const reply = await get(path, { "if-none-match": field });
    expect([field, reply.status, reply.text, reply.headers.get("etag")]).toEqual([
      field,
      304,
      "",
      tag,
    ]);
  }
  for (const field of ['"1.00"', tag.slice(1, -1), ""]) {
    expect([field, (await get(path, { "if-none-match": field })).status]).toEqual([field, 200]);
  }
});

test("a list of tags, a star, tags that match nothing, and what is no tag", async () => {
  const path = await template();
  const tag = await tagOf(path);
  for (const stale of [
    `W/${tag}`,
    '"1.zz"',
    '"other"',
    `"9.${"0".repeat(22)}"`,
    '"9999999999999999.00"',
  ])
    expect([stale, (await patch(path, { name: "X" }, stale)).status]).toEqual([stale, 412]);
  for (const wrong of [tag.slice(1, -1), "3", `${tag} ${tag}`, `${tag}, *`, '"']) {
    const reply = await patch(path, { name: "X" }, wrong);
    expect([wrong, reply.status, reply.body.code]).toEqual([wrong, 400, "IF_MATCH_INVALID"]);
  }
  // Long lists that end badly are read as fast as short ones.
  for (const long of [
    `"a"${", ".repeat(5_000)}x`,
    `${'"'.repeat(9_999)}`,
    `${"W/".repeat(5_000)}"`,
  ])
    expect((await patch(path, { name: "X" }, long)).status).toBe(400);
  expect((await patch(path, { name: "Y" }, `"7.00", , ${tag} ,`)).status).toBe(200);
  expect((await patch(path, { name: "Z" }, "*")).status).toBe(200);
  expect((await get(path)).body.name).toBe("Z");
});

test("another workspace's record and a missing one are not found, whatever is known of them", async () => {
  const path = await template();
  const tag = await tagOf(path);
  const other = await api.tenant();
  const headers = { "if-match": tag };
  expect((await other.call("PATCH", `/api/v2${path}`, { name: "X" }, headers)).status).toBe(404);
  expect((await other.call("DELETE", `/api/v2${path}`, undefined, headers)).status).toBe(404);
  expect((await patch("/templates/none", { name: "X" }, tag)).status).toBe(422);
});

test("with an Idempotency-Key: a repetition is told the answer, and a refusal leaves the key free", async () => {
  const path = await template();
  const tag = await tagOf(path);
  const key = { "idempotency-key": `once-${running++}` };
  const first = await patch(path, { name: "X" }, tag, key);
  const again = await patch(path, { name: "X" }, tag, key);
  expect([first.status, again.status, again.headers.get("idempotent-replayed")]).toEqual([
    200,
    200,
    "true",
  ]);
  expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
  const other = { "idempotency-key": `once-${running++}` };
  expect(await patch(path, { name: "Y" }, tag, other)).toMatchObject(refused);
  expect((await patch(path, { name: "Z" }, await tagOf(path), other)).status).toBe(200);
});

test("of one key at once, one change, and everybody is told of it", async () => {
  const path = await template();
  const tag = await tagOf(path);
  const key = { "idempotency-key": `once-${running++}` };
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => patch(path, { name: "X" }, tag, key)),
  );
  expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
  expect((await tagOf(path)).split(".")[0]).toBe('"2');
});

test("a key that was revoked is not told the tag", async () => {
  const other = await api.tenant();
  const { body } = await other.call("POST", "/api/v2/templates", {
    name: "T",
    subject: "Hi",
    body: "Hello",
  });
  const path = `/api/v2/templates/${body.id}`;
  await other.call("GET", path);
  await query`update api_keys set revoked_at = now() where workspace_id = ${other.workspaceId}`;
  const reply = await other.call("GET", path);
  expect([reply.status, reply.headers.has("etag")]).toEqual([401, false]);
});

describe("fields", () => {
  test("of a record", async () => {
    const path = await template();
    const whole = (await get(path)).body;
    const { status, body } = await get(`${path}?fields=id,name`);
    expect([status, body]).toEqual([200, { id: whole.id, name: whole.name }]);
  });

  test("of each item of a page; of a list of its own form; beside what is included", async () => {
    await template();
    const page = (await get("/templates?fields=name&limit=1")).body;
    expect(page).toEqual({
      items: [{ name: expect.any(String) }],
      next_cursor: expect.any(String),
      has_more: true,
    });
    const next = (await get(`/templates?fields=name&cursor=${page.next_cursor}`)).body;
    expect(Object.keys(next.items[0])).toEqual(["name"]);
    await kinds[0]!.make();
    const { items } = (await get("/campaigns/?fields=name&include=summary")).body;
    expect(Object.keys(items[0])).toEqual(["name", "summary"]);
    await kinds[4]!.make();
    const leads = (await get(`/datasets/${dataset}/leads?fields=email,id`)).body;
    expect(Object.keys(leads.items[0]).toSorted()).toEqual(["email", "id"]);
  });

  test("that there are not are refused with those that there are; version 1 reads none", async () => {
    const path = await template();
    for (const fields of ["name,nothing", "", "name,", "__proto__", "x".repeat(501)]) {
      const { status, body } = await get(`${path}?fields=${fields}`);
      expect([fields, status, body.errors[0].parameter]).toEqual([fields, 422, "fields"]);
    }
    expect((await get(`${path}?fields=name&fields=id`)).status).toBe(422);
    const read = await tenant.call("GET", `/api/v1${path}?fields=name`);
    expect(read.body).toHaveProperty("id");
  });
});
