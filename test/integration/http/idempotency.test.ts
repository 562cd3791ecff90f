import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import type { Tenant } from "../../support/api.ts";
import { killDuring, standBefore } from "../../support/kill-at.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

const TEMPLATES = "/api/v2/templates";
const TEMPLATE = { name: "Hello", subject: "Hi", body: "Hello {{first_name}}" };
const USED = /insert into \\"idempotency_keys\\"/;
const KEPT = /update \\"idempotency_keys\\"/;

useApi({ eachTest: true });

const keyed = (key: string, { call } = tenant, body: object = TEMPLATE) =>
  call("POST", TEMPLATES, body, { "idempotency-key": key });
const madeIn = async ({ workspaceId } = tenant) =>
  (await query`select id from templates where workspace_id = ${workspaceId}`).length;
const keysOf = ({ workspaceId } = tenant) =>
  query`select * from idempotency_keys where workspace_id = ${workspaceId}`;
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [
  status,
  body.code,
];

test("a repetition is told what the first was told, and does nothing", async () => {
  const key = randomUUID();
  const first = await keyed(key);
  expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([201, null]);
  const again = await keyed(key);
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
  expect(again.headers.get("ratelimit")).not.toBeNull();
  expect(await madeIn()).toBe(1);
});

test("of 24 at once one does it; the others are told its answer, or that it is being worked on", async () => {
  const key = randomUUID();
  const replies = await Promise.all(Array.from({ length: 24 }, () => keyed(key)));
  const first = replies.filter(
    ({ status, headers }) => status === 201 && !headers.has("idempotent-replayed"),
  );
  expect(first).toHaveLength(1);
  for (const reply of replies.filter((each) => each !== first[0])) {
    if (reply.status === 201) expect(reply.text).toBe(first[0]!.text);
    else {
      expect(codeOf(reply)).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"]);
      expect(reply.headers.get("retry-after")).toBe("1");
    }
  }
  expect([await madeIn(), (await keysOf()).length]).toEqual([1, 1]);
});

test("without a key, and under /api/v1 with one, each request is done", async () => {
  const paths = [TEMPLATES, "/api/v1/templates", "/api/v1/templates"];
  for (const [at, path] of paths.entries()) {
    const headers: Record<string, string> = at === 0 ? {} : { "idempotency-key": "" };
    if (at === 2) headers["idempotency-key"] = "same";
    for (const _ of [1, 2]) {
      const { status, headers: answered } = await tenant.call("POST", path, TEMPLATE, headers);
      expect([status, answered.has("idempotent-replayed")]).toEqual([201, false]);
    }
  }
  expect([await madeIn(), await keysOf()]).toEqual([6, []]);
});

test("a key of another request is refused: another body, query, path or method", async () => {
  const key = randomUUID();
  const { body } = await keyed(key);
  const one = `${TEMPLATES}/${body.id}`;
  const others: [string, string, object?][] = [
    ["POST", TEMPLATES, { ...TEMPLATE, name: "Other" }],
    ["POST", `${TEMPLATES}?archived=true`, TEMPLATE],
    ["PATCH", one, TEMPLATE],
    ["DELETE", one],
  ];
  for (const [method, path, sent] of others) {
    const reply = await tenant.call(method, path, sent, { "idempotency-key": key });
    expect(codeOf(reply)).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  }
  expect(await madeIn()).toBe(1);
});

test("where two methods of a path take no body, a key is of one of them", async () => {
  const { body: dataset } = await tenant.call("POST", "/api/v2/datasets", { name: "D" });
  const path = `/api/v2/email-verification/dataset/${dataset.id}`;
  const headers = { "idempotency-key": randomUUID() };
  expect((await tenant.call("POST", path, undefined, headers)).status).toBeLessThan(300);
  const other = await tenant.call("DELETE", path, undefined, headers);
  expect(codeOf(other)).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
});

test("a key is the workspace's, by key or login, and no other one's", async () => {
  const key = randomUUID();
  const first = await keyed(key);
  const asUser = await keyed(key, { ...tenant, call: tenant.callAsUser });
  expect(asUser.text).toBe(first.text);
  const stranger = await api.tenant();
  const other = await keyed(key, stranger);
  expect([other.status, other.headers.has("idempotent-replayed")]).toEqual([201, false]);
  expect(other.body.id).not.toBe(first.body.id);
});

test("a key is 1 to 255 printable characters, and is given once", async () => {
  const send = async (...keys: string[]) => {
    const headers = new Headers({
      authorization: `Bearer ${tenant.key}`,
      "content-type": "application/json",
    });
    for (const key of keys) headers.append("idempotency-key", key);
    const reply = await api.request(TEMPLATES, {
      method: "POST",
      headers,
      body: JSON.stringify(TEMPLATE),
    });
    return codeOf({ status: reply.status, body: (await reply.json()) as { code?: string } });
  };
  for (const keys of [["x".repeat(256)], [""], ["a\tb"], ["é"], ["\u0080"], ["a", "b"], ["a", "a"]])
    expect([keys, await send(...keys)]).toEqual([keys, [400, "IDEMPOTENCY_KEY_INVALID"]]);
  expect([await madeIn(), await keysOf()]).toEqual([0, []]);
  for (const key of ["x".repeat(255), "x", '"a,b"; c=~'])
    expect(await send(key)).toEqual([201, undefined]);
});

test("what is refused before the first write leaves the key free", async () => {
  const key = randomUUID();
  const refusals: [unknown, number][] = [
    ["{", 400],
    [{ name: "" }, 422],
    [{ ...TEMPLATE, body: "{{ broken" }, 422],
  ];
  for (const [body, status] of refusals)
    expect((await keyed(key, tenant, body as object)).status).toBe(status);
  const wrong = await api.request(TEMPLATES, {
    method: "POST",
    headers: { authorization: "Bearer nonsense", "idempotency-key": key },
  });
  expect(wrong.status).toBe(401);
  expect(await keysOf()).toEqual([]);
  expect((await keyed(key)).status).toBe(201);
});

test("work that is paid for uses the key as its credits are held: without credits it stays free", async () => {
  const poor = await api.tenant({ credits: 0 });
  const headers = { "idempotency-key": randomUUID() };
  const search = () =>
    poor.call("POST", "/api/v2/prospects/search", { tags: ["chess"], limit: 1 }, headers);
  expect(codeOf(await search())).toEqual([403, "INSUFFICIENT_CREDITS"]);
  expect(await keysOf(poor)).toEqual([]);
  await query`update credit_balances set available = 5 where workspace_id = ${poor.workspaceId}`;
  await killDuring({ statement: USED, side: "after" }, search);
  api.advance(60);
  expect((await search()).body).toMatchObject({
    code: "IDEMPOTENCY_ANSWER_LOST",
    took_effect: null,
  });
});

test("what is refused after a write is kept like any other answer", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const path = `/api/v2/templates/${randomUUID()}`;
  const first = await tenant.call("DELETE", path, undefined, headers);
  const again = await tenant.call("DELETE", path, undefined, headers);
  expect([first.status, again.status, again.text]).toEqual([404, 404, first.text]);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
});

test("a worker that dies before its write leaves the key free", async () => {
  const key = randomUUID();
  await killDuring({ statement: USED, side: "before" }, () => keyed(key));
  expect(await keysOf()).toEqual([]);
  expect((await keyed(key)).status).toBe(201);
  expect(await madeIn()).toBe(1);
});

test.each([
  ["after its write", USED, "after"],
  ["before its answer is kept", KEPT, "before"],
] as const)(
  "of a worker that dies %s the request is not run again",
  async (_when, statement, side) => {
    const key = randomUUID();
    await killDuring({ statement, side }, () => keyed(key));
    expect(codeOf(await keyed(key))).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"]);
    api.advance(59);
    expect(codeOf(await keyed(key))).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"]);
    api.advance(1);
    const lost = await keyed(key);
    const [template] =
      await query`select id from templates where workspace_id = ${tenant.workspaceId}`;
    expect(codeOf(lost)).toEqual([409, "IDEMPOTENCY_ANSWER_LOST"]);
    expect(lost.body).toMatchObject({ took_effect: true, resource_id: template.id });
    expect(await madeIn()).toBe(1);
  },
);

test("an operation that reaches outside first uses the key before, and does not say whether it took effect", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const page = "https://app.example";
  const wish = { pack_id: "starter", success_url: page, cancel_url: page };
  const buy = () => tenant.call("POST", "/api/v2/payments/purchase-credits", wish, headers);
  await killDuring({ statement: USED, side: "after" }, buy);
  api.advance(60);
  const lost = await buy();
  expect(codeOf(lost)).toEqual([409, "IDEMPOTENCY_ANSWER_LOST"]);
  expect([lost.body.took_effect, "resource_id" in lost.body]).toEqual([null, false]);
  expect(
    await query`select 1 from payment_orders where workspace_id = ${tenant.workspaceId}`,
  ).toEqual([]);
});

test("a write that fails gives the key back, and the next one takes it", async () => {
  const alias = {
    email: "a@example.com",
    display_name: "A",
    transport: { kind: "smtp", host: "127.0.0.1", port: 25, security: "none" },
  };
  const make = (key: string, sent: object) =>
    tenant.call("POST", "/api/v2/mailer/aliases", sent, { "idempotency-key": key });
  expect((await make("first", alias)).status).toBe(201);
  const refused = await make("second", alias);
  expect(codeOf(refused)).toEqual([409, "ALIAS_EXISTS"]);
  const [used] = await keysOf();
  expect(await keysOf()).toEqual([used]);
  expect((await make("second", { ...alias, email: "b@example.com" })).status).toBe(201);
});

test("what Postgres aborted is done again with its key, once", async () => {
  await query`create function abort_once() returns trigger language plpgsql as $$
    begin
      if nextval('aborts') = 1 then raise exception 'again' using errcode = '40001'; end if;
      return new;
    end $$`;
  await query`create sequence aborts`;
  await query`create trigger abort_once before insert on templates for each row execute function abort_once()`;
  try {
    const key = randomUUID();
    const first = await keyed(key);
    expect([first.status, (await keyed(key)).text]).toEqual([201, first.text]);
    const [{ aborts }] = await query`select last_value::int as aborts from aborts`;
    expect([aborts, await madeIn(), (await keysOf()).length]).toEqual([2, 1, 1]);
  } finally {
    await query`drop trigger abort_once on templates`;
  }
});

test("a secret is told once: its repetition has null there, and the database has it nowhere", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const make = () => tenant.callAsUser("POST", "/api/v2/api-keys", { name: "CI" }, headers);
  const [first, again] = [await make(), await make()];
  expect(first.body.key).toMatch(/^svc_live_/);
  expect(again.body).toEqual({ ...first.body, key: null });
  expect(JSON.stringify(await keysOf())).not.toContain(first.body.key);
});

test("a form takes no key, and says so; rows in JSON do", async () => {
  const { body: dataset } = await tenant.call("POST", "/api/v2/datasets", { name: "D" });
  const form = new FormData();
  form.set("file", new Blob(["email\nada@example.com\n"], { type: "text/csv" }), "leads.csv");
  const path = `/api/v2/datasets/${dataset.id}/import`;
  const headers = { "idempotency-key": randomUUID() };
  const refused = await tenant.call("POST", path, form, headers);
  expect(codeOf(refused)).toEqual([400, "IDEMPOTENCY_KEY_NOT_TAKEN"]);
  const rows = { rows: [{ email: "ada@example.com" }] };
  const first = await tenant.call("POST", path, rows, headers);
  const again = await tenant.call("POST", path, rows, headers);
  expect([first.status, first.body.created, again.text]).toEqual([200, 1, first.text]);
});

test("a key says nothing to a read, nor to what is open to all", async () => {
  const headers = { "idempotency-key": "x".repeat(300) };
  expect((await tenant.call("GET", TEMPLATES, undefined, headers)).status).toBe(200);
  const form = { profile_url: "https://www.linkedin.com/in/ada", email: "ada@example.com" };
  const open = await tenant.call("POST", "/api/v2/prospects/opt-out", form, headers);
  expect(open.status).not.toBe(400);
});

test("a keyed write asks the database twice more, once of it beside the question for its API key", async () => {
  const calls: string[] = [];
  let most = 0;
  let open = 0;
  const { leave } = standBefore(async (statement, call) => {
    calls.push(statement);
    most = Math.max(most, ++open);
    // Whatever is asked at the same time has arrived by then.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return call().finally(() => open--);
  });
  const count = async (run: () => Promise<unknown>) => {
    await api.settled();
    calls.length = most = 0;
    await run();
    return { calls: calls.length, most };
  };
  await keyed(randomUUID());
  const plain = await count(() => tenant.call("POST", TEMPLATES, TEMPLATE));
  const withKey = await count(() => keyed(randomUUID()));
  leave();
  expect(withKey).toEqual({ calls: plain.calls + 2, most: plain.most + 1 });
});

test("a key is free again after a day, and its answer is gone", async () => {
  const key = randomUUID();
  const first = await keyed(key);
  api.advance(86_399);
  await fullCheck(api.deps);
  expect((await keyed(key)).text).toBe(first.text);
  api.advance(2);
  await fullCheck(api.deps);
  expect(await keysOf()).toEqual([]);
  expect((await keyed(key)).body.id).not.toBe(first.body.id);
});

test("who is erased is in no kept answer, and the request is not run again", async () => {
  const { body: dataset } = await tenant.call("POST", "/api/v2/datasets", { name: "D" });
  const make = () =>
    tenant.call(
      "POST",
      `/api/v2/datasets/${dataset.id}/leads`,
      { email: "ada@example.com" },
      { "idempotency-key": "ada@example.com" },
    );
  const first = await make();
  expect((await make()).text).toBe(first.text);
  await tenant.call("POST", "/api/v2/leads/erase", { email: "ada@example.com" });
  expect(JSON.stringify(await keysOf())).not.toContain("ada");
  api.advance(60);
  expect((await make()).body).toMatchObject({ took_effect: true, resource_id: first.body.id });
});

test("workspaces that send the same keys at once do not meet", async () => {
  const tenants: Tenant[] = await Promise.all(Array.from({ length: 4 }, () => api.tenant()));
  const key = randomUUID();
  const replies = await Promise.all(
    tenants.flatMap((each) => [keyed(key, each), keyed(key, each)]),
  );
  expect(new Set(replies.flatMap(({ body }) => body.id ?? [])).size).toBe(4);
  for (const each of tenants) expect(await madeIn(each)).toBe(1);
});
